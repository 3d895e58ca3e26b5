import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { inBrowser, openCommandPalette } from '../kit/browser/browser.ts';
import { sendReadsAlone } from '../kit/browser/reads.ts';
import { keepToasts } from '../kit/browser/waits.ts';

const CHUNK_MS = 400;

/** The label or the text of the focused element. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const active = document.activeElement;
    const label = active instanceof HTMLInputElement ? active.labels?.[0]?.textContent : undefined;
    return active?.getAttribute('aria-label') ?? label ?? active?.textContent ?? '';
  });

/** Waits until the focus is where it should be: a control that closes returns it after it is removed. */
const focusIsOn = async (page: Page, expected: string) => {
  const until = Date.now() + 30_000;
  while ((await focused(page)) !== expected && Date.now() < until) await page.waitForTimeout(50);
  assert.equal(await focused(page), expected);
};

const pressAll = async (page: Page, keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

const palette = (page: Page) => page.getByRole('combobox', { name: 'Search or run a command' });

inBrowser('The keyboard', (fixture) => {
  let ada = '';
  before(async () => {
    const { body } = await fixture.service.post('/v1/contacts', {
      phone_number: '+12125550101',
      first_name: 'Ada',
      tags: ['math'],
    });
    ada = body.data.id;
    for (const [index, first_name] of ['Design office', 'Grace'].entries())
      await fixture.service.post('/v1/contacts', { phone_number: `+1212555011${index}`, first_name });
  });

  it('Letters typed while the command palette loads end up in its field', () =>
    fixture.visit('/contacts', async (page) => {
      await page.getByRole('row', { name: 'Ada' }).waitFor();
      await page.route('**/assets/command-palette-*.js', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, CHUNK_MS));
        await route.continue();
      });
      await page.keyboard.press('Control+k');
      // Each of these letters is a shortcut of the list.
      await page.keyboard.type('jxe');
      await palette(page).waitFor();
      await page.waitForFunction(() => (document.activeElement as HTMLInputElement).value === 'jxe');
      assert.equal(await page.getByText('1 selected').count(), 0);
      await page.keyboard.press('Escape');

      await page.reload();
      await page.getByRole('row', { name: 'Ada' }).waitFor();
      await page.getByRole('searchbox').or(page.getByLabel('Search contacts')).first().focus();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('create agentt');
      await pressAll(page, ['Backspace', 'Enter']);
      await page.getByRole('dialog', { name: 'Create agent' }).waitFor();

      await page.goto(new URL('/contacts', page.url()).href);
      await page.getByRole('row', { name: 'Ada' }).waitFor();
      await pressAll(page, ['Control+k', 'Escape']);
      await page.waitForTimeout(CHUNK_MS * 2);
      assert.equal(await palette(page).count(), 0);
      await page.keyboard.press('j');
      assert.match(await focused(page), /Grace/);
    }));

  it('Enter in the command palette runs what was typed, not an earlier result', () =>
    fixture.visit('/agents', async (page) => {
      await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
      await openCommandPalette(page);
      await page.keyboard.type('a');
      await page.getByRole('option', { name: 'Ada' }).waitFor();
      await sendReadsAlone(page);
      await page.route('**/dashboard/api/contacts?*search=Grace*', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, CHUNK_MS));
        await route.continue();
      });
      await page.keyboard.press('Backspace');
      await page.keyboard.type('Grace');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Grace', level: 1 }).waitFor();

      // A contact that matches does not replace the action.
      await openCommandPalette(page);
      await page.keyboard.type('sign o');
      await page.getByRole('option', { name: 'Design office' }).waitFor();
      await page.getByRole('option', { name: 'Sign out', selected: true }).waitFor();
    }));

  it('Every kind of filter has the focus when it is chosen', () =>
    fixture.visit('/audit-log', async (page) => {
      await page.getByRole('row').nth(1).waitFor();
      for (const [name, first] of [
        ['Record type', 'Record type'],
        ['Date', 'Today'],
        ['Actor', 'Actor'],
      ] as const) {
        await page.getByRole('button', { name: 'Add filter' }).focus();
        await page.keyboard.press('Enter');
        await page.getByRole('dialog').getByRole('button', { name, exact: true }).focus();
        await page.keyboard.press('Enter');
        await page.waitForFunction(
          () =>
            document.activeElement?.closest('[role=dialog]') &&
            !document.activeElement.matches('[role=dialog]'),
        );
        await focusIsOn(page, first);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await focusIsOn(page, 'Add filter');
      }
    }));

  it('Tags of a contact are edited, saved and undone by keyboard', () =>
    fixture.visit(`/contacts/${ada}`, async (page) => {
      await page.getByRole('heading', { name: 'Ada', level: 1 }).waitFor();
      await keepToasts(page);
      await openCommandPalette(page);
      await page.keyboard.type('edit tags');
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.activeElement?.matches('input'));
      await focusIsOn(page, 'Tags');
      await page.keyboard.press('Shift+Tab');
      await focusIsOn(page, 'Remove math');
      await page.keyboard.press('Enter');
      await focusIsOn(page, 'Tags');
      await page.keyboard.type('poet');
      await pressAll(page, ['Enter', 'Enter']);
      await page.getByText('Tags changed.').waitFor();
      await page.getByRole('link', { name: 'poet' }).waitFor();
      await focusIsOn(page, 'Edit tags');

      await page.keyboard.press('?');
      await page.getByRole('dialog').getByText('Undo last change').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('z');
      await page.getByRole('link', { name: 'math' }).waitFor();
      await page.getByRole('link', { name: 'poet' }).waitFor({ state: 'detached' });
      await focusIsOn(page, 'Edit tags');
    }));

  it('The focus stays in the dialog that asked before it discards changes', () =>
    fixture.visit('/campaigns?add=true', async (page) => {
      await page.getByRole('dialog', { name: 'Create campaign' }).waitFor();
      await page.keyboard.type('Spring');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog', { name: 'Discard changes?' }).waitFor();
      await openCommandPalette(page);
      await page.keyboard.press('Escape');
      await palette(page).waitFor({ state: 'detached' });
      await page.waitForFunction(() => document.activeElement?.textContent === 'Keep editing');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Discard changes?' }).waitFor({ state: 'detached' });
      await page.waitForFunction(() => document.activeElement !== document.body);
      assert.match(await focused(page), /^Name/);
    }));

  it('The submit button has the focus again after a failed request', () =>
    fixture.visit(
      '/contacts?add=true',
      async (page) => {
        const dialog = page.getByRole('dialog', { name: 'Add contact' });
        await dialog.waitFor();
        await page.keyboard.type('+12125550103');
        await page.route('**/v1/contacts', (route) => route.fulfill({ status: 500, json: {} }));
        await dialog.getByRole('button', { name: 'Add contact' }).focus();
        await page.keyboard.press('Enter');
        await dialog.getByRole('alert').waitFor();
        await page.waitForFunction(() => document.activeElement?.matches('button[type=submit]'));
      },
      { expected: /500/ },
    ));
});
