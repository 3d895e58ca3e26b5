import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { type BrowserFixture, checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { sendReadsAlone } from '../kit/browser/reads.ts';
import { checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeDeployedAgent, makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { applyImport, planCsv } from '../kit/imports/imports.ts';

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const dayText = (at: Date) =>
  at.toLocaleDateString('en-GB', { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short' });

/** Today: two contacts by API, one added manually, two imported, one inbound. A call today, three two days ago, one 40 days ago. */
const fill = async ({ service, owner }: BrowserFixture) => {
  const user = await checkedUser(service, owner);
  const line = await makePhoneChannel(user, await makeDeployedAgent(user, 'Front desk'));
  for (const phone_number of ['+12125550101', '+12125550102'])
    await service.post('/v1/contacts', { phone_number });
  await owner.call('POST', '/contacts', { phone_number: '+12125550103' });
  const csv = 'Phone,First name\n+12125550104,Ada\n+12125550105,Grace\n';
  await applyImport(owner, (await planCsv(owner, csv, { name: 'people.csv' })).id);
  for (const [days, status] of [
    [0, 'completed'],
    [2, 'completed'],
    [2, 'failed'],
    [2, 'in_progress'],
    [40, 'completed'],
  ] as const)
    await recordCall(service, line, '+12125550106', { started_at: daysAgo(days).toISOString(), status });
};

inBrowser('Home page', (fixture) => {
  it('The first steps lead to the place of each, tick themselves off, and end with the first call', () =>
    fixture.visit('/', async (page) => {
      const user = await checkedUser(fixture.service, fixture.owner);
      const done = (name: string) => page.getByRole('heading', { name: `${name} (done)` });
      await page.getByText('1 of 7 steps done.').waitFor();
      // The owner of the first start is the colleague.
      const steps = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3 }) });
      assert.deepEqual(await steps.getByRole('heading').allTextContents(), [
        'Add or import contacts',
        'Create an agent',
        'Deploy it',
        'Connect a channel',
        'Send a test call',
        'Create an API key',
        'Invite a colleague (done)',
      ]);
      const sample = page.getByRole('region', { name: 'Sample data' });
      await sample.getByRole('button', { name: 'Load sample data' }).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'home-empty');
      await page.getByRole('link', { name: 'Add contact' }).click();
      await page.getByRole('dialog', { name: 'Add contact' }).getByLabel('Phone number').fill('+12125550100');
      await page.getByRole('dialog').getByRole('button', { name: 'Add contact' }).click();
      await page.getByText('added.').waitFor();
      await page.getByRole('link', { name: 'Home' }).click();
      await page.getByText('2 of 7 steps done.').waitFor();
      await done('Add or import contacts').waitFor();

      const agent = await user.request(
        'POST',
        '/agents',
        { name: 'Front desk', instructions: 'Hello.' },
        201,
      );
      await page.getByRole('link', { name: 'Deploy', exact: true }).click();
      const deploy = page.getByRole('dialog', { name: 'Deploy v1' });
      await deploy.getByRole('button', { name: 'Deploy v1' }).click();
      await deploy.waitFor({ state: 'hidden' });
      await page.getByRole('link', { name: 'Home' }).click();
      await page.getByRole('link', { name: 'Connect channel' }).click();
      await page.waitForURL(`**/agents/${agent.id}?connect=true`);
      await page.getByRole('dialog').waitFor();
      const line = await makePhoneChannel(user, agent);
      await page.goto(fixture.service.url);
      await page.getByText('5 of 7 steps done.').waitFor();
      await page.getByText(`/hooks/channels/${line.id}/events`).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'home-begun');
      await recordCall(fixture.service, line, '+12125550100');
      await done('Send a test call').waitFor();
      await page.getByText('6 of 7 steps done.').waitFor();
      await page.getByRole('link', { name: 'Create key' }).click();
      await page.getByRole('dialog', { name: 'Create API key' }).waitFor();
    }));

  it('Dismissed steps stay away for the user', () =>
    fixture.visit('/', async (page) => {
      await page.getByRole('button', { name: 'Dismiss these steps' }).click();
      await page.getByRole('heading', { name: 'Get started' }).waitFor({ state: 'detached' });
      await page.reload();
      await page
        .getByRole('link', { name: /^Contacts/ })
        .first()
        .waitFor();
      await page.getByText('Nothing needs attention.').waitFor();
      assert.equal(await page.getByText('Get started').count(), 0);
    }));

  it('What needs attention appears and disappears by itself, with a link to its place', () =>
    fixture.visit('/', async (page) => {
      const user = await checkedUser(fixture.service, fixture.owner);
      await page.getByText('Nothing needs attention.').waitFor();
      await page.getByRole('button', { name: 'Not now' }).click();
      await page.getByRole('button', { name: 'Dismiss these steps' }).click();
      const agent = await makeDeployedAgent(user, 'Night desk');
      const section = page
        .locator('section')
        .filter({ has: page.getByRole('heading', { name: 'Needs attention' }) });
      await section.getByText('no channel is connected').waitFor();
      const { id } = await planCsv(fixture.owner, 'Phone\n+12125550142\n', { name: 'fair.csv' });
      await section.getByRole('link', { name: 'fair.csv' }).waitFor();
      await fixture.service.database.query(
        `update imports set name = 'a-file-name-that-is-far-too-long-for-the-width-of-a-phone-and-must-break.csv' where id = ?`,
        id,
      );
      await checkAxe(page);
      await takeScreenshots(page, 'home-attention');
      await section.getByRole('link', { name: 'Night desk' }).click();
      await page.waitForURL(`**/agents/${agent.id}?connect=true`);
      await page.goBack();
      await user.request('DELETE', `/agents/${agent.id}`);
      await section.getByText('no channel is connected').waitFor({ state: 'detached' });
      await user.request('DELETE', `/imports/${id}`);
      await page.getByText('Nothing needs attention.').waitFor();
    }));
});

inBrowser('Statistics of the home page', (fixture) => {
  before(() => fill(fixture));

  it('Statistics are shown as tiles and charts, by pointer and by keyboard', () =>
    fixture.visit('/', async (page) => {
      await page
        .getByRole('link', { name: /^Contacts 6 6 in 30 days \+6 vs\. the 30 days before/ })
        .waitFor();
      await page
        .getByRole('link', { name: /^Calls 5 4 in 30 days \+3 \(\+300%\) vs\. the 30 days before/ })
        .waitFor();
      await page.getByRole('link', { name: /^Success rate 66\.7% 2 of 3 ended/ }).waitFor();
      await page.getByRole('link', { name: 'Deployed agents 1 of 1' }).waitFor();
      await page.getByRole('link', { name: 'Connected channels 1 of 1' }).waitFor();
      await page.getByRole('button', { name: 'Dismiss these steps' }).click();
      assert.equal(await page.getByText('Get started').count(), 0);
      await page
        .getByRole('list', { name: 'Calls by channel' })
        .getByRole('link', { name: 'Line 4' })
        .waitFor();
      assert.deepEqual(
        await page.getByRole('list', { name: 'Sources' }).getByRole('listitem').allTextContents(),
        ['Import2', 'API2', 'Inbound1', 'Added manually1'],
      );
      const contacts = page.getByRole('application', { name: /^New contacts by source/ });
      await contacts.focus();
      for (let day = 0; day < 29; day++) await page.keyboard.press('ArrowRight');
      const status = page.locator('.recharts-tooltip-wrapper').getByRole('status').filter({ visible: true });
      await status.getByText('Total6').waitFor();
      assert.match(await status.innerText(), new RegExp(`^${dayText(daysAgo(0)).replace(' ', ', ')}`));
      const calls = page.getByRole('application', { name: /^Calls per day/ });
      const box = await calls.boundingBox();
      await page.keyboard.press('Tab');
      await calls.hover({ position: { x: (box?.width ?? 0) - 12, y: 100 } });
      await status.getByText('Completed1').waitFor();
      await checkAxe(page);
      await page.mouse.move(0, 0);
      await takeScreenshots(page, 'home');
    }));

  it('Statistics can be read as tables, and the URL has their period', () =>
    fixture.visit('/', async (page) => {
      await page.getByRole('button', { name: 'Show as table: Calls per day' }).click();
      const rows = page.getByRole('region', { name: 'Calls per day, table' }).getByRole('row');
      await rows.nth(30).waitFor();
      assert.equal(await rows.count(), 31);
      assert.deepEqual((await rows.allTextContents()).slice(1, 4), [
        `${dayText(daysAgo(0))}100`,
        `${dayText(daysAgo(1))}000`,
        `${dayText(daysAgo(2))}111`,
      ]);
      await page.getByRole('link', { name: '90 days' }).click();
      await page.waitForURL('**/?days=90');
      await page.getByRole('link', { name: 'Calls 5 5 in 90 days' }).waitFor();
      assert.equal(await rows.count(), 91);
      await page.reload();
      await page.getByRole('link', { name: 'Calls 5 5 in 90 days' }).waitFor();
      await page.getByRole('button', { name: 'Show as table: New contacts by source' }).click();
      await checkAxe(page);
      await takeScreenshots(page, 'home-table');
    }));

  it('Every bar and its row of the table lead to the list of that day', () =>
    fixture.visit('/', async (page) => {
      const day = daysAgo(2).toISOString().slice(0, 10);
      await page.getByRole('button', { name: 'Show as table: Calls per day' }).click();
      const table = page.getByRole('region', { name: 'Calls per day, table' });
      await table.getByRole('link', { name: dayText(daysAgo(2)) }).click();
      await page.waitForURL(`**/calls?date=${day}..${day}`);
      await page.getByText('3 matches').waitFor();
      await page.goto(`${fixture.service.url}/?days=7`);
      const calls = page.getByRole('application', { name: /^Calls per day/ });
      await calls.focus();
      const status = page.locator('.recharts-tooltip-wrapper').getByRole('status').filter({ visible: true });
      await status.waitFor();
      for (let at = 0; at < 4; at++) await page.keyboard.press('ArrowRight');
      await status.getByText('Total3').waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/calls?date=${day}..${day}`);
      await page.getByText('3 matches').waitFor();
      await page.goBack();
      await page.getByRole('button', { name: 'Show as table: New contacts by source' }).click();
      const contacts = page.getByRole('region', { name: 'New contacts by source, table' });
      await contacts.getByRole('link').first().click();
      await page.waitForURL('**/contacts?created=*');
      await page.getByText('6 matches').waitFor();
      await page.goBack();
      await page.getByRole('link', { name: /^Success rate/ }).click();
      await page.waitForURL('**/calls?date=*&status=completed');
      await page.getByText('2 matches').waitFor();
    }));

  it('A custom period is chosen, checked and in the URL', () =>
    fixture.visit('/', async (page) => {
      const day = (ago: number) => daysAgo(ago).toISOString().slice(0, 10);
      await page.getByRole('link', { name: '7 days' }).click();
      await page.waitForURL('**/?days=7');
      await page.getByRole('link', { name: /^Calls 5 4 in 7 days \+4 vs\./ }).waitFor();
      await page.getByRole('button', { name: 'Custom' }).click();
      await page.getByLabel('From').fill(day(40));
      await page.getByLabel('To', { exact: true }).fill(day(50));
      await page.getByText('Must not be before the first day.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'home-custom-period');
      await page.getByLabel('To', { exact: true }).fill(day(40));
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.waitForURL(`**/?from=${day(40)}&to=${day(40)}`);
      await page.getByRole('link', { name: /^Calls 5 1 in 1 day/ }).waitFor();
      await page.reload();
      await page.getByRole('link', { name: /^Calls 5 1 in 1 day/ }).waitFor();
    }));

  it('Calendar months are chosen and compared with the month before', () =>
    fixture.visit('/', async (page) => {
      for (const [name, month] of [
        ['This month', 'this'],
        ['Last month', 'last'],
      ] as const) {
        await page.getByRole('button', { name: /^(Custom|This month)$/ }).click();
        await page.getByRole('link', { name }).click();
        await page.waitForURL(`**/?month=${month}`);
        await page.getByRole('button', { name }).waitFor();
        const { from, to, previous } = (await fixture.owner.call('GET', `/figures?month=${month}`)).body.data;
        assert.match(previous.from, /-01$/);
        assert.ok(previous.to < from && from <= to);
        const dayOf = (at: string) =>
          new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
            Date.parse(at),
          );
        const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
        await page
          .getByRole('link', {
            name: new RegExp(`^Contacts .* in ${days} days? .*vs\\. .*${dayOf(previous.from)}`),
          })
          .waitFor();
      }
      await page.getByRole('button', { name: 'Last month' }).click();
      await page.getByRole('link', { name: 'This month' }).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'home-month');
    }));

  it('Days begin in the time zone of the workspace, also when clocks change', async () => {
    const user = await checkedUser(fixture.service, fixture.owner);
    const line = await makePhoneChannel(user);
    // Berlin set its clocks forward on 30 March 2025.
    for (const started_at of ['2025-03-29T22:59:59Z', '2025-03-29T23:00:00Z', '2025-03-30T21:59:59Z'])
      await recordCall(fixture.service, line, '+12125550106', { started_at, status: 'busy' });
    await user.request('PATCH', '/settings', { time_zone: 'Europe/Berlin' });
    await fixture.visit('/?from=2025-03-29&to=2025-03-31', async (page) => {
      await page.getByText('Days are in Europe/Berlin.').waitFor();
      await page.getByRole('button', { name: 'Show as table: Calls per day' }).click();
      const table = page.getByRole('region', { name: 'Calls per day, table' });
      await table.getByRole('row').nth(3).waitFor();
      assert.deepEqual((await table.getByRole('row').allTextContents()).slice(1), [
        'Mon 31 Mar0',
        'Sun 30 Mar2',
        'Sat 29 Mar1',
      ]);
      await table.getByRole('link', { name: 'Sun 30 Mar' }).click();
      await page.waitForURL('**/calls?date=2025-03-30..2025-03-30');
      await page.getByText('2 matches').waitFor();
    });
    await user.request('PATCH', '/settings', { time_zone: 'UTC' });
  });

  it('The home page links to the last deploys and imports', () =>
    fixture.visit('/', async (page) => {
      await page.getByText('2 contacts created, 0 updated · owner@example.com').waitFor();
      await page.getByRole('link', { name: 'people.csv' }).click();
      await page.waitForURL('**/import/import_*');
      await page.goBack();
      await page.getByRole('link', { name: 'Front desk', exact: true }).click();
      await page.waitForURL('**/agents/*');
    }));

  it('The home page offers a retry when its statistics could not be loaded', () =>
    fixture.visit('/contacts', async (page) => {
      await sendReadsAlone(page);
      await page.route('**/dashboard/api/figures?*', (route) => route.fulfill({ status: 500, json: {} }));
      await page.getByRole('link', { name: 'Home' }).click();
      await page.getByText("Couldn't load this").waitFor();
      await page.unroute('**/dashboard/api/figures?*');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('link', { name: 'Contacts 6 6 in 30 days' }).waitFor();
    }));
});

inBrowser('Sample data', (fixture) => {
  it('An owner loads the sample data, opens its workspace, and removes it', () =>
    fixture.visit('/', async (page) => {
      const sample = page.getByRole('region', { name: 'Sample data' });
      await sample.getByRole('button', { name: 'Load sample data' }).click();
      await sample.getByRole('progressbar', { name: 'Loading sample data' }).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'sample-data-loading');
      const open = sample.getByRole('button', { name: 'Open sample data' });
      await open.waitFor({ timeout: 120_000 });
      await takeScreenshots(page, 'sample-data');
      await open.click();
      await page.getByText('This workspace has the sample data.').waitFor();
      await page.getByText('500').first().waitFor();
      await page.getByRole('button', { name: /^Workspace / }).click();
      await page.getByRole('menuitem', { name: /^default/ }).click();
      await sample.getByRole('button', { name: 'Remove sample data' }).click();
      const dialog = page.getByRole('dialog', { name: 'Remove the sample data?' });
      await dialog.getByRole('button', { name: 'Remove sample data' }).click();
      await sample.getByRole('button', { name: 'Load sample data' }).waitFor({ timeout: 60_000 });
    }));
});
