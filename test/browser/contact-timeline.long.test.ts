import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { keepToasts, valueSaved } from '../kit/browser/waits.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { makeDeployedAgent, makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { getContact } from '../kit/fixtures/contacts.ts';
import { applyImport, planCsv } from '../kit/imports/imports.ts';
import type { Json } from '../kit/service/test-service.ts';

const NUMBER = '+14155550123';

inBrowser('Contact timeline', (fixture) => {
  let owner: CheckedUser;
  let contact: Json;
  let campaign: Json;
  let imported: Json;
  before(async () => {
    const { service } = fixture;
    owner = await checkedUser(service, fixture.owner);
    const agent = await makeDeployedAgent(owner, 'Order desk');
    const line = await makePhoneChannel(owner, agent);
    await owner.request('PUT', '/call-settings', {
      dispositions: [{ key: 'wrong_number', label: 'Not this person' }],
      field_rules: [],
      transcript_days: null,
    });
    contact = await owner.request('POST', '/contacts', { phone_number: NUMBER, tags: ['vip'] }, 201);
    imported = await planCsv(owner, `Phone,Company,Tags\n${NUMBER},Engines,london\n`);
    await applyImport(owner, imported.id);
    await recordCall(service, line, NUMBER, {
      status: 'completed',
      seconds: 65,
      disposition: 'wrong_number',
      summary: 'The number belongs to a neighbor.',
    });
    await recordCall(service, line, NUMBER, { type: 'message', direction: 'outbound' });
    campaign = await owner.request(
      'POST',
      '/campaigns',
      { name: 'Spring', agent_id: agent.id, status: 'active' },
      201,
    );
    await owner.request('POST', `/campaigns/${campaign.id}/enrollments`, { contact_ids: [contact.id] });
    await owner.request('PATCH', `/contacts/${contact.id}`, { notes: 'Likes tea.' });
  });
  const path = () => `/contacts/${contact.id}`;
  const entriesOf = (page: Page) => page.getByRole('list', { name: 'Timeline' }).locator('> li');
  const show = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const textsOf = async (page: Page) => {
    await entriesOf(page).first().waitFor();
    return (await entriesOf(page).allTextContents()).map((text) => text.replaceAll(/\s+/g, ' '));
  };
  const addTag = async (page: Page, tag: string) => {
    await page.getByRole('button', { name: 'Edit tags' }).click();
    await page.getByLabel('Tags', { exact: true }).fill(`${tag},`);
    await page.getByRole('button', { name: 'Save' }).click();
  };
  const stored = () => getContact(fixture.service, contact.id);
  const enrollments = (): Promise<Json[]> => owner.request('GET', `/contacts/${contact.id}/enrollments`);

  it('The timeline has every kind of entry, filters them by the URL, and links each to its record', () =>
    fixture.visit(path(), async (page) => {
      await page.getByText('Not this person').waitFor();
      const texts = await textsOf(page);
      const expected = [
        /^Changed: Notes.*by owner@/,
        /^Enrolled in a campaign.*Spring · by owner@/,
        /^Outbound message.*Order desk ?v1 ?on Line/,
        /^Changed: (Company, Tags|Tags, Company).*by Import /,
        /^Created.*by owner@/,
        // It ended when it was reported, so it began before.
        /^Inbound call ?Completed ?1:05.*Order desk ?v1 ?on Line.*Not this person.*The number belongs/,
      ];
      assert.equal(texts.length, expected.length, texts.join('\n'));
      for (const [at, pattern] of expected.entries()) assert.match(texts[at] ?? '', pattern);
      await checkAxe(page);
      await takeScreenshots(page, 'contact-timeline');
      await show(page, 'Calls').click();
      await page.waitForURL('**?show=call');
      await entriesOf(page).nth(1).waitFor({ state: 'detached' });
      await show(page, 'Messages').click();
      await page.waitForURL('**?show=call%2Cmessage');
      await entriesOf(page).nth(1).waitFor();
      await page.reload();
      assert.equal((await textsOf(page)).length, 2);
      await show(page, 'Show all').click();
      await entriesOf(page).nth(5).waitFor();
      await show(page, 'Tags').click();
      await page.getByText('No activity of this kind yet.').waitFor();
      await show(page, 'Show all').click();
      await entriesOf(page).getByRole('link', { name: 'Inbound call' }).click();
      await page.getByRole('dialog').getByText('1:05').waitFor();
      await page.goBack();
      await entriesOf(page).getByRole('link', { name: imported.name }).click();
      await page.waitForURL(`**/import/${imported.id}`);
      await page.goBack();
      await entriesOf(page).getByRole('link', { name: 'v1' }).first().click();
      await page.waitForURL(/\/agents\/[^/]+\/versions\/v1/);
      await page.goBack();
      // The navigation has a link of this name on every page.
      await page.getByRole('main').getByRole('link', { name: 'Audit log', exact: true }).click();
      await page.waitForURL(`**/audit-log?record=${contact.id}`);
      await page.getByText('Contact updated').first().waitFor();
    }));

  it('A member sees who made a change, and no link to the audit log', async () => {
    const user = await signedInUser(fixture.service, 'member@example.com', 'member');
    await fixture.visit(
      path(),
      async (page) => {
        assert.match((await textsOf(page))[0] ?? '', /by owner@/);
        assert.equal(await page.getByRole('main').getByRole('link', { name: 'Audit log' }).count(), 0);
      },
      { user },
    );
  });

  it('A number is shown in groups and copied in E.164', () =>
    fixture.visit(path(), async (page) => {
      const heading = page.getByRole('heading', { level: 1 });
      await heading.locator('span span span').nth(3).waitFor();
      assert.deepEqual(await heading.locator('span span span').allTextContents(), [
        '+1',
        '415',
        '555',
        '0123',
      ]);
      const [whole, digits] = [
        await heading.locator('span span').first().boundingBox(),
        await heading.boundingBox(),
      ];
      assert.ok(whole && digits);
      const copied = await heading.evaluate((element) => {
        getSelection()?.selectAllChildren(element);
        return getSelection()?.toString();
      });
      assert.equal(copied, NUMBER);
      await page.goto(new URL('/contacts', page.url()).href);
      const cell = page.getByRole('cell').filter({ hasText: NUMBER }).last();
      await cell.locator('span span').nth(3).waitFor();
      assert.equal(await cell.innerText(), NUMBER);
    }));

  it('Tags and enrollments change immediately and can be undone', () =>
    fixture.visit(path(), async (page) => {
      const undo = () => page.getByRole('button', { name: 'Undo' }).last().click();
      await keepToasts(page);
      await addTag(page, 'poet');
      await page.getByText('Tags changed.').waitFor();
      assert.ok((await stored()).tags.includes('poet'));
      await entriesOf(page).getByText('Tagged poet').waitFor();
      await undo();
      await entriesOf(page).getByText('Removed the tag poet').waitFor();
      assert.ok(!(await stored()).tags.includes('poet'));

      // Each of several changes can be undone, in any order, without the others.
      for (const tag of ['first', 'second']) {
        await addTag(page, tag);
        await entriesOf(page).getByText(`Tagged ${tag}`).waitFor();
      }
      const undoButtons = page.getByRole('button', { name: 'Undo' });
      await undoButtons.first().click();
      await entriesOf(page).getByText('Removed the tag first').waitFor();
      assert.ok((await stored()).tags.includes('second') && !(await stored()).tags.includes('first'));
      await owner.request('PATCH', `/contacts/${contact.id}`, {
        tags: (await stored()).tags.filter((tag: string) => tag !== 'second'),
      });
      await undoButtons.last().click();
      await page.getByText('There is nothing to undo: the tags were changed again.').waitFor();

      await page.getByLabel('Status in Spring').selectOption('Completed');
      await page.getByText('Spring marked as completed.').waitFor();
      await entriesOf(page).getByText('Marked as completed').waitFor();
      await undo();
      await entriesOf(page).getByText('Marked as pending').waitFor();
      assert.equal((await enrollments())[0]?.status, 'pending');

      await page.getByLabel('Status in Spring').selectOption('Failed');
      await page.getByText('Spring marked as failed.').waitFor();
      await page.getByRole('button', { name: 'Remove from Spring' }).click();
      await page.getByRole('button', { name: 'Remove enrollment' }).click();
      await page.getByText('Not enrolled in any campaign.').waitFor();
      await checkAxe(page);
      await undo();
      await page.getByLabel('Status in Spring').waitFor();
      await page.waitForFunction(() => document.querySelector('select')?.value === 'failed');
      assert.equal((await enrollments())[0]?.status, 'failed');

      await owner.request('DELETE', `/campaigns/${campaign.id}/enrollments/${contact.id}`);
      await page.reload();
      await keepToasts(page);
      await page.getByRole('button', { name: 'Enroll' }).click();
      await page.getByRole('combobox', { name: 'Campaign' }).selectOption({ label: 'Spring (active)' });
      await page.getByRole('dialog').getByRole('button', { name: 'Enroll' }).click();
      await page.getByText('Enrolled in Spring.').waitFor();
      await undo();
      await page.getByText('Not enrolled in any campaign.').waitFor();
      assert.deepEqual(await enrollments(), []);
    }));

  it('The enrolled list of a campaign offers to undo a status and a removal', async () => {
    await owner.request('POST', `/campaigns/${campaign.id}/enrollments`, { contact_ids: [contact.id] });
    await fixture.visit(`/campaigns/${campaign.id}`, async (page) => {
      await keepToasts(page);
      // Until it is shown, it moves the list.
      await page.getByRole('heading', { name: 'Connect a dialer' }).waitFor();
      const status = page.getByRole('button', { name: `Status of ${NUMBER}: Pending` });
      await status.click();
      await page.getByRole('menuitem', { name: 'Completed' }).click();
      await page.getByText(`${NUMBER} marked as completed.`).waitFor();
      await page.getByRole('button', { name: 'Undo' }).last().click();
      await status.waitFor();
      await page.getByRole('button', { name: `Remove ${NUMBER}` }).click();
      await page.getByRole('button', { name: 'Remove enrollment' }).click();
      await page.getByText(`${NUMBER} removed from the campaign.`).waitFor();
      await status.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Undo' }).last().click();
      await status.waitFor();
      assert.equal((await enrollments())[0]?.status, 'pending');
    });
  });

  it('A rejected or failed change is shown as it was, and the text stays in its field', () =>
    fixture.visit(
      path(),
      async (page) => {
        // A change is sent when its value was seen, so that it is seen before the answer.
        let seen = Promise.resolve();
        await page.route('**/v1/contacts/*', async (route) => {
          if (route.request().method() === 'PATCH') await seen;
          await route.continue();
        });
        const change = async (field: string, value: string) => {
          const { promise, resolve } = Promise.withResolvers<void>();
          seen = promise;
          await page.getByRole('button', { name: `Edit ${field}` }).click();
          await page.getByLabel(field).fill(value);
          await page.keyboard.press('Enter');
          await page.getByRole('button', { name: `${value} Edit ${field}` }).waitFor();
          resolve();
        };
        await change('Company', 'Analytical');
        await valueSaved(page, 'Analytical Edit Company');
        await change('Email', 'no address');
        await page.getByText('Must be an email address').waitFor();
        assert.equal(await page.getByLabel('Email').inputValue(), 'no address');
        await page.getByRole('button', { name: 'Cancel' }).click();
        await page.getByRole('button', { name: 'Discard' }).click();
        await page.getByRole('button', { name: 'Not set Edit Email' }).waitFor();

        await page.unroute('**/v1/contacts/*');
        await owner.request('POST', `/campaigns/${campaign.id}/enrollments`, { contact_ids: [contact.id] });
        await page.context().setOffline(true);
        await page.getByLabel('Status in Spring').selectOption('Completed');
        await page.getByText("Can't reach Roster.").first().waitFor();
        assert.equal(await page.getByLabel('Status in Spring').inputValue(), 'pending');
        await addTag(page, 'lost');
        await page.getByRole('button', { name: 'Remove lost' }).waitFor();
        await page.context().setOffline(false);
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Tags changed.').waitFor();
        assert.ok((await stored()).tags.includes('lost'));
      },
      { expected: /ERR_INTERNET_DISCONNECTED|400 \(Bad Request\)/ },
    ));

  it('The pages of campaigns, agents, channels and imports link to their changes in the audit log', () =>
    fixture.visit('/', async (page) => {
      const [agent] = (await owner.call('GET', '/agents')).body.data;
      const [channel] = (await owner.call('GET', '/channels')).body.data;
      for (const [record, at] of [
        [campaign.id, `/campaigns/${campaign.id}`],
        [agent.id, `/agents/${agent.id}`],
        [imported.id, `/import/${imported.id}`],
        [channel.id, `/channels?channel=${channel.id}`],
      ]) {
        await page.goto(new URL(at, page.url()).href);
        await page.getByRole('link', { name: 'Show in the audit log' }).click();
        await page.waitForURL(`**/audit-log?record=${record}`);
        await page.getByRole('cell').first().waitFor();
      }
    }));
});
