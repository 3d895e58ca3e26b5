import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Locator } from 'playwright-core';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { instructionsEditor } from '../kit/browser/editor.ts';
import { openBuilder } from '../kit/browser/lists.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { makeAgent, makeContact } from '../kit/fixtures/factories.ts';

const RTL = 'مرحبا';

/** The Enter that accepts a word of an input method: during composition, and as Safari sends it afterwards. */
const typeWord = async (field: Locator) => {
  for (const how of [{ isComposing: true }, { keyCode: 229 }])
    await field.dispatchEvent('keydown', { key: 'Enter', ...how });
};

inBrowser('Navigation and fields', (fixture) => {
  it('Members see no links to owner pages, and their URLs say that owner access is required', async () => {
    const user = await signedInUser(fixture.service, 'member@example.com', 'member');
    await fixture.visit(
      '/',
      async (page) => {
        const nav = page.getByRole('navigation', { name: 'Main' });
        await nav.getByRole('link', { name: 'Channels' }).waitFor();
        const names = await nav.getByRole('link').allInnerTexts();
        assert.deepEqual(names.slice(-3), ['Channels', 'Tags', 'Settings']);
        await page.keyboard.press('ControlOrMeta+k');
        await page.getByRole('option', { name: 'Settings' }).waitFor();
        for (const name of ['Integrations', 'Webhooks', 'Audit log'])
          assert.equal(await page.getByRole('option', { name }).count(), 0, name);
        for (const path of ['/integrations', '/webhooks', '/audit-log']) {
          await page.goto(fixture.service.url + path);
          await page.getByText('Owner access required').waitFor();
        }
        await checkAxe(page);
        await takeScreenshots(page, 'owner-access');
      },
      { user },
    );
  });

  it('A URL with an impossible id shows Not found', () =>
    fixture.visit('/agents/xyz', async (page) => {
      const addresses = [
        ...['/agents/xyz', '/contacts/xyz', '/campaigns/xyz', '/import/xyz', '/webhooks/xyz'],
        ...['/calls?call=xyz', '/channels?channel=xyz', '/integrations?integration=xyz'],
      ];
      for (const address of addresses) {
        await page.goto(fixture.service.url + address);
        const alert = page.getByRole('alert').first();
        await alert.waitFor();
        const text = await alert.innerText();
        assert.match(text, /^Not found/, address);
        assert.ok(!text.includes('UUID'), `${address}: ${text}`);
      }
    }));

  it('The back link of a record returns to the filters and the page of its list', async () => {
    const contact = await makeContact(fixture.service, { first_name: 'Zelda', tags: ['gold'] });
    await fixture.visit('/contacts?search=zel&tag=gold', async (page) => {
      await page.getByRole('link', { name: 'Zelda' }).click();
      await page.waitForURL(`**/contacts/${contact.id}`);
      await page.getByRole('main').getByRole('link', { name: 'Contacts', exact: true }).click();
      await page.waitForURL('**/contacts?search=zel&tag=gold');
      await page.getByRole('navigation').getByRole('link', { name: 'Contacts' }).click();
      await page.waitForURL('**/contacts');
      await page.getByRole('link', { name: 'Zelda' }).click();
      await page.getByRole('main').getByRole('link', { name: 'Contacts', exact: true }).click();
      await page.waitForURL('**/contacts');
    });
  });

  it('Right-to-left text of users is shown right to left', async () => {
    const contact = await makeContact(fixture.service, { first_name: RTL, notes: RTL, tags: [RTL] });
    const agent = await makeAgent(fixture.service, { instructions: `Hello.\n${RTL}` });
    const directionOf = (shown: Locator) => shown.evaluate((each) => getComputedStyle(each).direction);
    await fixture.visit(`/contacts/${contact.id}`, async (page) => {
      const shown = page.getByRole('main').getByText(RTL, { exact: true });
      await shown.nth(3).waitFor();
      for (const each of await shown.all()) assert.equal(await directionOf(each), 'rtl');
      await page.getByRole('button', { name: 'Edit Notes' }).click();
      assert.equal(await directionOf(page.getByLabel('Notes')), 'rtl');
      await page.goto(`${fixture.service.url}/agents/${agent.id}`);
      await instructionsEditor(page).waitFor();
      const lines = await page.locator('.cm-line').all();
      assert.deepEqual(await Promise.all(lines.map(directionOf)), ['ltr', 'rtl']);
      await takeScreenshots(page, 'directions');
    });
  });

  it("Enter that accepts an input method's suggestion selects nothing", async () => {
    await makeContact(fixture.service, { first_name: 'Kanji', tags: ['kan'] });
    await fixture.visit('/contacts', async (page) => {
      await openBuilder(page);
      await page.getByLabel('Attribute').selectOption('Tag');
      await page.getByRole('button', { name: 'Value: none' }).click();
      const tag = page.getByRole('combobox', { name: 'Tag' });
      await tag.fill('ka');
      await page.getByRole('option', { name: 'kan' }).waitFor();
      await typeWord(tag);
      assert.ok(page.url().endsWith('/contacts'), page.url());
      await tag.press('Enter');
      await page.waitForURL(/contacts\?filter=.*kan/);
      await page.goto(`${fixture.service.url}/calls?direction=inbound`);
      await page.getByRole('button', { name: 'Add filter' }).click();
      await page.getByRole('button', { name: 'Contact', exact: true }).click();
      const contact = page.getByRole('combobox', { name: 'Contact' });
      await contact.fill('kanji');
      await page.getByRole('option', { name: 'Kanji' }).waitFor();
      await typeWord(contact);
      assert.ok(page.url().endsWith('/calls?direction=inbound'), page.url());
      await contact.press('Enter');
      await page.waitForURL('**/calls?*contact=*');
    });
  });

  it('A tag that differs from an existing one only in case is pointed out', async () => {
    const contact = await makeContact(fixture.service, { first_name: 'Tess' });
    await makeContact(fixture.service, { tags: ['vip'] });
    await fixture.visit(`/contacts/${contact.id}`, async (page) => {
      await page.getByRole('button', { name: 'Add tags' }).click();
      const field = page.getByLabel('Tags');
      await field.fill('VIP');
      await page.getByText('The tag “vip” already exists.').waitFor();
      await field.press('Enter');
      await page.getByRole('button', { name: 'Remove VIP' }).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'tag-twin');
      await page.getByRole('button', { name: 'Use “vip” instead of “VIP”' }).click();
      await page.getByRole('button', { name: 'Remove vip' }).waitFor();
      await page.getByText('The tag “vip” already exists.').waitFor({ state: 'detached' });
      // The page shows the tag before the service has saved it.
      const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('link', { name: 'vip' }).waitFor();
      await saved;
      const { tags } = (await fixture.service.get(`/v1/contacts/${contact.id}`)).body.data;
      assert.deepEqual(tags, ['vip']);
    });
  });
});
