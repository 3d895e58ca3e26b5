import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { dialogHasFocus } from '../kit/browser/waits.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { eventually, makeWebhook, quickWebhooks } from '../kit/webhooks/deliveries.ts';
import { answer, startReceiver } from '../kit/webhooks/receiver.ts';

inBrowser(
  'Webhooks',
  (fixture) => {
    it('An endpoint is added with a secret that is shown once, edited, paused and deleted', (test) =>
      fixture.visit('/webhooks', async (page) => {
        const { port } = await startReceiver(test, answer(200));
        const url = `http://127.0.0.1:${port}/webhooks`;
        await page.getByText('No endpoints yet').waitFor();
        await checkAxe(page);
        await takeScreenshots(page, 'webhooks-empty');

        await page.getByRole('button', { name: 'Add endpoint' }).first().click();
        const form = page.getByRole('dialog', { name: 'Add endpoint' });
        await form.waitFor();
        await dialogHasFocus(page);
        await page.keyboard.press('Enter');
        await form.getByText('Enter a URL.').waitFor();
        await form.getByLabel('Endpoint URL').fill('http://10.0.0.1/');
        await form.getByText('Selected events').click();
        await form.getByLabel('Contacts').click();
        await form.getByLabel('agent.deployed').click();
        await form.getByText('Advanced').click();
        await form.getByLabel('Requests per second').fill('20000');
        await page.keyboard.press('Enter');
        await form.getByText('must be a whole number from 1 to 10000', { exact: false }).waitFor();
        await form.getByLabel('Requests per second').fill('50');
        await page.keyboard.press('Enter');
        await form.getByText('The address of this host is not public.').waitFor();
        await checkAxe(page);
        await takeScreenshots(page, 'webhook-add');
        await form.getByLabel('Endpoint URL').fill(url);
        await form.getByLabel('Description').fill('CRM sync');
        await page.keyboard.press('Enter');

        const once = page.getByRole('dialog', { name: 'Endpoint added' });
        const secret = await once.locator('code').first().innerText();
        assert.match(secret, /^whsec_/);
        await once.getByRole('tab', { name: 'Python' }).click();
        await once.getByText('pip install standardwebhooks').waitFor();
        await checkAxe(page);
        await takeScreenshots(page, 'webhook-secret');
        await once.getByRole('button', { name: "I've copied the secret" }).click();

        await page.getByRole('heading', { level: 1, name: url }).waitFor();
        await page.getByText('No attempts yet').waitFor();
        assert.equal((await page.content()).includes(secret), false);
        await page.getByRole('tab', { name: 'Settings' }).click();
        await page.getByText('contact.deleted').waitFor();
        await takeScreenshots(page, 'webhook-settings');
        await page.getByRole('button', { name: 'Edit' }).click();
        const edit = page.getByRole('dialog', { name: 'Edit endpoint' });
        await edit.getByText('All events').click();
        await edit.getByLabel('Payload').selectOption('Thin');
        await edit.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Thin: only IDs').waitFor();
        const [saved] = (await fixture.owner.call('GET', '/webhooks')).body.data;
        assert.deepEqual(
          [saved.types, saved.payload, saved.description, saved.rate_per_second],
          [null, 'thin', 'CRM sync', 50],
        );

        await page.getByRole('button', { name: 'More' }).click();
        await page.getByRole('menuitem', { name: 'Pause' }).click();
        await page.getByText('This endpoint is paused.').waitFor();
        await page.getByRole('button', { name: 'Resume' }).click();
        await page.getByText('Active', { exact: true }).waitFor();
        await page.getByRole('main').getByRole('link', { name: 'Webhooks' }).click();
        await page.getByRole('row', { name: url }).getByText('CRM sync').waitFor();
        await checkAxe(page);
        await takeScreenshots(page, 'webhooks');
        await page.getByRole('link', { name: url }).click();
        await page.getByRole('button', { name: 'More' }).click();
        await page.getByRole('menuitem', { name: 'Delete' }).click();
        const confirm = page.getByRole('dialog', { name: `Delete the endpoint at 127.0.0.1:${port}?` });
        await confirm.getByRole('button', { name: 'Delete endpoint' }).click();
        await page.getByText('No endpoints yet').waitFor();
      }));

    it('A secret is rotated with a grace period, which can be ended', async () => {
      const created = await fixture.owner.call('POST', '/webhooks', { url: 'https://example.com/hook' });
      const { id } = created.body.data;
      await fixture.visit(`/webhooks/${id}?tab=signature`, async (page) => {
        await page.getByRole('button', { name: 'Rotate secret' }).click();
        await page
          .getByRole('dialog', { name: 'Rotate secret' })
          .getByRole('button', { name: 'Rotate secret' })
          .click();
        const rotated = page.getByRole('dialog', { name: 'New secret' });
        assert.match(await rotated.locator('code').first().innerText(), /^whsec_/);
        await rotated.getByRole('button', { name: "I've copied the secret" }).click();
        await page.getByText('This secret was rotated. The old secret works until').waitFor();
        await checkAxe(page);
        await takeScreenshots(page, 'webhook-signature');
        await page.getByRole('button', { name: 'Revoke old secret now' }).click();
        await page
          .getByRole('dialog', { name: 'Revoke the old secret' })
          .getByRole('button', { name: 'Revoke old secret' })
          .click();
        await page.getByText('This secret was rotated.').waitFor({ state: 'detached' });
        const { old_secret_expires_at } = (await fixture.owner.call('GET', `/webhooks/${id}`)).body.data;
        assert.equal(old_secret_expires_at, null);
      });
      await fixture.owner.call('DELETE', `/webhooks/${id}`);
    });

    it('Settings that someone else changed meanwhile are shown before they are overwritten', async () => {
      const created = await fixture.owner.call('POST', '/webhooks', { url: 'https://example.com/hook' });
      const path = `/webhooks/${created.body.data.id}`;
      await fixture.visit(`${path}?open=edit`, async (page) => {
        const edit = page.getByRole('dialog', { name: 'Edit endpoint' });
        await edit.getByLabel('Description').fill('Mine');
        await fixture.owner.call('PATCH', path, { description: 'Theirs' });
        await edit.getByRole('button', { name: 'Save' }).click();
        await edit.getByText('Someone else changed this endpoint while you were editing.').waitFor();
        await edit.getByText('Theirs', { exact: true }).waitFor();
        await edit.getByRole('button', { name: 'Save mine' }).click();
        await page.getByText('Endpoint saved.').waitFor();
        assert.equal((await fixture.owner.call('GET', path)).body.data.description, 'Mine');
      });
      await fixture.owner.call('DELETE', path);
    });

    it('The webhooks pages tell members that owner access is required', async () => {
      const user = await signedInUser(fixture.service, 'member@example.com', 'member');
      await fixture.visit(
        '/webhooks',
        async (page) => {
          for (const path of ['/webhooks', '/webhooks/webhook_01h455vb4pex5vsknk084sn02q']) {
            await page.goto(fixture.service.url + path);
            await page.getByText('Owner access required').waitFor();
            assert.equal(await page.getByRole('button', { name: 'Add endpoint' }).count(), 0);
          }
        },
        { user },
      );
    });

    it('A test event shows its response, and a change of a contact is delivered', async (test) => {
      const webhook = await makeWebhook(
        test,
        await signedInOwner(fixture.service),
        { description: 'CRM sync' },
        answer(200, {}, '{"received":true}'),
      );
      await fixture.visit(webhook.path, async (page) => {
        await page.getByRole('button', { name: 'Send test event' }).click();
        await page.getByText('Test event delivered: status 200').waitFor();
        await page.getByText('{"received":true}').waitFor();
        assert.deepEqual(webhook.types(), ['webhook.test']);
        const { id } = await makeContact(fixture.service, { first_name: 'Ada' });
        await page.getByRole('link', { name: 'contact.created' }).waitFor();
        await checkAxe(page);
        await takeScreenshots(page, 'webhook-attempts');
        await page.getByRole('link', { name: 'contact.created' }).click();
        const attempt = page.getByRole('dialog', { name: 'contact.created' });
        await attempt.getByText(`"subject_id": "${id}"`).waitFor();
        const [, created] = webhook.receiver.requests;
        await attempt.getByText(`webhook-signature: ${created?.headers['webhook-signature']}`).waitFor();
        await attempt.getByText('"received": true').waitFor();
        await checkAxe(page);
        await takeScreenshots(page, 'webhook-attempt');
        await attempt.getByRole('button', { name: 'Replay event' }).click();
        await page.getByText('The event is sent again.').waitFor();
        await webhook.received(3);
        assert.deepEqual(webhook.types(), ['webhook.test', 'contact.created', 'contact.created']);
      });
    });

    it('Failed attempts show their error, and a replay delivers the events', async (test) => {
      const owner = await signedInOwner(fixture.service);
      const webhook = await makeWebhook(test, owner, {}, answer(500, {}, '<b>Out of order</b>'));
      await makeContact(fixture.service);
      await eventually('the last attempt', async () => (await webhook.show()).failed_deliveries === 1);
      await fixture.visit(`${webhook.path}?result=failed`, async (page) => {
        await page.getByText('Deliveries have failed since').waitFor();
        await page.getByRole('link', { name: 'contact.created' }).first().click();
        const attempt = page.getByRole('dialog', { name: 'contact.created' });
        await attempt.getByText('<b>Out of order</b>').waitFor();
        await attempt.getByText('500', { exact: true }).waitFor();
        await takeScreenshots(page, 'webhook-attempt-failed');
        await attempt.getByRole('button', { name: 'Done' }).click();
        await checkAxe(page);
        await takeScreenshots(page, 'webhook-failing');

        const arrived = webhook.receiver.requests.length;
        webhook.receiver.behave(answer(204, {}, ''));
        await page.getByRole('button', { name: 'Replay…' }).click();
        const dialog = page.getByRole('dialog', { name: 'Replay events' });
        await dialog.getByText('1 event has failed permanently').waitFor();
        await checkAxe(page);
        await takeScreenshots(page, 'webhook-replay');
        await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
        await page.getByText('Replay started: 1 event.').waitFor();
        await webhook.received(arrived + 1);
        await page.getByRole('combobox', { name: 'Result' }).selectOption('Delivered');
        await page.getByRole('row').getByText('Delivered').waitFor();

        await page.getByRole('button', { name: 'Replay…' }).click();
        await dialog.getByText('Time range').click();
        await dialog.getByLabel('Until').fill('2026-01-01T00:00');
        await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
        await dialog.getByText('Must not be before since.').waitFor();
        await dialog.getByLabel('Until').fill('');
        await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
        await webhook.received(arrived + 2);

        await webhook.settled();
        await owner.request('PATCH', webhook.path, { status: 'paused' });
        await owner.request('POST', `${webhook.path}/replay`, { since: '2026-01-01T00:00:00.000Z' });
        await page.getByText('A replay is running:').waitFor();
        await takeScreenshots(page, 'webhook-replay-running');
        await page.getByRole('button', { name: 'Cancel replay' }).click();
        await page.getByText('A replay is running:').waitFor({ state: 'detached' });
        assert.equal((await webhook.show()).replay, null);
      });
    });

    it('An endpoint that was disabled is announced on every page and enabled again', async (test) => {
      const owner = await signedInOwner(fixture.service);
      const webhook = await makeWebhook(test, owner, {}, answer(410));
      await makeContact(fixture.service);
      await eventually('the disabled endpoint', async () => (await webhook.show()).status === 'disabled');
      await fixture.visit('/contacts', async (page) => {
        await page.getByText('was disabled. Events are no longer sent to it.').waitFor();
        await checkAxe(page);
        await takeScreenshots(page, 'webhook-disabled-notice');
        await page.getByRole('link', { name: 'Review endpoint' }).click();
        await page.getByText('Roster disabled this endpoint.').waitFor();
        await takeScreenshots(page, 'webhook-disabled');
        webhook.receiver.behave(answer(200));
        await page.getByRole('button', { name: 'Enable endpoint' }).click();
        await page.getByText('Active', { exact: true }).waitFor();
        await page.getByRole('link', { name: 'Contacts' }).click();
        await page.getByText('was disabled.').waitFor({ state: 'detached' });
      });
    });
  },
  quickWebhooks(),
);
