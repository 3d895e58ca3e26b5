import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { valueSaved } from '../kit/browser/waits.ts';
import { checkedUser } from '../kit/dashboard/checked-client.ts';
import { makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { getContact } from '../kit/fixtures/contacts.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { makeLegacyContact } from '../kit/fixtures/legacy-contacts.ts';
import type { Json } from '../kit/service/test-service.ts';

inBrowser('Concurrent edits of a contact', (fixture) => {
  const change = (id: string, fields: Json) => fixture.owner.call('PATCH', `/contacts/${id}`, fields);

  it('A concurrent edit of a contact shows both versions and overwrites nothing without confirmation', async () => {
    const { id } = await makeContact(fixture.service, { first_name: 'Ada', company: 'First' });
    await fixture.visit(`/contacts/${id}`, async (page) => {
      const edit = async (text: string) => {
        await page.getByRole('button', { name: 'Edit Company' }).click();
        await page.getByLabel('Company').fill(text);
      };
      const dialog = page.getByRole('dialog');
      await edit('Mine');
      await change(id, { company: 'Theirs', notes: 'Also theirs' });
      await page.keyboard.press('Enter');
      await dialog.getByText('Someone else changed this contact').waitFor();
      assert.match((await dialog.getByLabel('Company').textContent()) ?? '', /TheirsTheirs.*YoursMine/);
      assert.match((await dialog.getByLabel('Notes').textContent()) ?? '', /Also theirs/);
      assert.equal((await getContact(fixture.service, id)).company, 'Theirs');
      await checkAxe(page);
      await takeScreenshots(page, 'contact-both');
      await dialog.getByRole('button', { name: 'Keep editing' }).click();
      assert.equal(await page.getByLabel('Company').inputValue(), 'Mine');
      await page.getByRole('button', { name: 'Save' }).click();
      await dialog.getByRole('button', { name: 'Save mine' }).click();
      await valueSaved(page, 'Mine Edit Company');
      const { company, notes } = await getContact(fixture.service, id);
      assert.deepEqual({ company, notes }, { company: 'Mine', notes: 'Also theirs' });

      await edit('Mine again');
      await change(id, { company: 'Theirs again' });
      await page.keyboard.press('Enter');
      await dialog.getByRole('button', { name: 'Use theirs' }).click();
      await page.getByRole('button', { name: 'Theirs again Edit Company' }).waitFor();
      assert.equal((await getContact(fixture.service, id)).company, 'Theirs again');
    });
  });

  it('A contact is saved without a conflict when only a call was recorded', async () => {
    const owner = await checkedUser(fixture.service, fixture.owner);
    const line = await makePhoneChannel(owner);
    const { id, phone_number } = await makeContact(fixture.service, { first_name: 'Ada' });
    await fixture.visit(`/contacts/${id}`, async (page) => {
      await page.getByRole('button', { name: 'Edit Company' }).click();
      await page.getByLabel('Company').fill('Engines');
      await recordCall(fixture.service, line, phone_number);
      await page.keyboard.press('Enter');
      await valueSaved(page, 'Engines Edit Company');
      assert.equal(await page.getByRole('dialog').count(), 0);
    });
    assert.equal((await getContact(fixture.service, id)).company, 'Engines');
  });

  it('A contact that changed after it was opened is not deleted without a second confirmation', async () => {
    const { id } = await makeContact(fixture.service, { first_name: 'Ada', company: 'Before' });
    await fixture.visit(`/contacts/${id}?open=delete`, async (page) => {
      const dialog = page.getByRole('dialog');
      await dialog.getByText('You can undo it for ten seconds').waitFor();
      await change(id, { company: 'After' });
      await dialog.getByRole('button', { name: 'Delete contact' }).click();
      await dialog.getByText('Nothing was deleted.').waitFor();
      assert.match((await dialog.getByLabel('Company').textContent()) ?? '', /Before.*After/);
      await checkAxe(page);
      await dialog.getByRole('button', { name: 'Delete contact' }).click();
      await page.getByText('Ada deleted.').waitFor();
      await page.getByRole('button', { name: 'Dismiss' }).click();
      while ((await fixture.service.get(`/v1/contacts/${id}`)).status !== 404) await page.waitForTimeout(50);
    });
  });

  it('A number that replaces two conflicting ones requires confirmation', async () => {
    const { contact, displayed } = await makeLegacyContact(fixture.service, 'conflicting', {
      first_name: 'Grace',
    });
    await fixture.visit(`/contacts/${contact.id}?open=phone`, async (page) => {
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('New phone number').fill(displayed);
      await dialog.getByRole('button', { name: 'Change number' }).click();
      await dialog.getByText('The new number replaces both.').waitFor();
      await dialog.getByRole('button', { name: 'Replace both numbers' }).click();
      await page.getByText('Phone number changed.').waitFor();
    });
    assert.equal((await getContact(fixture.service, contact.id)).phone_number, displayed);
  });
});
