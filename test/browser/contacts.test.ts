import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { type BrowserFixture, checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { sendReadsAlone } from '../kit/browser/reads.ts';
import { dialogHasFocus } from '../kit/browser/waits.ts';

const CONTACTS = [
  { first_name: 'Ada', last_name: 'Lovelace', company: 'Analytical Engines', tags: ['vip', 'london'] },
  { first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com', tags: ['navy'] },
  { display_name: 'Dr. Katherine Johnson', tags: ['vip', 'nasa', 'maths', 'orbit'] },
];

const fill = async (fixture: BrowserFixture) => {
  const number = (index: number) => `+1212555${String(100 + index).padStart(4, '0')}`;
  for (const [index, contact] of CONTACTS.entries())
    await fixture.service.post('/v1/contacts', { phone_number: number(index), ...contact });
  for (let index = CONTACTS.length; index < 60; index++)
    await fixture.service.post('/v1/contacts', {
      phone_number: number(index),
      first_name: `Person ${index}`,
    });
};

inBrowser('Empty contact list', (fixture) => {
  it('The empty contact list shows how to add contacts, and a contact can be added manually', () =>
    fixture.visit('/contacts', async (page) => {
      await page.getByText('No contacts yet').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'contacts-empty');
      await page.getByRole('button', { name: 'Add contact' }).first().click();
      const dialog = page.getByRole('dialog');
      await page.getByText('Include the country code').waitFor();
      await dialog.getByLabel('Phone number').pressSequentially('+12125550188');
      await page.getByText('United States: +1 212 555 0188').waitFor();
      assert.equal(await dialog.getByLabel('Phone number').inputValue(), '+1 212 555 0188');
      await dialog.getByLabel('First name').fill('Ada');
      await dialog.getByLabel('Tags').fill('vip');
      await dialog.getByLabel('Tags').press('Enter');
      await dialog.getByLabel('Email').fill('no address');
      await dialog.getByRole('button', { name: 'Add contact' }).click();
      await dialog.getByText('Must be an email address').waitFor();
      assert.equal(await dialog.getByLabel('First name').inputValue(), 'Ada');
      await checkAxe(page);
      await takeScreenshots(page, 'contacts-add');
      await dialog.getByLabel('Email').fill('ada@example.com');
      await dialog.getByRole('button', { name: 'Add contact' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('Ada added.').waitFor();
      await page.getByRole('link', { name: 'Ada' }).waitFor();
      const { body } = await fixture.service.get('/v1/contacts');
      assert.equal(body.data[0].phone_number, '+12125550188');
      assert.equal(body.data[0].source, 'manual');
      assert.deepEqual(body.data[0].tags, ['vip']);
    }));

  it('A phone field formats early input after loading, and national numbers by the default country', async () => {
    await fixture.owner.call('PATCH', '/settings', { default_country: 'GB' });
    await fixture.visit('/', async (page) => {
      await page.route('**/assets/min-*.js', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        await route.continue();
      });
      await page.getByRole('link', { name: 'Contacts' }).first().click();
      await page.getByRole('button', { name: 'Add contact' }).first().click();
      await dialogHasFocus(page);
      const field = page.getByLabel('Phone number');
      await field.pressSequentially('02079460123');
      await page.getByText('United Kingdom: +44 20 7946 0123').waitFor();
      assert.equal(await field.inputValue(), '020 7946 0123');
      await field.fill('');
      await field.pressSequentially('+1212555019');
      await field.blur();
      await page.getByText('This number looks too short.').waitFor();
      assert.equal(await field.inputValue(), '+1 212 555 019');
    });
    await fixture.owner.call('PATCH', '/settings', { default_country: null });
  });

  it('Adding a number that is already in use links to its contact', () =>
    fixture.visit('/contacts?add=true', async (page) => {
      await page.getByLabel('Phone number').fill('+12125550188');
      await page.getByRole('button', { name: 'Add contact' }).last().click();
      await page.getByText('A contact with this phone number already exists.').waitFor();
      await page.getByRole('link', { name: 'Open contact' }).click();
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.waitForURL('**/contacts/contact_*');
    }));
});

inBrowser('Contact list', (fixture) => {
  before(() => fill(fixture));

  it('The contact list is paginated and shows the total', () =>
    fixture.visit('/contacts', async (page) => {
      await page.getByText('1–50 of 60').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'contacts');
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('51–60 of 60').waitFor();
      await page.waitForURL('**/contacts?page=2');
      await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
      await page.goBack();
      await page.getByText('1–50 of 60').waitFor();
    }));

  it('The contact list searches as the user types, and the URL has the view', () =>
    fixture.visit('/contacts', async (page) => {
      await page.getByText('1–50 of 60').waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('lovelace');
      await page.getByText('1–1 of 1').waitFor();
      await page.waitForURL('**/contacts?search=lovelace');
      await page.getByLabel('Search contacts').fill('no such person');
      await page.getByText('No matching contacts').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'contacts-no-result');
      await page.getByRole('button', { name: 'Show all contacts' }).click();
      await page.getByText('1–50 of 60').waitFor();
      assert.equal(await page.getByLabel('Search contacts').inputValue(), '');
      await page.goto(`${fixture.service.url}/contacts?tag=vip`);
      await page.getByText('1–2 of 2').waitFor();
    }));

  it('A late response to an older search does not replace a newer one', () =>
    fixture.visit('/contacts', async (page) => {
      await page.getByText('1–50 of 60').waitFor();
      await sendReadsAlone(page);
      await page.route('**/dashboard/api/contacts?*search=hop&*', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        await route.continue().catch(() => {});
      });
      await page.getByLabel('Search contacts').fill('hop');
      await page.waitForURL('**/contacts?search=hop');
      await page.getByLabel('Search contacts').fill('katherine');
      await page.getByRole('link', { name: 'Dr. Katherine Johnson' }).waitFor();
      await page.waitForTimeout(1_800);
      assert.equal(await page.getByRole('link', { name: 'Grace Hopper' }).count(), 0);
      assert.equal(await page.getByRole('link', { name: 'Dr. Katherine Johnson' }).count(), 1);
    }));

  it('Rows can be selected across pages', () =>
    fixture.visit('/contacts', async (page) => {
      await page.getByLabel('Select Person 59').click();
      await page.getByText('1 selected').waitFor();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByLabel('Select Ada Lovelace').click();
      await page.getByText('2 selected').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'contacts-selected');
      await page.getByRole('button', { name: 'Clear selection' }).click();
      await page.getByText('2 selected').waitFor({ state: 'detached' });
    }));

  it('An undo removes a tag only from the contacts that got it from the job', () =>
    fixture.visit('/contacts?size=25', async (page) => {
      const addTag = async (names: readonly string[]) => {
        for (const name of names) await page.getByLabel(`Select ${name}`, { exact: true }).click();
        await page.getByRole('button', { name: 'Tag', exact: true }).click();
        await page.getByLabel('Tags to add').fill('letter,');
        await page.getByRole('button', { name: 'Update tags' }).click();
      };
      const total = async () =>
        (await fixture.service.get('/v1/contacts?tag=letter')).body.pagination.total as number;
      await addTag(['Person 58', 'Person 57']);
      await page.getByText('Tags updated for 2 contacts.').waitFor();
      assert.equal(await total(), 2);
      await page.getByRole('button', { name: 'Undo' }).click();
      while ((await total()) > 0) await page.waitForTimeout(50);
      await addTag(['Person 58']);
      await page.getByText('Tags updated for 1 contact.').waitFor();
      await page.reload();
      await addTag(['Person 58', 'Person 56']);
      await page.getByText('Tags updated for 1 contact.').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('1 contact restored.').waitFor();
      assert.equal(await total(), 1, 'one had the tag before');
    }));

  it('The contact list reports a lost connection and recovers automatically', () =>
    fixture.visit(
      '/contacts',
      async (page) => {
        await page.getByText('1–50 of 60').waitFor();
        await page.context().setOffline(true);
        await page.getByLabel('Search contacts').fill('lovelace');
        await page.getByText('Connection lost.').waitFor();
        // Another request may have been the first to fail. The rows of the former search are pale until the new one has.
        await page.getByRole('heading', { name: 'No connection' }).waitFor();
        await checkAxe(page);
        await takeScreenshots(page, 'connection-lost');
        await page.context().setOffline(false);
        await page.getByText('Connection lost.').waitFor({ state: 'detached' });
        await page.getByText('1–1 of 1').waitFor();
      },
      { expected: /ERR_INTERNET_DISCONNECTED/ },
    ));

  it('The contact list offers a retry when it could not be loaded', () =>
    fixture.visit('/', async (page) => {
      const broken = {
        success: false,
        error: { code: 'INTERNAL_ERROR', message: 'Something broke.', request_id: 'r1' },
      };
      await sendReadsAlone(page);
      await page.route('**/dashboard/api/contacts?*', (route) =>
        route.fulfill({ status: 500, json: broken }),
      );
      // The reads of a page share a request; without it, each is sent alone.
      await page.route('**/dashboard/api/reads', (route) => route.fulfill({ status: 404 }));
      await page.getByRole('navigation').first().getByRole('link', { name: 'Contacts' }).click();
      await page.getByText("Couldn't load this").waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'contacts-error');
      await page.unroute('**/dashboard/api/contacts?*');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('1–50 of 60').waitFor();
    }));
});
