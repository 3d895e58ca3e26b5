import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { chooseFrom } from '../kit/browser/lists.ts';
import { makeContact } from '../kit/fixtures/factories.ts';

const addDialog = async (page: Page) => {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Phone number').waitFor();
  return {
    dialog,
    phone: dialog.getByLabel('Phone number'),
    add: dialog.getByRole('button', { name: 'Add contact' }),
  };
};

inBrowser('Phone numbers', (fixture) => {
  const numbers = async (): Promise<string[]> => {
    const { body } = await fixture.service.get('/v1/contacts');
    return body.data.map(({ phone_number }: { phone_number: string }) => phone_number);
  };

  it('A number without a country code requires a country and is never guessed', () =>
    fixture.visit('/contacts?add=true', async (page) => {
      const { dialog, phone, add } = await addDialog(page);
      await phone.pressSequentially('(202) 555-0143');
      await dialog.getByLabel('Country of this number').waitFor();
      assert.equal(await phone.inputValue(), '(202) 555-0143');
      await add.click();
      await dialog.getByText('Which country is this number from?').waitFor();
      assert.deepEqual(await numbers(), [], 'nothing was guessed');
      await checkAxe(page);
      await takeScreenshots(page, 'phones-country');
      await chooseFrom(dialog.getByLabel('Country of this number'), 'United States');
      await dialog.getByText('United States: +1 202 555 0143').waitFor();
      await add.click();
      await page.getByText('+1 202 555 0143 added.').or(page.getByText('+12025550143 added.')).waitFor();
      assert.deepEqual(await numbers(), ['+12025550143']);
    }));

  it('A number that is too short is not saved, and its message causes no layout shift', () =>
    fixture.visit('/contacts?add=true', async (page) => {
      const { dialog, phone, add } = await addDialog(page);
      await phone.pressSequentially('+1 234 5678');
      await dialog
        .getByText('United States')
        .or(dialog.getByText('Include the country code'))
        .first()
        .waitFor();
      const before = await add.boundingBox();
      await dialog.getByLabel('First name').focus();
      await dialog.getByText('This number looks too short.').waitFor();
      assert.deepEqual(await add.boundingBox(), before, 'the button does not move');
      await add.click();
      await dialog.getByText('This number looks too short.').waitFor();
      assert.equal((await numbers()).length, 1, 'it was not saved');
    }));

  it('A number with a trunk prefix after the country code is sent without the prefix', () =>
    fixture.visit('/contacts?add=true', async (page) => {
      const { dialog, phone, add } = await addDialog(page);
      await phone.fill('+44 (0)20 7946 0018');
      await dialog.getByText('United Kingdom: +44 20 7946 0018').waitFor();
      await add.click();
      await dialog.waitFor({ state: 'detached' });
      assert.deepEqual((await numbers())[0], '+442079460018');
    }));

  it('A number that is already in use is reported in view next to its field', () =>
    fixture.visit(
      '/contacts?add=true',
      async (page) => {
        const { dialog, phone, add } = await addDialog(page);
        await phone.fill('+442079460018');
        await dialog.getByText('United Kingdom: +44 20 7946 0018').waitFor();
        await dialog.getByLabel('Notes').fill('A note');
        await add.click();
        const notice = dialog.getByText('A contact with this phone number already exists.');
        await notice.waitFor();
        const [field, shown, name] = await Promise.all(
          [phone, notice, dialog.getByLabel('First name')].map((each) => each.boundingBox()),
        );
        assert.ok(field && shown && name && field.y < shown.y && shown.y < name.y, 'under the phone number');
        const header = await dialog.getByRole('heading').boundingBox();
        assert.ok(header && field.y >= header.y + header.height, 'both in view');
        await takeScreenshots(page, 'phones-taken');
      },
      { width: 390, height: 700 },
    ));

  it('Numbers are read in the country that an owner sets on the first visit', () =>
    fixture.visit('/', async (page) => {
      const prompt = page.getByRole('region', { name: 'Which country are your contacts in?' });
      await prompt.getByRole('button', { name: 'Not now' }).click();
      await prompt.waitFor({ state: 'detached' });
      await page.evaluate(() => sessionStorage.clear());
      await page.reload();
      await prompt.waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'phones-first-run');
      assert.equal(
        await prompt.getByLabel('Default country').getAttribute('data-value'),
        '',
        'UTC is in no country',
      );
      await chooseFrom(prompt.getByLabel('Default country'), 'Germany');
      assert.equal(
        await prompt.getByLabel('Time zone').getAttribute('data-value'),
        'UTC',
        'proposed by the browser',
      );
      await chooseFrom(prompt.getByLabel('Time zone'), 'Europe/Berlin');
      await prompt.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Default country set to Germany.').waitFor();
      await prompt.waitFor({ state: 'detached' });
      await page.goto(`${fixture.service.url}/contacts?add=true`);
      const { dialog, phone } = await addDialog(page);
      await phone.pressSequentially('030 23125100');
      await dialog.getByText('Germany: +49 30 23125100').waitFor();
    }));

  it('Numbers and names are found in any order and format, and a company links to its contacts', async () => {
    for (const [last, fields] of [
      { first_name: 'Zoe', last_name: 'Liskov', company: 'Acme' },
      { first_name: 'Ann', last_name: 'O’Brien', company: 'Acme' },
      { first_name: 'Max', last_name: 'Mann' },
    ].entries())
      await fixture.service.post('/v1/contacts', { phone_number: `+4915123456${705 + last}`, ...fields });
    await fixture.visit('/contacts', async (page) => {
      const search = page.getByLabel('Search contacts');
      const only = async (name: string) => {
        await page.getByText('1 match', { exact: true }).waitFor();
        await page.getByRole('link', { name }).waitFor();
      };
      await search.fill('liskov zoe');
      await only('Zoe Liskov');
      await search.fill("o'brien");
      await only('Ann O’Brien');
      await search.fill('0151 23456707');
      await only('Max Mann');
      await page.getByRole('button', { name: 'Clear all' }).click();
      await page.getByRole('link', { name: 'Acme' }).first().click();
      await page.getByText('2 matches').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'phones-company');
      await page.getByRole('button', { name: 'Clear all' }).click();
      await page.getByText('5 contacts').waitFor();
    });
  });

  it('Numbers are grouped although the first request for the phone library failed', async () => {
    await makeContact(fixture.service, { phone_number: '+12025550177' });
    await fixture.visit(
      '/settings',
      async (page) => {
        let requests = 0;
        await page.route(/\/assets\/min-[^/]*\.js/, (route) =>
          requests++ === 0 ? route.abort() : route.continue(),
        );
        await page.getByRole('link', { name: 'Contacts', exact: true }).first().click();
        const number = page.locator('main').getByText('+12025550177').first();
        await number.waitFor();
        await page.waitForFunction(() =>
          [...document.querySelectorAll('main .figure')].some(
            ({ textContent, childElementCount }) => textContent === '+12025550177' && childElementCount === 4,
          ),
        );
        assert.equal(requests, 2);
      },
      { expected: /Failed to load resource: net::ERR_FAILED/ },
    );
  });
});
