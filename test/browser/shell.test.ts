import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkAxe, inBrowser, openCommandPalette, takeScreenshots } from '../kit/browser/browser.ts';
import { hasFocus } from '../kit/browser/waits.ts';

inBrowser('Page layout', (fixture) => {
  it('The command palette, the shortcuts and the skip link work by keyboard', () =>
    fixture.visit('/', async (page) => {
      await fixture.service.post('/v1/contacts', {
        phone_number: '+12125550101',
        first_name: 'Ada',
        last_name: 'Lovelace',
      });
      await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to main content');
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'shortcuts');
      await page.keyboard.press('Escape');
      await openCommandPalette(page);
      await checkAxe(page);
      await takeScreenshots(page, 'palette');
      await page.keyboard.type('lovel');
      await page.getByRole('option', { name: 'Ada Lovelace' }).waitFor();
      await checkAxe(page);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/contacts/contact_*');
    }));

  it('A dialog that the command palette opens on another page has the focus', () =>
    fixture.visit('/contacts', async (page) => {
      await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
      await openCommandPalette(page);
      await page.keyboard.type('create campaign');
      await page.getByRole('option', { name: 'Create campaign', selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Create campaign' }).waitFor();
      await page.waitForURL('**/campaigns?add=true');
      await hasFocus(page.getByRole('dialog').getByLabel('Name'));
      await page.waitForTimeout(500);
      await page.keyboard.type('Spring');
      assert.equal(await page.getByRole('dialog').getByLabel('Name').inputValue(), 'Spring');
    }));

  it('Contacts are selected, tagged and opened by keyboard, and the focus returns to their row', () =>
    fixture.visit('/contacts', async (page) => {
      for (const [index, first_name] of ['Grace', 'Alan', 'Edsger'].entries())
        await fixture.service.post('/v1/contacts', { phone_number: `+1212555011${index}`, first_name });
      await page.reload();
      await page.getByRole('row', { name: 'Edsger' }).waitFor();
      for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
      await page.getByText('2 selected').waitFor();
      await page.keyboard.press('a');
      await hasFocus(page.getByRole('button', { name: 'Tag', exact: true }));
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Tag 2 contacts' }).waitFor();
      await page.keyboard.type('pioneer');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await page.getByText('Tags updated for 2 contacts.').waitFor();
      await hasFocus(page.getByRole('row', { name: 'Alan' }));

      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Alan', level: 1 }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
      await hasFocus(page.getByRole('row', { name: 'Alan' }));
      await page.keyboard.press('?');
      await page.getByRole('dialog').getByText('Go to actions for selected rows').waitFor();
    }));

  it('The navigation is a menu at phone width', () =>
    fixture.visit(
      '/',
      async (page) => {
        await page.getByRole('button', { name: 'Open menu' }).click();
        await page.getByRole('dialog').waitFor();
        await checkAxe(page);
        await takeScreenshots(page, 'menu');
        await page.getByRole('link', { name: 'Agents' }).first().click();
        await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await page.waitForFunction(() => document.title === 'Agents · Roster');
      },
      { width: 360, height: 740 },
    ));

  it('The chosen theme is stored', () =>
    fixture.visit('/', async (page) => {
      const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark'));
      assert.equal(await isDark(), false);
      await page.getByRole('button', { name: 'owner@example.com' }).click();
      await page.getByRole('menuitem', { name: 'Dark' }).waitFor();
      await checkAxe(page);
      await page.getByRole('menuitem', { name: 'Dark' }).click();
      assert.equal(await isDark(), true);
      await page.reload();
      assert.equal(await isDark(), true);
    }));

  it('An unknown page shows Not found', () =>
    fixture.visit('/nowhere', async (page) => {
      await page.getByText("We couldn't find that page").waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'not-found');
      await page.getByRole('link', { name: 'Go home' }).click();
      await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    }));
});
