import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, it } from 'node:test';
import { inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { tableLoaded } from '../kit/browser/lists.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { makeDeployedAgent, makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { fillContacts } from '../kit/fixtures/large-workspace.ts';
import { checkTable } from './table-layout.ts';

const COUNT = 120;
const LONG_NAME = 'Wine merchants of the northern harbour district and sons';

/* Every table at every width: tables.long.test.ts. */
inBrowser('Tables', (fixture) => {
  let quiet: string;
  let recordAnotherCall: () => Promise<unknown>;
  before(async () => {
    await fillContacts(fixture.service.database, 1, COUNT);
    const owner = await signedInOwner(fixture.service);
    const line = await makePhoneChannel(owner, await makeDeployedAgent(owner));
    quiet = (await makeContact(fixture.service, { first_name: 'Ada', last_name: 'Quiet' })).phone_number;
    const caller = await makeContact(fixture.service);
    recordAnotherCall = () => recordCall(fixture.service, line, caller.phone_number);
    await recordAnotherCall();
    await owner.request(
      'POST',
      '/keys',
      { name: 'Website form', scope: 'read_write', expires_at: null },
      201,
    );
  });

  it('Table headers align with their cells and nothing is cut off, with and without the sidebar', () =>
    fixture.visit('/sign-in', async (page) => {
      for (const path of ['/calls', '/contacts', '/settings?tab=keys']) {
        await page.goto(fixture.service.url + path);
        for (const width of [680, 1024]) await checkTable(page, path, width);
      }
    }));

  it('A contact without calls shows that there was no activity', () =>
    fixture.visit('/contacts', async (page) => {
      const row = page.getByRole('row', { name: quiet });
      await row.getByText('No activity yet').waitFor();
      await row.getByRole('link', { name: 'Ada Quiet' }).click();
      await page.getByText('Last contactNo activity yet').waitFor();
      await recordAnotherCall();
      await page.goto(`${fixture.service.url}/contacts`);
      await page.getByRole('row').nth(1).getByText('just now').waitFor();
    }));

  it('Deselecting one row keeps the rest of a selection of all, for every action', () =>
    fixture.visit('/contacts?tag=all', async (page) => {
      await page.getByLabel('Select all on this page').click();
      await page.getByRole('button', { name: 'Select all 120 matching' }).click();
      await page.getByText('120 selected').waitFor();
      await page.getByRole('row').nth(2).getByRole('checkbox').click();
      await page.getByText('119 selected').waitFor();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('51–100 of 120').waitFor();
      await tableLoaded(page);
      assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 51, 'all of the next page');
      await page.getByText('119 selected').waitFor();
      await takeScreenshots(page, 'contacts-all-but-one');

      const download = page.waitForEvent('download');
      await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Export' }).click();
      const lines = readFileSync(await (await download).path(), 'utf8')
        .trim()
        .split('\r\n');
      assert.equal(lines.length, COUNT, 'a header and all but one');

      await page.getByRole('button', { name: 'Tag', exact: true }).click();
      await page.getByLabel('Tags to add').fill('letter,');
      await page.getByRole('button', { name: 'Update tags' }).click();
      await page.getByText('Tags updated for 119 contacts.').waitFor();
      const { body } = await fixture.service.get('/v1/contacts?tag=letter&limit=1');
      assert.equal(body.pagination.total, COUNT - 1);
    }));

  it('No list is wider than the window', async () => {
    await fixture.owner.call('PATCH', '/settings/name', { name: LONG_NAME });
    await fixture.visit('/contacts', async (page) => {
      await page.getByTitle(LONG_NAME).first().waitFor();
      const paths = ['agents', 'campaigns', 'import', 'audit-log', 'tags', 'webhooks', 'channels'];
      for (const path of ['contacts', 'calls', ...paths]) {
        await page.goto(`${fixture.service.url}/${path}`);
        await page.locator('main h1').waitFor();
        await page.waitForFunction(() => !document.querySelector('main .animate-pulse'));
        for (const width of [390, 680, 900, 1024, 1360, 1920]) {
          await page.setViewportSize({ width, height: 800 });
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(wide <= width, `${path} is ${wide} px wide in a window of ${width} px`);
        }
      }
    });
  });
});
