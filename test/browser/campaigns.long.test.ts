import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeDeployedAgent } from '../kit/fixtures/calls.ts';
import { campaignApi } from '../kit/fixtures/campaigns.ts';
import { enrollmentCounts } from '../kit/fixtures/enrollment-counts.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import type { Json } from '../kit/service/test-service.ts';

inBrowser('Campaigns', (fixture) => {
  let owner: CheckedUser;
  let id = '';
  const stateNow = async (): Promise<Json> => owner.request('GET', `/campaigns/${id}`);
  before(async () => {
    owner = await checkedUser(fixture.service, fixture.owner);
    await makeDeployedAgent(owner, 'Front desk');
    await owner.request('POST', '/agents', { name: 'Draft only', instructions: 'Words.' }, 201);
    const contacts = [
      ['Ada', 'Lovelace', ['vip']],
      ['Grace', 'Hopper', ['vip']],
      ['Alan', 'Turing', []],
      ['Joan', 'Clarke', []],
    ] as const;
    for (const [first_name, last_name, tags] of contacts)
      await makeContact(fixture.service, { first_name, last_name, tags });
    const filter = { attribute: 'tag', op: 'eq', value: 'vip' };
    await owner.request('POST', '/segments', { name: 'Important people', filter, shared: true }, 201);
  });

  it('The empty campaign list explains campaigns, and one can be created', () =>
    fixture.visit('/campaigns', async (page) => {
      await page.getByText('A campaign assigns contacts to an agent').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'campaigns-empty');
      await page.getByRole('button', { name: 'Create campaign' }).first().click();
      const form = page.getByRole('dialog', { name: 'Create campaign' });
      await form.getByLabel('Name').fill('Spring');
      await page.keyboard.press('Enter');
      await form.getByText('Choose an agent.').waitFor();
      await form.getByLabel('Agent').selectOption('Front desk (v1)');
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-create');
      await form.getByRole('button', { name: 'Create campaign' }).click();
      await page.getByRole('heading', { name: 'Spring', level: 1 }).waitFor();
      id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      await page.getByText('No contacts enrolled').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-empty');
      assert.equal((await stateNow()).status, 'draft');
    }));

  it('Contacts are enrolled by tag, by search, by a segment and one by one, with a preview of the numbers', () =>
    fixture.visit(`/campaigns/${id}?open=enroll`, async (page) => {
      const dialog = page.getByRole('dialog', { name: 'Enroll contacts in Spring' });
      await dialog.getByLabel('Tag', { exact: true }).fill('vip');
      await dialog.getByText('2 contacts will be enrolled as pending.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-enroll');
      await dialog.getByRole('button', { name: 'Enroll 2 contacts' }).click();
      await page.getByText('2 contacts enrolled in Spring.').waitFor();
      await page.getByText('1–2 of 2').waitFor();

      await page.getByRole('button', { name: 'Enroll contacts' }).click();
      await dialog.getByText('By search').click();
      await dialog.getByLabel('Search', { exact: true }).fill('Nobody of this name');
      await dialog.getByText('No matching contacts.').waitFor();
      await dialog.getByLabel('Search', { exact: true }).fill('Ada');
      await dialog
        .getByText('1 matching contact. The 2 contacts already enrolled keep their status')
        .waitFor();
      await dialog.getByRole('button', { name: 'Enroll 1 contact' }).click();
      await page.getByText('0 contacts enrolled in Spring. 1 was already enrolled.').waitFor();

      await page.getByRole('button', { name: 'Enroll contacts' }).click();
      await dialog.getByText('By filter').click();
      await dialog.getByLabel('Segment').selectOption('Important people');
      await dialog.getByText('Tag is vip', { exact: true }).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-enroll-filter');
      await dialog.getByRole('button', { name: 'Enroll 2 contacts' }).click();
      await page.getByText('0 contacts enrolled in Spring. 2 were already enrolled.').waitFor();

      await page.getByRole('button', { name: 'Enroll contacts' }).click();
      await dialog.getByText('One by one').click();
      await dialog.getByLabel('Find contacts').fill('Turing');
      await dialog.getByRole('checkbox', { name: 'Alan Turing' }).click();
      await dialog.getByLabel('Find contacts').fill('Clarke');
      await dialog.getByRole('checkbox', { name: 'Joan Clarke' }).click();
      await dialog.getByRole('button', { name: 'Remove Alan Turing' }).click();
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-enroll-chosen');
      await dialog.getByRole('button', { name: 'Enroll 1 contact' }).click();
      await page.getByText('1 contact enrolled in Spring.').waitFor();
      assert.deepEqual((await stateNow()).enrolled, enrollmentCounts({ pending: 3 }));
    }));

  it('A campaign shows its enrollments by status, and one can be changed or removed', () =>
    fixture.visit(`/campaigns/${id}`, async (page) => {
      const status = page.getByRole('button', { name: 'Status of Ada Lovelace: Pending' });
      await status.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Pending selected' }).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-status-menu');
      await page.getByRole('menuitem', { name: 'Completed' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('Ada Lovelace marked as completed.').waitFor();
      await page.getByRole('button', { name: '1 Completed' }).click();
      await page.waitForURL('**?status=completed');
      await page.getByText('1–1 of 1').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'campaign');
      await page.getByRole('button', { name: '0 Failed' }).click();
      await page.getByText('No failed enrollments').waitFor();
      await page.getByRole('button', { name: 'Show all enrollments' }).click();
      await page.getByRole('button', { name: 'Remove Grace Hopper' }).click();
      const confirm = page.getByRole('dialog', { name: 'Remove Grace Hopper from Spring?' });
      await confirm.getByText('The enrollment status (pending) will be lost.').waitFor();
      await checkAxe(page);
      await confirm.getByRole('button', { name: 'Remove enrollment' }).click();
      await page.getByText('1–2 of 2').waitFor();
      assert.deepEqual((await stateNow()).enrolled, enrollmentCounts({ pending: 1, completed: 1 }));
      await page.getByRole('link', { name: 'Joan Clarke' }).click();
      await page.getByRole('heading', { name: 'Joan Clarke', level: 1 }).waitFor();
    }));

  it('A campaign starts, and a concurrent edit shows both versions to the second user', () =>
    fixture.visit(`/campaigns/${id}`, async (page) => {
      await page.getByRole('button', { name: 'Start' }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Start/ })
        .click();
      await page.getByText('Spring is now active.').waitFor();
      await page.getByRole('button', { name: 'Edit' }).click();
      const edit = page.getByRole('dialog', { name: 'Edit campaign' });
      await edit.getByLabel('Name').fill('Mine');
      await edit.getByLabel('Agent').selectOption('Draft only (not deployed)');
      await owner.request('PATCH', `/campaigns/${id}`, { name: 'Theirs', status: 'paused' });
      await edit.getByRole('button', { name: 'Save' }).click();
      await edit.getByText('Someone else changed this campaign').waitFor();
      const [theirs, yours] = ['Their version (saved)', 'Your version (not saved)'].map((name) =>
        edit.getByRole('region', { name }),
      );
      assert.match((await theirs?.innerText()) ?? '', /Theirs\n+Agent: Front desk\n+Paused/);
      assert.match((await yours?.innerText()) ?? '', /Mine\n+Agent: Draft only\n/);
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-conflict');
      assert.equal((await stateNow()).name, 'Theirs');
      await edit.getByRole('button', { name: 'Save mine' }).click();
      await page.getByText('Mine saved.').waitFor();
      const { name, agent, status } = await stateNow();
      assert.deepEqual([name, agent.name, status], ['Mine', 'Draft only', 'paused']);
    }));

  it('A campaign is saved without a conflict when only its enrollments changed', () =>
    fixture.visit(`/campaigns/${id}?open=edit`, async (page) => {
      const edit = page.getByRole('dialog', { name: 'Edit campaign' });
      await edit.getByLabel('Name').fill('Autumn');
      const [{ contact_id }] = await owner.request('GET', `/campaigns/${id}/enrollments`);
      await owner.request('PATCH', `/campaigns/${id}/enrollments/${contact_id}`, { status: 'failed' });
      await edit.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Autumn saved.').waitFor();
      assert.equal((await stateNow()).name, 'Autumn');
    }));

  it('Campaigns are listed with agents and counts, and a finished one cannot be restarted', () =>
    fixture.visit('/campaigns', async (page) => {
      await page.getByText('Not deployed').waitFor();
      assert.match(
        await page.getByRole('row').nth(1).innerText(),
        /Autumn\s+Paused\s+Draft only\s+Not deployed\s+2\s+1 completed · 1 failed\s+100%/,
      );
      await checkAxe(page);
      await takeScreenshots(page, 'campaigns');
      await page.getByRole('link', { name: 'Autumn' }).click();
      await page.getByRole('button', { name: 'Finish' }).click();
      const confirm = page.getByRole('dialog', { name: 'Finish Autumn?' });
      await confirm.getByText('No enrollments are pending or in progress.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-finish');
      await confirm.getByRole('button', { name: 'Finish campaign' }).click();
      await page.getByText('Autumn is now finished.').waitFor();
      await page.getByRole('button', { name: 'Enroll contacts' }).waitFor({ state: 'detached' });
      assert.equal((await stateNow()).status, 'finished');
    }));

  it('A campaign shows how many times a dialer has tried each contact, the outcome and the next attempt', async () => {
    const { service } = fixture;
    const agent = await makeDeployedAgent(owner, 'Dialer');
    const fields = { name: 'Queue', agent_id: agent.id, status: 'active' };
    const campaign = await owner.request('POST', '/campaigns', fields, 201);
    await owner.request('POST', `/campaigns/${campaign.id}/enrollments`, { search: 'a' });
    const api = await campaignApi(service);
    const claims = await api.claims(campaign.id, { limit: 3, lease_seconds: 3_500 });
    const [answered, busy] = claims.map(({ claim_id, contact }) => ({ claim_id, id: contact.id }));
    const report = (claim: Json, result: object) =>
      api.report(campaign.id, claim.id, { claim_id: claim.claim_id, ...result });
    await report(answered, { status: 'completed', outcome: 'Appointment confirmed' });
    const retry_at = new Date(Date.now() + 2.4 * 3_600_000).toISOString();
    await report(busy, { status: 'pending', outcome: 'No answer', retry_at });
    await fixture.visit(`/campaigns/${campaign.id}`, async (page) => {
      await page.getByText('Appointment confirmed').waitFor();
      await page.getByText('in 2 hours').waitFor();
      await page.getByText(/^Claimed, expires in 5\d minutes$/).waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'campaign-queue');
      const scroller = page.getByRole('table', { name: 'Enrollments' }).locator('..');
      assert.ok(await scroller.evaluate((card) => card.scrollWidth <= card.clientWidth));
      await page.setViewportSize({ width: 1360, height: 800 });
      const cells = page.getByRole('row').nth(1).getByRole('cell');
      assert.ok(((await cells.nth(0).boundingBox())?.width ?? 0) >= 160);
    });
  });

  it('The page of an active campaign follows the work of dialers without a reload', async () => {
    const agent = await makeDeployedAgent(owner, 'Dialing');
    const [contact] = await owner.request('GET', '/contacts?search=Joan');
    const live = await owner.request('POST', '/campaigns', { name: 'Live', agent_id: agent.id }, 201);
    await owner.request('POST', `/campaigns/${live.id}/enrollments`, { contact_ids: [contact.id] });
    await owner.request('PATCH', `/campaigns/${live.id}`, { status: 'active' });
    await fixture.visit(`/campaigns/${live.id}`, async (page) => {
      const states = page.getByRole('group', { name: 'Enrollments to show' });
      const row = page.locator(`main tr[data-row="${contact.id}"]`);
      await states.getByRole('button', { name: /^1\s*Pending$/ }).waitFor();
      const path = `/campaigns/${live.id}/enrollments/${contact.id}`;
      for (const [status, label] of [
        ['in_progress', 'In progress'],
        ['completed', 'Completed'],
      ] as const) {
        await owner.request('PATCH', path, { status });
        await states.getByRole('button', { name: new RegExp(`^1\\s*${label}$`) }).waitFor();
        await row.getByRole('button', { name: `: ${label}` }).waitFor();
      }
      await page.setViewportSize({ width: 390, height: 844 });
      await row.getByRole('button', { name: ': Completed' }).click();
      await page.getByRole('menuitem', { name: 'Pending' }).click();
      await states.getByRole('button', { name: /^1\s*Pending$/ }).waitFor();
    });
  });
});
