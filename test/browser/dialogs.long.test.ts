import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { dialogHasFocus } from '../kit/browser/waits.ts';
import { makeAgent, makeContact } from '../kit/fixtures/factories.ts';

/** Waits until the element has the focus, which returns after the dialog is removed. */
const isFocused = async (element: Locator, about: string) => {
  const handle = await element.elementHandle();
  await element
    .page()
    .waitForFunction((each) => each === document.activeElement, handle)
    .catch(async () => {
      const active = await element.page().evaluate(() => document.activeElement?.outerHTML.slice(0, 120));
      assert.fail(`${about}: the focus is on ${active}`);
    });
};

const button = (page: Page, name: string) => page.locator('main').getByRole('button', { name }).first();

inBrowser('Dialogs', (fixture) => {
  let contact: string;
  let agent: string;
  let campaign: string;
  before(async () => {
    contact = (await makeContact(fixture.service, { first_name: 'Ada' })).id;
    agent = (await makeAgent(fixture.service, { name: 'Reception' })).id;
    const created = await fixture.owner.call('POST', '/campaigns', { name: 'Spring', agent_id: agent });
    campaign = created.body.data.id;
    await fixture.owner.call('POST', `/campaigns/${campaign}/enrollments`, { contact_ids: [contact] });
    await fixture.owner.call('POST', '/keys', { name: 'Old key', scope: 'read', expires_at: null });
  });

  it('A closed dialog returns the focus to its opener, or to the page if that is gone', () =>
    fixture.visit('/contacts', async (page) => {
      const openers: readonly (readonly [string, string])[] = [
        ['/contacts', 'Add contact'],
        ['/agents', 'Create agent'],
        ['/campaigns', 'Create campaign'],
        ['/channels', 'Create channel'],
        ['/integrations', 'Create integration'],
        ['/webhooks', 'Add endpoint'],
        ['/settings?tab=members', 'Add member'],
        [`/contacts/${contact}`, 'Delete'],
        [`/contacts/${contact}`, 'Enroll'],
        [`/agents/${agent}`, 'Connect'],
        [`/agents/${agent}`, 'Deploy v1'],
        [`/campaigns/${campaign}`, 'Edit'],
        [`/campaigns/${campaign}`, 'Start'],
        ['/settings?tab=keys', 'Revoke Old key'],
      ];
      for (const [path, name] of openers) {
        await page.goto(fixture.service.url + path);
        const opener = button(page, name);
        await opener.focus();
        await page.keyboard.press('Enter');
        await dialogHasFocus(page);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await isFocused(opener, `${name} on ${path}`);
      }
      // The command palette, opened by a button, and a dialog that a menu opens.
      await button(page, 'Create API key').focus();
      await page.keyboard.press('Control+K');
      await page.getByRole('combobox', { name: 'Search or run a command' }).fill('Ada');
      await page.keyboard.press('Escape');
      await isFocused(button(page, 'Create API key'), 'the palette');
      await page.getByRole('tab', { name: 'Members' }).click();
      const menu = page.getByRole('button', { name: 'Actions for owner@example.com' });
      await menu.click();
      await page.getByRole('menuitem', { name: 'Remove' }).click();
      await dialogHasFocus(page);
      await page.keyboard.press('Escape');
      await isFocused(menu, 'a dialog of a menu');
      // A revoked key has no button.
      await page.getByRole('tab', { name: 'API keys' }).click();
      await button(page, 'Revoke Old key').click();
      await page.getByRole('button', { name: 'Revoke key' }).click();
      await page.getByText('Old key revoked.').waitFor();
      await isFocused(page.locator('main'), 'a removed opener');
    }));

  it('Ctrl Enter submits a dialog from its fields only, and not again while it is held', () =>
    fixture.visit(`/contacts/${contact}`, async (page) => {
      const dialog = page.getByRole('dialog');
      await button(page, 'Delete').click();
      await isFocused(dialog.getByRole('button', { name: 'Cancel' }), 'the delete dialog');
      await page.keyboard.press('Control+Enter');
      await dialog.getByRole('heading').click();
      await page.keyboard.press('Control+Enter');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      const { status } = await fixture.owner.call('GET', `/contacts/${contact}`);
      assert.equal(status, 200, 'the contact still exists');
      await page.goto(`${fixture.service.url}/contacts?add=true`);
      const phone = dialog.getByLabel('Phone number');
      await isFocused(phone, 'the dialog to add a contact');
      await page.keyboard.down('Control');
      await phone.dispatchEvent('keydown', { key: 'Enter', ctrlKey: true, repeat: true });
      assert.equal(await phone.getAttribute('aria-invalid'), null);
      await page.keyboard.press('Enter');
      await page.keyboard.up('Control');
      await dialog.locator('[aria-invalid=true]').waitFor();
    }));

  it('A dialog focuses the first invalid field, which describes and announces its error', () =>
    fixture.visit('/contacts?add=true', async (page) => {
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Add contact' }).click();
      const phone = dialog.getByLabel('Phone number');
      await isFocused(phone, 'an empty field');
      assert.equal(await phone.getAttribute('aria-invalid'), 'true');
      const error = dialog.locator('[aria-live] [id$=-error]');
      const id = await error.getAttribute('id');
      assert.ok((await phone.getAttribute('aria-describedby'))?.split(' ').includes(id ?? ''));
      await checkAxe(page);
      // The service rejects the second one.
      await phone.fill('+12125550142');
      await dialog.getByLabel('Email').fill('not an address');
      await dialog.getByRole('button', { name: 'Add contact' }).click();
      await isFocused(dialog.getByLabel('Email'), 'a field that the service rejects');
    }));

  it('An empty dialog closes with Escape', () =>
    fixture.visit('/contacts?add=true', async (page) => {
      await dialogHasFocus(page);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }));

  it('A dialog asks before typed text is lost by Escape, the close button, Back or a reload', () =>
    fixture.visit('/agents', async (page) => {
      await button(page, 'Create agent').click();
      const text = page.getByLabel('Instructions');
      await text.fill('Be kind. '.repeat(90));
      const confirmation = page.getByRole('dialog', { name: 'Discard changes?' });
      const closings: readonly (() => Promise<unknown>)[] = [
        () => page.keyboard.press('Escape'),
        () => page.getByRole('button', { name: 'Close' }).click(),
        () => page.getByRole('button', { name: 'Cancel' }).click(),
        () => page.evaluate(() => history.back()),
      ];
      for (const [at, close] of closings.entries()) {
        await close();
        await confirmation.waitFor();
        if (at === 0) {
          await checkAxe(page);
          await takeScreenshots(page, 'discard');
        }
        await confirmation.getByRole('button', { name: 'Keep editing' }).click();
        await confirmation.waitFor({ state: 'detached' });
        assert.equal((await text.inputValue()).length, 810);
      }
      const question = page.waitForEvent('dialog');
      // It never ends, because it is dismissed.
      page.reload().catch(() => {});
      const asked = await question;
      assert.equal(asked.type(), 'beforeunload', 'a reload asks');
      await asked.dismiss();
      assert.equal((await text.inputValue()).length, 810);
      await page.evaluate(() => history.back());
      await confirmation.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('dialog').first().waitFor({ state: 'detached' });
      assert.equal(new URL(page.url()).search, '');
    }));

  it('Every dialog with a form asks before typed text is lost', () =>
    fixture.visit('/contacts', async (page) => {
      const forms: readonly (readonly [string, string, string])[] = [
        ['/contacts?add=true', 'Notes', 'Met at the fair'],
        ['/campaigns?add=true', 'Name', 'Autumn'],
        [`/campaigns/${campaign}?open=edit`, 'Name', 'Autumn'],
        ['/channels?add=true', 'Name', 'Front desk'],
        ['/integrations?add=true', 'Name', 'CRM'],
        ['/webhooks?add=true', 'Description', 'CRM'],
        ['/settings?tab=keys&add=true', 'Name', 'Website'],
        ['/settings?tab=members&add=true', 'Email', 'a@example.com'],
        [`/contacts/${contact}?open=phone`, 'New phone number', '+12125550143'],
        [`/agents/${agent}?deploy=v1`, 'Note', 'A better greeting'],
      ];
      for (const [path, label, text] of forms) {
        await page.goto(fixture.service.url + path);
        const field = page.getByRole('dialog').getByLabel(label, { exact: false }).first();
        await field.fill(text);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog', { name: 'Discard changes?' }).waitFor();
        await page.getByRole('button', { name: 'Discard' }).click();
        await page.getByRole('dialog').first().waitFor({ state: 'detached' });
      }
    }));

  it('Ctrl Enter submits a form on a page from each of its fields', () =>
    fixture.visit('/settings?tab=workspace', async (page) => {
      const country = page.getByLabel('Default country');
      await country.focus();
      await page.keyboard.press('g');
      await page.locator('input[role=combobox]').fill('Germany');
      await page.getByRole('option', { name: 'Germany' }).click();
      await isFocused(country, 'the chosen country');
      await page.keyboard.press('Control+Enter');
      await page.getByText('Default country set to Germany.').waitFor();
    }));

  it('The notes of a contact ask before Escape discards them', () =>
    fixture.visit(`/contacts/${contact}`, async (page) => {
      await page.getByRole('button', { name: 'Edit Notes' }).click();
      const notes = page.getByLabel('Notes');
      await notes.fill('Prefers to be called in the morning.');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Keep editing' }).click();
      await isFocused(notes, 'the notes');
      assert.equal(await notes.inputValue(), 'Prefers to be called in the morning.');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Discard' }).click();
      await isFocused(page.getByRole('button', { name: 'Edit Notes' }), 'the value');
    }));

  it('Starting a campaign shows the number of contacts and warns that its agent has no deployed version', () =>
    fixture.visit(`/campaigns/${campaign}`, async (page) => {
      await page.getByRole('button', { name: 'Start' }).click();
      const dialog = page.getByRole('dialog', { name: 'Start Spring?' });
      await dialog.getByText('1 contact is enrolled, 1 of them pending.').waitFor();
      await dialog.getByText('Reception has no deployed version').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-start');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      const status = async () => (await fixture.owner.call('GET', `/campaigns/${campaign}`)).body.data.status;
      assert.equal(await status(), 'draft');
      await page.getByRole('button', { name: 'Start' }).click();
      await dialog.getByRole('button', { name: 'Start anyway' }).click();
      await page.getByText('Spring is now active.').waitFor();
      assert.equal(await status(), 'active');
    }));

  it('Connecting an agent offers to create a channel when there is none', () =>
    fixture.visit(`/agents/${agent}?connect=true`, async (page) => {
      await page.getByRole('dialog').getByText('No channels yet').waitFor();
      await takeScreenshots(page, 'connect-no-channels');
      await page.getByRole('button', { name: 'Create channel' }).click();
      await page.getByRole('dialog', { name: 'Create channel' }).waitFor();
    }));
});
