import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { addFilter } from '../kit/browser/lists.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeDeployedAgent } from '../kit/fixtures/calls.ts';
import { campaignApi } from '../kit/fixtures/campaigns.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import type { Json } from '../kit/service/test-service.ts';

inBrowser('Schedules of campaigns', (fixture) => {
  let owner: CheckedUser;
  let agent: Json;
  let id = '';
  before(async () => {
    owner = await checkedUser(fixture.service, fixture.owner);
    agent = await makeDeployedAgent(owner, 'Front desk');
    const people = [
      ['Ada', 'Lovelace'],
      ['Grace', 'Hopper'],
      ['Alan', 'Turing'],
    ] as const;
    for (const [first_name, last_name] of people)
      await makeContact(fixture.service, { first_name, last_name, tags: ['all'] });
    await owner.request('PATCH', '/settings', { time_zone: 'Europe/Berlin' });
    await owner.request('PUT', '/call-settings', {
      dispositions: [
        { key: 'no_time', label: 'Has no time now' },
        { key: 'booked', label: 'Booked' },
      ],
      field_rules: [],
      transcript_days: null,
    });
    const campaign = await owner.request('POST', '/campaigns', { name: 'Spring', agent_id: agent.id }, 201);
    id = campaign.id;
    await owner.request('POST', `/campaigns/${id}/enrollments`, { tag: 'all' });
  });

  it('Start, end, call window and attempts are set in the time zone of the workspace', () =>
    fixture.visit(`/campaigns/${id}`, async (page) => {
      await page.getByText('No schedule: start and finish manually').waitFor();
      await page.getByRole('button', { name: 'Set schedule' }).click();
      const dialog = page.getByRole('dialog', { name: 'Schedule' });
      await dialog.getByLabel('Start').fill('2099-07-01T09:30');
      await dialog.getByLabel('End').fill('2099-06-01T09:30');
      await dialog.getByText('Call only at certain times').click();
      await dialog.getByRole('checkbox', { name: 'Sat' }).click();
      await dialog.getByLabel('From').fill('10:15');
      await dialog.getByLabel('Attempts per contact').fill('3');
      await dialog.getByLabel('Minutes between attempts').fill('90');
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-schedule-dialog');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('The end must be later than the start.').waitFor();
      await dialog.getByLabel('Start').fill('2020-07-01T09:30');
      await dialog.getByLabel('End').fill('2020-06-01T09:30');
      await dialog.getByLabel(/^To\b/).fill('09:00');
      await dialog.getByLabel('Attempts per contact').fill('101');
      await dialog.getByLabel('Minutes between attempts').fill('1.5');
      await dialog.getByText('The start must be in the future.').waitFor();
      assert.equal(await dialog.getByText('The end must be later than the start.').count(), 2);
      await dialog.getByText('Enter a whole number from 1 to 100.').waitFor();
      await dialog.getByText('Enter a whole number from 1 to 43,200.').waitFor();
      await dialog.getByLabel('Start').fill('2099-07-01T09:30');
      await dialog.getByLabel(/^To\b/).fill('18:00');
      await dialog.getByLabel('Attempts per contact').fill('3');
      await dialog.getByLabel('Minutes between attempts').fill('90');
      await dialog.getByLabel('End').fill('2099-12-01T18:00');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Schedule saved.').waitFor();
      const region = page.getByRole('region', { name: 'Schedule' });
      await region.getByText('Mon–Sat, 10:15–18:00').waitFor();
      await region.getByText('at most 3, 90 minutes apart').waitFor();
      await region.getByText('Europe/Berlin').waitFor();
      const schedule = await owner.request('GET', `/campaigns/${id}/schedule`);
      assert.equal(schedule.starts_at, '2099-07-01T07:30:00.000Z');
      assert.equal(schedule.ends_at, '2099-12-01T17:00:00.000Z');
      const badge = 'Scheduled · starts 1 Jul 2099, 09:30';
      await page.getByRole('heading', { level: 1 }).getByText(badge).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Finish' }).count(), 0);
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-scheduled');
      await page.goto(`${new URL(page.url()).origin}/campaigns`);
      await page.getByRole('row').filter({ hasText: 'Spring' }).getByText(badge).waitFor();
      await page.getByRole('search', { name: 'Search and filter: Campaigns' }).waitFor();
      await page.getByRole('columnheader', { name: 'Progress' }).waitFor();
      assert.equal(await page.getByRole('columnheader', { name: 'Updated' }).count(), 0);
    }));

  it('A campaign that is created as active asks before it starts', async () => {
    const silent = await owner.request('POST', '/agents', { name: 'Silent', instructions: 'Hi.' }, 201);
    await fixture.visit('/campaigns?add=true', async (page) => {
      const create = page.getByRole('dialog', { name: 'Create campaign' });
      await create.getByLabel('Name').fill('Immediately');
      await create.getByLabel('Agent').selectOption(silent.id);
      await create.getByLabel('Status').selectOption('active');
      await create.getByRole('button', { name: 'Create campaign' }).click();
      const start = page.getByRole('dialog', { name: 'Start Immediately?' });
      await start.getByText('Silent has no deployed version').waitFor();
      await checkAxe(page);
      const made = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      assert.equal((await owner.request('GET', `/campaigns/${made}`)).status, 'draft');
      await start.getByRole('button', { name: 'Start anyway' }).click();
      await page.getByText('Immediately is now active.').waitFor();
      await owner.request('DELETE', `/campaigns/${made}`);
    });
  });

  it('A start that did not happen says why', async () => {
    const bare = await owner.request('POST', '/agents', { name: 'Bare', instructions: 'Hi.' }, 201);
    const campaign = await owner.request('POST', '/campaigns', { name: 'Early', agent_id: bare.id }, 201);
    const starts_at = new Date(Date.now() + 5_000).toISOString();
    await owner.request('PUT', `/campaigns/${campaign.id}/schedule`, { starts_at });
    for (const until = Date.now() + 60_000; ; await new Promise((done) => setTimeout(done, 100))) {
      const { start_status } = await owner.request('GET', `/campaigns/${campaign.id}/schedule`);
      if (start_status === 'no_deployed_version') break;
      assert.ok(Date.now() < until);
    }
    await fixture.visit(`/campaigns/${campaign.id}`, async (page) => {
      await page.getByText('did not start as scheduled, because its agent had no deployed version').waitFor();
      await takeScreenshots(page, 'campaign-not-started');
      await page.getByRole('button', { name: 'Start' }).click();
      const dialog = page.getByRole('dialog', { name: 'Start Early?' });
      await dialog.getByText('Bare has no deployed version').waitFor();
      await dialog.getByText('No contacts are enrolled yet.').waitFor();
      await dialog.getByRole('button', { name: 'Start anyway' }).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-start-warning');
    });
  });

  it('Starting asks if contacts have no value for a variable of the instructions', async () => {
    const instructions = 'Hello {{first_name}} of {{company}}.';
    const caller = await owner.request('POST', '/agents', { name: 'Caller', instructions }, 201);
    const [version] = (await owner.request('GET', `/agents/${caller.id}/versions`)) as Json[];
    await owner.request('POST', `/agents/${caller.id}/versions/${version?.id}/deploy`, {});
    const campaign = await owner.request('POST', '/campaigns', { name: 'Fields', agent_id: caller.id }, 201);
    await owner.request('POST', `/campaigns/${campaign.id}/enrollments`, { tag: 'all' });
    await fixture.visit(`/campaigns/${campaign.id}?open=start`, async (page) => {
      const dialog = page.getByRole('dialog', { name: 'Start Fields?' });
      await dialog.getByText('3 contacts would be blocked').waitFor();
      assert.equal(
        await dialog.getByRole('listitem').filter({ hasText: 'Missing: company' }).getByRole('link').count(),
        3,
      );
      await dialog.getByRole('button', { name: 'Start anyway' }).click();
      await page.getByText('Fields is now active.').waitFor();
    });
  });

  it('Enrolled contacts are searched, filtered and sorted by the service', () =>
    fixture.visit(`/campaigns/${id}`, async (page) => {
      await page.getByText('1–3 of 3').waitFor();
      await page.getByRole('searchbox', { name: 'Search enrolled contacts' }).fill('hopper');
      await page.getByText('1–1 of 1').waitFor();
      await page.getByRole('link', { name: 'Grace Hopper' }).waitFor();
      await page.getByRole('searchbox', { name: 'Search enrolled contacts' }).fill('nothing');
      await page.getByText('No matching contacts').waitFor();
      await page.getByRole('button', { name: 'Show all enrollments' }).click();
      await page.getByText('1–3 of 3').waitFor();
      await page.goto(`${new URL(page.url()).origin}/campaigns/${id}?sort=contact`);
      await page.getByText('1–3 of 3').waitFor();
      assert.match(await page.getByRole('row').nth(1).innerText(), /Ada Lovelace/);
    }));

  it('The progress of a campaign is shown as a chart and as a table', async () => {
    await owner.request('PATCH', `/campaigns/${id}`, { status: 'active' });
    await owner.request('PUT', `/campaigns/${id}/schedule`, {});
    const api = await campaignApi(fixture.service);
    const [first, second] = await api.claims(id, { limit: 2 });
    await api.report(id, first.contact.id, { claim_id: first.claim_id, status: 'completed' });
    await api.report(id, second.contact.id, { claim_id: second.claim_id, status: 'failed' });
    await fixture.visit(`/campaigns/${id}`, async (page) => {
      await page.getByRole('heading', { name: 'Results per day' }).waitFor();
      await page.locator('.recharts-bar-rectangle').first().waitFor();
      const shares = page.getByRole('list', { name: 'Contacts by status' }).getByRole('listitem');
      assert.deepEqual(await shares.allInnerTexts().then((texts) => texts.map((text) => text.split('\n'))), [
        ['Completed', '1', '33%'],
        ['Failed', '1', '33%'],
        ['Pending', '1', '33%'],
      ]);
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-progress');
      await page.getByRole('button', { name: 'Show as table: Results per day' }).click();
      const region = page.getByRole('region', { name: 'Progress' });
      assert.match(await region.getByRole('row').nth(1).innerText(), /1\s+1/);
    });
  });

  it('A campaign is duplicated with its contacts, and deleted after a question', () =>
    fixture.visit(`/campaigns/${id}`, async (page) => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Duplicate…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Duplicate Spring' });
      await dialog.getByLabel('Name').fill('Second');
      await dialog.getByText('Enroll the same 3 contacts as pending').click();
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-duplicate');
      await dialog.getByRole('button', { name: 'Duplicate campaign' }).click();
      await page.getByRole('heading', { name: 'Second', level: 1 }).waitFor();
      await page.getByText('1–3 of 3').waitFor();
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Delete…' }).click();
      const confirm = page.getByRole('dialog', { name: 'Delete Second?' });
      await confirm.getByText('3 enrollments are deleted, with their status and outcomes.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-delete');
      await confirm.getByRole('button', { name: 'Delete campaign' }).click();
      await page.getByText('Second deleted.').waitFor();
      await page.waitForURL('**/campaigns');
      await page.getByRole('row').getByRole('link', { name: 'Spring' }).waitFor();
      assert.equal(await page.getByRole('link', { name: 'Second' }).count(), 0);
    }));

  it('Campaigns are searched, filtered by status and agent, and sorted', () =>
    fixture.visit('/campaigns', async (page) => {
      await page.getByText('1–3 of 3').waitFor();
      await page.getByRole('searchbox', { name: 'Search campaigns' }).fill('spr');
      await page.getByText('1–1 of 1').waitFor();
      await page.getByRole('searchbox', { name: 'Search campaigns' }).fill('');
      await page.getByText('1–3 of 3').waitFor();
      await addFilter(page, 'Status', 'Draft');
      await page.getByText('1–1 of 1').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'campaigns-filtered');
      await page.goto(`${new URL(page.url()).origin}/campaigns?sort=name`);
      await page.getByText('1–3 of 3').waitFor();
      assert.match(await page.getByRole('row').nth(1).innerText(), /Early/);
    }));

  it('Retry rules say what happens by the disposition of a call', async () => {
    const { id: autumn } = await owner.request(
      'POST',
      '/campaigns',
      { name: 'Autumn', agent_id: agent.id },
      201,
    );
    await fixture.visit(`/campaigns/${autumn}`, async (page) => {
      await page.getByRole('button', { name: 'Set schedule' }).click();
      const dialog = page.getByRole('dialog', { name: 'Schedule' });
      const add = dialog.getByRole('button', { name: 'Add rule' });
      await add.click();
      await add.click();
      const dispositions = dialog.getByRole('combobox', { name: 'Disposition' });
      await dispositions.nth(0).selectOption({ label: 'Has no time now' });
      await dialog.getByLabel('After minutes').nth(0).fill('60');
      await dispositions.nth(1).selectOption({ label: 'Has no time now' });
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('Another rule has this disposition.').waitFor();
      await dispositions.nth(1).selectOption({ label: 'Booked' });
      await dialog.getByRole('combobox', { name: 'Action' }).nth(1).selectOption({ label: 'Complete' });
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-retry-rules');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Has no time now: call again after 60 minutes').waitFor();
      await page.getByText('Booked: complete').waitFor();
      await takeScreenshots(page, 'campaign-retry-rules-saved');
    });
    const { retry_rules } = await owner.request('GET', `/campaigns/${autumn}/schedule`);
    assert.deepEqual(retry_rules, [
      { disposition: 'no_time', action: 'retry', after_minutes: 60 },
      { disposition: 'booked', action: 'complete' },
    ]);
  });
});
