import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAxe, inBrowser, openCommandPalette, takeScreenshots } from '../kit/browser/browser.ts';
import { tableLoaded } from '../kit/browser/lists.ts';
import { dialogHasFocus } from '../kit/browser/waits.ts';
import { makeAgent, makeContact } from '../kit/fixtures/factories.ts';

const scrollOf = (page: Page) => page.evaluate(() => Math.round(scrollY));

/** The paths that the browser keeps. */
const stored = (page: Page) =>
  page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith('roster-recent-')));

inBrowser('Fluent work', (fixture) => {
  let agent = '';
  before(async () => {
    for (let count = 0; count < 60; count++)
      await makeContact(fixture.service, { first_name: `Person ${String(count).padStart(2, '0')}` });
    agent = (await makeAgent(fixture.service, { name: 'Front desk', instructions: 'Say hello.' })).id;
  });

  it('g and a letter open a page, c creates what the page lists, and the help names them', () =>
    fixture.visit('/', async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('c');
      await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
      await tableLoaded(page);
      await page.keyboard.press('c');
      const add = page.getByRole('dialog', { name: 'Add contact' });
      await add.waitFor();
      await dialogHasFocus(page);
      await page.keyboard.press('Escape');
      await add.waitFor({ state: 'detached' });
      await page.keyboard.press('g');
      await page.keyboard.press('a');
      await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
      await page.keyboard.press('?');
      const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      for (const text of ['Create agent', 'Go to Contacts', 'Go to Home'])
        await help.getByText(text).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'fluent-help');
    }));

  it('The palette offers actions on the open record and the records that were opened last', () =>
    fixture.visit(`/agents/${agent}`, async (page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('heading', { name: 'Front desk' }).waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('c');
      await page.getByRole('link', { name: 'Person 59' }).click();
      await page.getByRole('heading', { name: 'Person 59' }).waitFor();
      await openCommandPalette(page);
      await page.getByRole('group', { name: 'Recently opened' }).getByText('Front desk').waitFor();
      assert.equal(await page.getByRole('option', { name: 'Person 59' }).count(), 0, 'it is open');
      for (const name of ['Change phone number', 'Enroll in a campaign', 'Add tags', 'Delete contact'])
        await page.getByRole('option', { name }).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'fluent-palette');
      await page.keyboard.type('copy id');
      await page.getByRole('option', { name: 'Copy ID' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByText('Copied').first().waitFor();
      const id = page.url().split('/').at(-1);
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), id);

      assert.deepEqual(JSON.parse((await stored(page))[0]?.[1] ?? ''), [
        `/contacts/${id}`,
        `/agents/${agent}`,
      ]);
      await openCommandPalette(page);
      await page.getByRole('option', { name: 'Front desk' }).click();
      await page.getByRole('heading', { name: 'Front desk' }).waitFor();
      await page.route('**/dashboard/api/session', (route) => route.fulfill({ json: { success: true } }));
      await openCommandPalette(page);
      await page.keyboard.type('sign out');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/sign-in');
      assert.deepEqual(await stored(page), [], 'nothing is left after sign-out');
    }));

  it('Back shows a list as it was left: page, scroll position, selection and the opened row', () =>
    fixture.visit('/contacts?size=25&page=2', async (page) => {
      await page.getByText('26–50 of 60').waitFor();
      for (const name of ['Person 30', 'Person 28']) await page.getByRole('checkbox', { name }).check();
      await page.getByText('2 selected').waitFor();
      const opened = page.getByRole('link', { name: 'Person 16' });
      await opened.scrollIntoViewIfNeeded();
      const before = await scrollOf(page);
      assert.ok(before > 300, `${before}`);
      for (const goBack of [
        () => page.goBack(),
        () => page.getByRole('main').getByRole('link', { name: 'Contacts', exact: true }).click(),
      ]) {
        await opened.click();
        await page.getByRole('heading', { name: 'Person 16' }).waitFor();
        await goBack();
        await page.getByText('26–50 of 60').waitFor();
        await page.getByText('2 selected').waitFor();
        assert.equal(await page.getByRole('checkbox', { name: 'Person 28' }).isChecked(), true);
        await page.waitForFunction((y) => Math.round(scrollY) === y, before);
        await page.locator('tr[data-row]:focus', { hasText: 'Person 16' }).waitFor();
      }
      for (const name of ['Agents', 'Contacts']) {
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
        await page.getByRole('heading', { name, level: 1 }).waitFor();
      }
      await tableLoaded(page);
      assert.equal(await page.getByText('2 selected').count(), 0, 'a new visit begins without a selection');
    }));

  const headers = (page: Page) =>
    page.locator('main th[data-column]:visible').evaluateAll((all) => all.map((each) => each.dataset.column));
  const widthOf = async (page: Page, column: string) =>
    Math.round((await page.locator(`main th[data-column=${column}]`).boundingBox())?.width ?? 0);

  it('Columns are moved in the menu, by dragging and by keyboard, and the address has their order', () =>
    fixture.visit('/contacts', async (page) => {
      await tableLoaded(page);
      assert.deepEqual(await headers(page), ['name', 'phone', 'tags', 'source', 'last']);
      await page.getByRole('button', { name: 'Columns' }).click();
      const menu = page.getByRole('dialog', { name: 'Columns' });
      await menu.getByRole('button', { name: 'Move Tags up' }).click();
      await page.waitForURL(/columns=name%2Ctags%2Cphone%2Csource%2Clast/);
      await menu.getByRole('checkbox', { name: 'Last contact' }).focus();
      await page.keyboard.press('Alt+ArrowUp');
      await menu.getByRole('status').getByText('Last contact: 3 of 4').waitFor();
      assert.ok(
        await menu
          .getByRole('checkbox', { name: 'Last contact' })
          .evaluate((box) => box === document.activeElement),
      );
      await menu
        .getByRole('listitem')
        .filter({ hasText: 'Source' })
        .dragTo(menu.getByRole('listitem').first());
      await page.waitForURL(/columns=name%2Csource%2Ctags%2Cphone%2Clast/);
      await menu.getByRole('checkbox', { name: 'Email' }).check();
      await checkAxe(page);
      await takeScreenshots(page, 'list-column-menu');
      await page.goto(`${fixture.service.url}/contacts`);
      await tableLoaded(page);
      assert.deepEqual(
        await headers(page),
        ['name', 'source', 'tags', 'phone', 'last', 'email'],
        'remembered',
      );
      await page.getByRole('button', { name: 'Columns' }).click();
      await menu.getByRole('button', { name: 'Reset columns' }).click();
      await page.waitForURL(/contacts$/);
      assert.deepEqual(await headers(page), ['name', 'phone', 'tags', 'source', 'last']);
    }));

  it('The height of rows is chosen for all lists, and each list keeps the widths of its columns', () =>
    fixture.visit('/contacts', async (page) => {
      await tableLoaded(page);
      const rowHeight = async () =>
        Math.round((await page.locator('tr[data-row]').first().boundingBox())?.height ?? 0);
      assert.equal(await rowHeight(), 56);
      const table = (await page.locator('main table').boundingBox())?.width ?? 0;
      assert.ok(
        (await widthOf(page, 'tags')) > table * 0.25,
        'Tags have room, though these contacts have none',
      );
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByText('Compact').click();
      await page.keyboard.press('Escape');
      assert.equal(await rowHeight(), 36);
      const overflow = await page
        .locator('main table')
        .evaluate(({ parentElement }) => parentElement && getComputedStyle(parentElement).overflowY);
      assert.equal(overflow, 'hidden', 'Rows of a fraction of a pixel bring a second scrollbar');
      const edge = page.getByRole('separator', { name: 'Width of Phone' });
      // Numbers are wider once they are grouped.
      await edge.dblclick();
      const usual = await widthOf(page, 'phone');
      const { x = 0, y = 0 } = (await edge.boundingBox()) ?? {};
      await page.mouse.move(x + 5, y + 10);
      await page.mouse.down();
      await page.mouse.move(x + 45, y + 10);
      await page.mouse.move(x + 85, y + 10);
      await page.mouse.up();
      assert.equal(await widthOf(page, 'phone'), usual + 80);
      await edge.focus();
      await page.keyboard.press('ArrowLeft');
      assert.equal(await widthOf(page, 'phone'), usual + 64);
      assert.equal(await edge.getAttribute('aria-valuenow'), String(usual + 64));
      await checkAxe(page);
      await takeScreenshots(page, 'list-compact');
      await page.goto(`${fixture.service.url}/contacts`);
      await tableLoaded(page);
      assert.equal(await rowHeight(), 36, 'remembered');
      assert.equal(await widthOf(page, 'phone'), usual + 64);
      await edge.dblclick();
      assert.equal(await widthOf(page, 'phone'), usual);
    }));

  it('Space shows a contact beside the list, j and k go on, and its page has the same neighbors', () =>
    fixture.visit('/contacts?size=25', async (page) => {
      await tableLoaded(page);
      await page.keyboard.press('j');
      await page.keyboard.press('Space');
      const peek = (name: string) => page.getByRole('dialog', { name });
      await peek('Person 59').getByText('1 of 60').waitFor();
      await dialogHasFocus(page);
      await page.keyboard.press('j');
      await peek('Person 58').getByText('2 of 60').waitFor();
      await page.waitForURL(/peek=contact_/);
      assert.match(
        (await peek('Person 58').locator('a[href^="tel:+"]').getAttribute('href')) ?? '',
        /^tel:\+\d+$/,
      );
      await peek('Person 58').getByText('Created', { exact: true }).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'contact-peek');
      await page.keyboard.press('Escape');
      await page.locator('tr[data-row]:focus', { hasText: 'Person 58' }).waitFor();
      const row = page.getByRole('row', { name: 'Person 36' });
      await row.hover();
      await row.getByRole('button', { name: 'Preview Person 36' }).click();
      await peek('Person 36').getByRole('link', { name: 'Open contact' }).click();
      await page.getByRole('heading', { name: 'Person 36', level: 1 }).waitFor();
      await page.getByText('24 of 60').waitFor();
      for (const name of ['Person 35', 'Person 34', 'Person 33']) {
        await page.keyboard.press('j');
        await page.getByRole('heading', { name, level: 1 }).waitFor();
      }
      await page.getByText('27 of 60').waitFor();
      await page.getByRole('button', { name: 'Previous record' }).click();
      await page.getByRole('heading', { name: 'Person 34', level: 1 }).waitFor();
      assert.match(
        (await page.locator('main a[href^="tel:"]').first().getAttribute('href')) ?? '',
        /^tel:\+\d+$/,
      );
      await checkAxe(page);
      await takeScreenshots(page, 'contact-neighbors');
    }));

  it('The language is chosen in the account menu and stays in this browser', () =>
    fixture.visit('/contacts', async (page) => {
      await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
      await page.getByRole('button', { name: 'owner@example.com' }).click();
      await page.getByRole('menuitem', { name: 'Deutsch' }).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'fluent-account');
      await page.getByRole('menuitem', { name: 'Deutsch' }).click();
      await page.getByRole('heading', { name: 'Kontakte', level: 1 }).waitFor();
      assert.equal(await page.evaluate(() => document.documentElement.lang), 'de');
      await page.goto(`${fixture.service.url}/calls`);
      await page.getByRole('heading', { name: 'Anrufe', level: 1 }).waitFor();
      await page.getByRole('button', { name: 'owner@example.com' }).click();
      await page.getByRole('menuitem', { name: 'English' }).click();
      await page.getByRole('heading', { name: 'Calls', level: 1 }).waitFor();
    }));

  it('Countries and time zones are found by typing, with current names and offsets', () =>
    fixture.visit('/settings?tab=workspace', async (page) => {
      const country = page.getByLabel('Default country');
      await country.focus();
      await page.keyboard.press('k');
      const search = page.getByRole('combobox', { name: 'Default country' }).last();
      await search.and(page.locator('input')).waitFor();
      assert.equal(await search.inputValue(), 'k', 'a letter opens the list');
      await search.fill('+44');
      await page.getByRole('option', { name: 'United Kingdom' }).waitFor();
      await search.fill('aland');
      await page.getByRole('option', { name: 'Åland Islands' }).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'fluent-country');
      await search.fill('germ');
      await page.keyboard.press('Enter');
      await page.getByRole('option').first().waitFor({ state: 'detached' });
      assert.match(await country.innerText(), /Germany/);

      await page.getByLabel('Time zone').click();
      const zones = page.getByRole('combobox', { name: 'Time zone' }).last();
      await zones.fill('calcutta');
      await page.getByRole('option', { name: 'Asia/Kolkata GMT+5:30' }).waitFor();
      await zones.fill('kyiv');
      await takeScreenshots(page, 'fluent-zone');
      await page.getByRole('option', { name: 'Europe/Kyiv' }).click();
      await page.getByRole('button', { name: 'Save time zone' }).click();
      await page.getByText('Time zone set to Europe/Kyiv.').waitFor();
      const { data } = (await fixture.owner.call('GET', '/settings')).body;
      assert.equal(data.time_zone, 'Europe/Kyiv');
    }));
});
