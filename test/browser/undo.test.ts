import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAxe, inBrowser, OWNER } from '../kit/browser/browser.ts';
import { keepToasts } from '../kit/browser/waits.ts';
import { checkedUser } from '../kit/dashboard/checked-client.ts';
import { PASSWORD } from '../kit/dashboard/users.ts';
import { makeDeployedAgent, makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { makeContact } from '../kit/fixtures/factories.ts';

inBrowser('Undo', (fixture) => {
  const statusOf = async (id: string) => (await fixture.service.get(`/v1/contacts/${id}`)).status;
  const isGone = async (page: Page, id: string) => {
    while ((await statusOf(id)) !== 404) await page.waitForTimeout(50);
  };
  const make = async (first_name: string) =>
    (await makeContact(fixture.service, { first_name })).id as string;
  /** Deletes a contact on its page, which leads to the list without it. */
  const remove = async (page: Page, name: string) => {
    await page.getByRole('dialog').getByRole('button', { name: 'Delete contact' }).click();
    await page.waitForURL('**/contacts');
    await page.getByText(`${name} deleted.`).waitFor();
    await page.getByRole('link', { name, exact: true }).waitFor({ state: 'detached' });
  };

  it('A deleted contact comes back with Undo, and is deleted when ten seconds are over', async () => {
    const id = await make('Undoable');
    await fixture.visit(`/contacts/${id}?open=delete`, async (page) => {
      await remove(page, 'Undoable');
      await checkAxe(page);
      assert.equal(await statusOf(id), 200);
      await page.keyboard.press('z');
      await page.getByRole('link', { name: 'Undoable', exact: true }).click();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await remove(page, 'Undoable');
      await page.getByRole('link', { name: 'Agents', exact: true }).click();
      assert.equal(await statusOf(id), 200, 'a link within the dashboard keeps the offer');
      await isGone(page, id);
    });
  });

  it('Closing the tab deletes', async () => {
    const id = await make('Closed');
    await fixture.visit(`/contacts/${id}?open=delete`, async (page) => {
      const other = await page.context().newPage();
      await keepToasts(page);
      await remove(page, 'Closed');
      await page.close({ runBeforeUnload: true });
      await isGone(other, id);
    });
  });

  it('A call after the confirmation does not keep the contact, but a change of its profile does', async () => {
    const owner = await checkedUser(fixture.service, fixture.owner);
    const line = await makePhoneChannel(owner, await makeDeployedAgent(owner, 'Front desk'));
    const called = await makeContact(fixture.service, { first_name: 'Called' });
    const closed = await makeContact(fixture.service, { first_name: 'Called and closed' });
    const edited = await makeContact(fixture.service, { first_name: 'Edited' });
    const record = (phone: string) =>
      recordCall(fixture.service, line, phone, { status: 'completed', seconds: 10 });
    await fixture.visit(`/contacts/${called.id}?open=delete`, async (page) => {
      await remove(page, 'Called');
      await record(called.phone_number);
      await isGone(page, called.id);
    });
    await fixture.visit(`/contacts/${edited.id}?open=delete`, async (page) => {
      await remove(page, 'Edited');
      await fixture.service.patch(`/v1/contacts/${edited.id}`, { company: 'Acme' });
      await page.getByText("Someone else changed Edited in the meantime, so it wasn't deleted.").waitFor();
      assert.equal(await statusOf(edited.id), 200);
    });
    await fixture.visit(`/contacts/${closed.id}?open=delete`, async (page) => {
      const other = await page.context().newPage();
      await keepToasts(page);
      await remove(page, 'Called and closed');
      await record(closed.phone_number);
      await page.close({ runBeforeUnload: true });
      await isGone(other, closed.id);
    });
  });

  it('Signing out deletes first', async () => {
    const id = await make('Farewell');
    await fixture.visit(
      `/contacts/${id}?open=delete`,
      async (page) => {
        await page.getByLabel('Email').fill(OWNER);
        await page.getByLabel('Password').fill(PASSWORD);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('dialog').waitFor();
        await keepToasts(page);
        await remove(page, 'Farewell');
        await page.getByRole('button', { name: OWNER }).click();
        await page.getByRole('menuitem', { name: 'Sign out' }).click();
        await page.getByRole('heading', { name: 'Sign in to Roster' }).waitFor();
        assert.equal(await statusOf(id), 404);
      },
      { signedIn: false },
    );
  });

  it('A bulk delete names the contacts, hides them at once, and a link to another site deletes them', async () => {
    const ids = [await make('Bulk One'), await make('Bulk Two')];
    await fixture.visit(
      '/contacts',
      async (page) => {
        await keepToasts(page);
        const removeBoth = async () => {
          for (const name of ['Bulk One', 'Bulk Two'])
            await page.getByLabel(`Select ${name}`, { exact: true }).click();
          await page
            .getByRole('region', { name: 'Selection' })
            .getByRole('button', { name: 'Delete' })
            .click();
          const dialog = page.getByRole('dialog');
          await dialog.getByText('Bulk One, Bulk Two').waitFor();
          await dialog.getByRole('button', { name: 'Export them first' }).waitFor();
          await checkAxe(page);
          await dialog.getByRole('button', { name: 'Delete 2 contacts' }).click();
          await page.getByText('2 contacts deleted.').waitFor();
          await page.getByRole('link', { name: 'Bulk One' }).waitFor({ state: 'detached' });
        };
        await removeBoth();
        await page.getByRole('button', { name: 'Undo' }).click();
        await page.getByRole('link', { name: 'Bulk One' }).waitFor();
        await removeBoth();
        await page.goto('about:blank');
        for (const id of ids) await isGone(page, id);
      },
      { width: 390 },
    );
  });

  it('A job is undone from its message, from the list of jobs and from the audit log', async () => {
    const { id } = await makeContact(fixture.service, { first_name: 'Tagged', tags: ['a', 'b'] });
    const tagsOf = async () => (await fixture.service.get(`/v1/contacts/${id}`)).body.data.tags;
    await fixture.visit('/contacts', async (page) => {
      await keepToasts(page);
      const changeTags = async () => {
        await page.getByLabel('Select Tagged', { exact: true }).click();
        await page.getByRole('button', { name: 'Tag', exact: true }).click();
        await page.getByLabel('Tags to remove').fill('a,');
        await page.getByRole('button', { name: 'Update tags' }).click();
        await page.getByText('Tags updated for 1 contact.').waitFor();
        assert.deepEqual(await tagsOf(), ['b']);
      };
      const confirm = async () => {
        const dialog = page.getByRole('dialog', { name: 'Undo this job?' });
        await checkAxe(page);
        await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
        await dialog.waitFor({ state: 'detached' });
        // The list may already have the result of an earlier undo.
        while ((await tagsOf()).join() !== 'a,b') await page.waitForTimeout(50);
      };
      await changeTags();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('1 contact restored.').waitFor();
      assert.deepEqual(await tagsOf(), ['a', 'b']);

      await page.reload();
      await changeTags();
      await page.getByRole('button', { name: /^Jobs/ }).click();
      await page.getByRole('button', { name: 'Undo: Tag 1 contact' }).click();
      await confirm();

      await page.goto(`${fixture.service.url}/contacts`);
      await changeTags();
      await page.goto(`${fixture.service.url}/audit-log`);
      await page.getByRole('button', { name: 'Bulk job' }).first().click();
      await page.getByRole('button', { name: 'Undo: Tag 1 contact' }).click();
      await confirm();
    });
  });
});
