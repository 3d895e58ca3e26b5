import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { waitForRows } from '../kit/browser/lists.ts';
import { keepToasts } from '../kit/browser/waits.ts';
import { checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeChannelWithAgent } from '../kit/fixtures/agents.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { type MergeApi, mergeApi } from '../kit/fixtures/merges.ts';
import type { Json } from '../kit/service/test-service.ts';
import { deliverEvent, newCallEvent } from '../kit/webhooks/providers.ts';

inBrowser('Duplicates', (fixture) => {
  let api: MergeApi;
  const make = (fields: Record<string, unknown>): Promise<Json> => makeContact(fixture.service, fields);
  const get = async (id: string): Promise<Json> => (await api.call('GET', `/contacts/${id}`)).body;
  /** The groups once all contacts are compared, newest first. */
  const groups = async (): Promise<Json[]> => {
    for (;;) {
      const { data } = (await api.call('GET', '/duplicates')).body;
      if (data.status === 'current') return data.duplicates;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const openGroup = async (page: Page, name: string): Promise<void> => {
    await page.getByRole('radiogroup', { name: 'Contact that stays' }).getByText(name).first().waitFor();
    await page
      .getByRole('button', { name: /^Merge 2 contacts/ })
      .and(page.locator(':enabled'))
      .waitFor();
  };
  let first: Json;
  let second: Json;

  before(async () => {
    api = await mergeApi(fixture.service);
    first = await make({
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada@example.com',
      company: 'Acme',
    });
    second = await make({
      first_name: 'Ada',
      last_name: 'King',
      email: 'ADA@example.com',
      tags: ['vip'],
      notes: 'Prefers mornings.',
    });
    await make({ first_name: 'Grace', last_name: 'Hopper', company: 'Navy' });
    await make({ first_name: 'Grace', last_name: 'Hopper', company: 'Navy' });
    await make({ display_name: 'Linus', email: 'linus@example.com' });
    await make({ display_name: 'L. T.', email: 'linus@example.com' });
  });

  it('The inbox lists groups with reasons, and is worked through by keyboard: choose, merge, undo, dismiss, undo', async () => {
    const listed = await groups();
    assert.equal(listed.length, 3);
    await fixture.visit('/', async (page) => {
      await keepToasts(page);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('d');
      await waitForRows(
        page,
        listed.map(({ id }) => id),
      );
      await page.getByRole('cell', { name: 'Same name and company' }).waitFor();
      assert.equal(await page.getByText('Very likely').count(), 2);
      await checkAxe(page);
      await takeScreenshots(page, 'duplicates');
      const at = listed.findIndex(({ contacts }) => contacts.some(({ id }: Json) => id === first.id));
      for (let step = 0; step <= at; step++) await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await openGroup(page, 'Ada King');
      await page.getByText(`${at + 1} of 3`).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'duplicate-group');

      // The oldest contact stays at first; the second one is chosen, but with the last name of the first.
      await page.keyboard.press('2');
      await page
        .getByRole('radiogroup', { name: 'Contact that stays' })
        .getByRole('radio', { name: 'Ada King', checked: true })
        .waitFor();
      const lastName = page.getByRole('radiogroup', { name: 'Last name that stays' });
      await lastName.getByRole('radio', { name: 'King', checked: true }).waitFor();
      await lastName.getByRole('radio', { name: 'Lovelace' }).first().focus();
      await page.keyboard.press(' ');
      await page.getByText('1 number or other identity').waitFor();
      await openGroup(page, 'Ada King');
      await page.keyboard.press('m');
      await page.getByText('1 contact merged into Ada King.').waitFor();
      assert.equal((await get(first.id)).error.details.merged_into, second.id);
      const merged = (await get(second.id)).data;
      assert.deepEqual(
        [merged.first_name, merged.last_name, merged.email, merged.company, merged.tags],
        ['Ada', 'Lovelace', 'ADA@example.com', 'Acme', ['vip']],
      );

      // The next group is open; z undoes the merge.
      await page.getByText(/of 2$/).waitFor();
      await page.keyboard.press('z');
      await page.getByText('Merge undone.').waitFor();
      assert.equal((await get(first.id)).data.last_name, 'Lovelace');
      assert.equal((await get(second.id)).data.last_name, 'King');

      const open = new URL(page.url()).searchParams.get('group') ?? '';
      await page
        .getByRole('button', { name: /^Merge 2 contacts/ })
        .and(page.locator(':enabled'))
        .waitFor();
      await page.keyboard.press('x');
      await page.getByText('Marked as different people.').waitFor();
      await page.waitForURL((url) => url.searchParams.get('group') !== open);
      assert.equal((await api.call('GET', `/duplicates/${open}`)).body.data.dismissed, true);
      await page.keyboard.press('Control+z');
      for (;;) {
        const { data } = (await api.call('GET', `/duplicates/${open}`)).body;
        if (!data.dismissed) break;
      }
    });
  });

  it('A contact that was changed since the plan is not merged; the new plan is shown', async () => {
    const group = (await groups()).find(({ contacts }) => contacts.some(({ id }: Json) => id === first.id));
    await fixture.visit(`/duplicates?group=${group?.id}`, async (page) => {
      await openGroup(page, 'Ada King');
      await api.call('PATCH', `/contacts/${second.id}`, { notes: 'Prefers evenings.' });
      await page.getByRole('button', { name: /^Merge 2 contacts/ }).click();
      await page.getByText('Something was changed since this plan').waitFor();
      await page.getByText('Prefers evenings.').waitFor();
      assert.equal((await get(first.id)).data.id, first.id);
    });
  });

  it('Clear cases are merged together after a plan, and each can be undone; others are left', async () => {
    const one = await make({ display_name: 'Mary Jackson', email: 'mary@example.com' });
    const other = await make({ display_name: 'Mary Jackson', company: 'NASA', email: 'MARY@example.com' });
    await groups();
    await fixture.visit('/duplicates', async (page) => {
      await page.getByRole('button', { name: 'Merge clear cases…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('1 group is very likely one person').waitFor();
      await dialog.getByText('2 other groups are left for you.').waitFor();
      await dialog.getByText('Mary Jackson + Mary Jackson').waitFor();
      await checkAxe(page);
      await dialog.getByRole('button', { name: 'Merge 1 clear case' }).click();
      await dialog.getByText('1 group merged', { exact: true }).waitFor();
      assert.equal((await get(other.id)).error.details.merged_into, one.id);
      assert.equal((await get(one.id)).data.company, 'NASA');
      await checkAxe(page);
      await takeScreenshots(page, 'duplicates-merged');
      await dialog.getByRole('button', { name: 'Undo' }).click();
      await dialog.getByText('Undone').waitFor();
      await page.getByText('Merge undone.').waitFor();
      assert.equal((await get(other.id)).data.company, 'NASA');
      assert.equal((await get(one.id)).data.company, null);
    });
  });

  it('The page of a contact shows its identities, adds, promotes and removes them, and merges with the holder of one', async () => {
    const contact = await make({ first_name: 'Katherine' });
    const holder = await make({ first_name: 'Kathy' });
    const identities = async () =>
      (await api.call('GET', `/contacts/${contact.id}/identities`)).body.data.map((each: Json) => [
        each.kind,
        each.value,
        each.is_primary,
        each.valid_until === null,
      ]);
    await fixture.visit(`/contacts/${contact.id}`, async (page) => {
      const card = page.locator('section', { has: page.getByRole('heading', { name: 'Identities' }) });
      await card.getByText('Primary', { exact: true }).waitFor();
      const add = async (value: string) => {
        await card.getByRole('button', { name: 'Add' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel(/^Phone number/).fill(value);
        await dialog.getByRole('button', { name: 'Add', exact: true }).click();
        return dialog;
      };
      await add('+12015550199');
      await card.locator('a[href="tel:+12015550199"]').waitFor();
      await card.getByRole('button', { name: 'Actions for +12015550199' }).click();
      await page.getByRole('menuitem', { name: 'Make primary' }).click();
      await page.getByText('Primary number changed.').waitFor();
      await card.getByRole('button', { name: `Actions for ${contact.phone_number}` }).click();
      await page.getByRole('menuitem', { name: 'Remove' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await card.getByText('Former ones (1)').click();
      await card.getByText(/until/).waitFor();
      assert.deepEqual(await identities(), [
        ['phone', '+12015550199', true, true],
        ['phone', contact.phone_number, false, false],
      ]);
      await checkAxe(page);
      await takeScreenshots(page, 'contact-identities');
      const dialog = await add(holder.phone_number);
      await dialog.getByText('Another contact has this identity.').waitFor();
      await checkAxe(page);
      await dialog.getByRole('button', { name: 'Merge with it…' }).click();
      await page.getByRole('dialog').getByRole('radio', { name: 'Kathy' }).first().waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'merge-dialog');
      await page.getByRole('dialog').getByRole('button', { name: 'Merge 2 contacts' }).click();
      await page.getByText('1 contact merged into Katherine.').waitFor();
      await card.locator(`a[href="tel:${holder.phone_number}"]`).waitFor();
      await page.getByRole('heading', { name: 'Merged contacts' }).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'contact-merged');
    });
    await fixture.visit(`/contacts/${holder.id}`, async (page) => {
      await page.getByRole('heading', { name: 'Merged into Katherine' }).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'merged-contact');
      await page.getByRole('main').getByRole('link', { name: 'Katherine' }).click();
      await page.waitForURL(`**/contacts/${contact.id}`);
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await page.getByText('Merge undone.').waitFor();
      await page.getByRole('heading', { name: 'Merged contacts' }).waitFor({ state: 'detached' });
      assert.equal((await get(holder.id)).data.first_name, 'Kathy');
    });
  });

  it('Selected contacts are merged from the list', async () => {
    const one = await make({ first_name: 'Selected', last_name: 'One' });
    const two = await make({ first_name: 'Selected', last_name: 'Two' });
    await fixture.visit('/contacts?search=Selected', async (page) => {
      await waitForRows(page, [two.id, one.id]);
      for (const name of ['One', 'Two']) await page.getByLabel(`Select Selected ${name}`).check();
      await page.getByRole('button', { name: 'Merge', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Merge 2 contacts' }).click();
      await waitForRows(page, [one.id]);
      assert.equal((await get(two.id)).error.details.merged_into, one.id);
    });
  });

  it('A person without a contact is attached to one', async () => {
    const contact = await make({ first_name: 'Dorothy' });
    const user = { kind: 'whatsapp_user', value: 'US.13491208655302741918' };
    const owner = await checkedUser(fixture.service, fixture.owner);
    const { channel } = await makeChannelWithAgent(fixture.service, owner, 'Hi.');
    const { number: _, ...event } = newCallEvent({ type: 'message', user });
    assert.equal((await deliverEvent(fixture.service, channel as never, event)).status, 200);
    await fixture.visit('/contacts', async (page) => {
      await page.getByText('1 person without a phone number has no contact yet.').waitFor();
      await page.getByRole('link', { name: 'Review' }).click();
      await page.getByText('US.13491208655302741918').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'people-without-contact');
      await page.getByRole('button', { name: 'Attach to contact…' }).click();
      await page.getByRole('combobox').fill('Dorothy');
      await page.getByRole('option', { name: /Dorothy/ }).click();
      await page.getByText('Everyone has a contact').waitFor();
      const { data } = (await api.call('GET', `/contacts/${contact.id}/identities`)).body;
      assert.deepEqual(data[1].value, user.value);
    });
  });
});
