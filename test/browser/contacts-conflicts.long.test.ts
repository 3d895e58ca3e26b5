import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type BrowserFixture, checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { getContact } from '../kit/fixtures/contacts.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { makeLegacyContact } from '../kit/fixtures/legacy-contacts.ts';

const conflicting = (fixture: BrowserFixture, first_name: string) =>
  makeLegacyContact(fixture.service, 'conflicting', { first_name });

inBrowser('Conflicting legacy numbers', (fixture) => {
  it('Conflicting numbers are announced, listed, and resolved with the proposed number', async () => {
    await makeContact(fixture.service, { first_name: 'Plain' });
    const { contact, identity } = await conflicting(fixture, 'Ada');
    await fixture.visit('/contacts', async (page) => {
      await page.getByText('1 legacy contact has conflicting phone numbers.').waitFor();
      await checkAxe(page);
      await page.getByRole('link', { name: 'Review' }).click();
      await page.waitForURL('**/contacts?view=conflicts');
      await page.getByText('1–1 of 1').waitFor();
      await page.getByRole('cell', { name: identity ?? '' }).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'contacts-conflicts');
      await page.getByRole('link', { name: 'Ada' }).click();
      await page.getByText('Conflicting phone numbers').waitFor();
      await page.getByText('It would be saved as').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'contact-conflict');
      await page.getByRole('button', { name: 'Use this number' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(`${contact.phone_number} is no longer shown`).waitFor();
      await checkAxe(page);
      await dialog.getByRole('button', { name: 'Use this number' }).click();
      await page.getByText('Phone number updated.').waitFor();
      await page.getByText('Conflicting phone numbers').waitFor({ state: 'detached' });
      await page.getByText(identity ?? '', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Contacts' }).first().click();
      await page.getByText('1–2 of 2').waitFor();
      assert.equal(await page.getByText('legacy contact').count(), 0);
    });
    assert.equal((await getContact(fixture.service, contact.id)).phone_number, identity);
  });

  it('Conflicting numbers can be resolved with the displayed number or with another one', async () => {
    const one = await conflicting(fixture, 'Grace');
    const other = await conflicting(fixture, 'Katherine');
    const phone = newPhone();
    await fixture.visit(`/contacts/${one.contact.id}`, async (page) => {
      await page.getByRole('radio', { name: 'Displayed' }).click();
      await page.getByRole('button', { name: 'Use this number' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(`Calls and messages from ${one.identity} are no longer linked`).waitFor();
      await dialog.getByRole('button', { name: 'Use this number' }).click();
      await page.getByText('Phone number updated.').waitFor();
    });
    await fixture.visit(`/contacts/${other.contact.id}`, async (page) => {
      await page.getByRole('radio', { name: 'Another number' }).click();
      await page.getByLabel('New phone number').fill(one.displayed);
      await page.getByRole('button', { name: 'Use this number' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Use this number' }).click();
      await dialog.getByText('Another contact already has this phone number. Nothing was changed.').waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.getByLabel('New phone number').fill(phone);
      await page.getByRole('button', { name: 'Use this number' }).click();
      await dialog.getByRole('button', { name: 'Use this number' }).click();
      await page.getByText('Phone number updated.').waitFor();
    });
    assert.equal((await getContact(fixture.service, one.contact.id)).phone_number, one.displayed);
    assert.equal((await getContact(fixture.service, other.contact.id)).phone_number, phone);
  });
});
