import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { addCondition, chooseValue, openBuilder } from '../kit/browser/lists.ts';
import { makeContact } from '../kit/fixtures/factories.ts';

inBrowser('Lists', (fixture) => {
  before(async () => {
    for (let count = 0; count < 120; count++) {
      await makeContact(fixture.service, {
        first_name: `Person ${String(count).padStart(3, '0')}`,
        tags: count % 10 === 0 ? ['tenth'] : ['other'],
        company: count % 2 === 0 ? 'Acme' : 'Beta',
      });
    }
  });

  it('A list has page numbers, and the page size is in the address and remembered', () =>
    fixture.visit('/contacts', async (page) => {
      await page.getByText('1–50 of 120').waitFor();
      await page.getByRole('button', { name: 'Page 3' }).click();
      await page.waitForURL('**/contacts?page=3');
      await page.getByText('101–120 of 120').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Page 3' }).getAttribute('aria-current'), 'page');
      await page.getByRole('button', { name: 'First page' }).click();
      await page.getByText('1–50 of 120').waitFor();
      await page.getByRole('button', { name: 'Last page' }).click();
      await page.getByText('101–120 of 120').waitFor();
      await page.getByLabel('Rows per page').selectOption('25');
      await page.waitForURL('**/contacts?*size=25*');
      await page.getByText('101–120 of 120').waitFor();
      await page.goto(`${fixture.service.url}/contacts`);
      await page.getByText('1–25 of 120').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'list-pages');
      await page.getByLabel('Rows per page').selectOption('100');
      await page.getByText('1–100 of 120').waitFor();
    }));

  it('Columns are chosen and reset', () =>
    fixture.visit('/contacts', async (page) => {
      const header = page.getByRole('columnheader', { name: 'Source' });
      await header.waitFor();
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('checkbox', { name: 'Source' }).click();
      await header.waitFor({ state: 'detached' });
      await checkAxe(page);
      await takeScreenshots(page, 'list-columns');
      await page.keyboard.press('Escape');
      await page.goto(`${fixture.service.url}/contacts`);
      await page.getByRole('columnheader', { name: 'Phone' }).waitFor();
      assert.equal(await header.count(), 0, 'remembered');
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('button', { name: 'Reset columns' }).click();
      await header.waitFor();
    }));

  it('The filter of contacts is edited, and its parts are removed', () =>
    fixture.visit('/contacts', async (page) => {
      await openBuilder(page);
      await addCondition(page, 'Tag', 'is any of');
      await chooseValue(page, 'tenth');
      await page.keyboard.press('Escape');
      await page.getByText('12 matches').waitFor();
      await page.getByRole('button', { name: 'Add condition' }).click();
      await addCondition(page, 'Company', 'is');
      await page.getByLabel('Value', { exact: true }).fill('Acme');
      await page.waitForURL(/Acme/);
      await page.getByRole('button', { name: 'Value: tenth' }).click();
      await checkAxe(page);
      await page.getByRole('option', { name: 'other' }).click();
      await page.getByText('60 matches').waitFor();
      await page.getByRole('option', { name: 'tenth' }).click();
      await page.keyboard.press('Escape');
      await page.getByText('48 matches').waitFor();
      await page.getByRole('button', { name: 'Remove condition' }).last().click();
      await page.getByText('108 matches').waitFor();
      await page.getByRole('button', { name: 'Clear all' }).click();
      await page.getByText('120 contacts').waitFor();
    }));

  it('The keys j, k, x and Enter move through the rows of a list, select and open them', () =>
    fixture.visit('/contacts?size=25', async (page) => {
      await page.getByText('1–25 of 120').waitFor();
      const current = () =>
        page.evaluate(
          () => document.activeElement?.closest('tr')?.querySelector('[data-row-link]')?.textContent,
        );
      for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
      assert.match((await current()) ?? '', /Person 118/);
      await page.keyboard.press('x');
      await page.getByText('1 selected').waitFor();
      await takeScreenshots(page, 'list-cursor');
      await page.keyboard.press('?');
      const help = page.getByRole('dialog');
      for (const text of ['Next row', 'Previous row', 'Select row', 'Open row'])
        await help.getByText(text).waitFor();
      await page.keyboard.press('Escape');
      await help.waitFor({ state: 'detached' });
      await page.keyboard.press('k');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Person 119' }).waitFor();
    }));
});
