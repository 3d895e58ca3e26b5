import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type BrowserFixture, checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { makeAgent, makeContact } from '../kit/fixtures/factories.ts';
import { fillContacts } from '../kit/fixtures/large-workspace.ts';

const COUNT = 1_230;

const totalOf = async ({ service }: BrowserFixture, query: string): Promise<number> =>
  (await service.get(`/v1/contacts?${query}`)).body.pagination.total;

const selectAll = async (page: Page, button: string) => {
  await page.getByLabel('Select all on this page').click();
  await page.getByRole('button', { name: button }).click();
  await page.getByText(`${button.match(/[\d,]+/)?.[0]} selected`).waitFor();
};

const bar = (page: Page) => page.getByRole('region', { name: 'Selection' });

inBrowser('Selection of contacts', (fixture) => {
  before(async () => {
    await fillContacts(fixture.service.database, 1, COUNT);
    const agent = await makeAgent(fixture.service);
    await fixture.owner.call('POST', '/campaigns', { name: 'Spring', agent_id: agent.id, status: 'active' });
  });

  it('All contacts except three are tagged by a job that survives leaving the page and a reload', () =>
    fixture.visit('/contacts?tag=all', async (page) => {
      await selectAll(page, 'Select all 1,230 matching');
      for (const box of (await page.getByRole('row').getByRole('checkbox').all()).slice(1, 4))
        await box.click();
      await bar(page).getByText('1,227 selected').waitFor();
      await bar(page).getByText('All 1,230 except 3').waitFor();
      await takeScreenshots(page, 'contacts-all-selected');
      await bar(page).getByRole('button', { name: 'Tag' }).click();
      const dialog = page.getByRole('dialog', { name: 'Tag 1,227 contacts' });
      await dialog.getByText('Except 3 that you deselected.').waitFor();
      await dialog.getByLabel('Tags to add').fill('letter,');
      await checkAxe(page);
      await takeScreenshots(page, 'contacts-tag');
      await dialog.getByRole('button', { name: 'Update tags' }).click();
      await bar(page).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Campaigns', exact: true }).click();
      await page.reload();
      await page.getByRole('button', { name: /^Jobs/ }).click();
      const jobs = page.getByRole('dialog', { name: 'Jobs' });
      await jobs.getByText('Tags updated for 1,227 contacts.').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'bulk-jobs');
      await jobs.getByRole('link', { name: 'Show contacts' }).click();
      await page.waitForURL('**/contacts?tag=letter');
      await page.getByText('1–50 of 1,227').waitFor();
      assert.equal(await totalOf(fixture, 'tag=letter'), COUNT - 3);
    }));

  it('A running job shows its progress on every page, in every tab, and can be canceled', () =>
    fixture.visit('/contacts', async (page) => {
      const { data: job } = (
        await fixture.owner.call('POST', '/bulk-jobs', { action: 'export', selection: { filter: {} } })
      ).body;
      // A job that no runner finds stays as it is.
      await fixture.service.database.query(
        `update bulk_jobs set action = 'delete', status = 'running', processed = 615, finished_at = null where id = ?`,
        job.id,
      );
      await page.reload();
      await page.getByRole('status').filter({ hasText: 'Delete 1,230 contacts: 50% done' }).waitFor();
      await page.getByRole('button', { name: 'Jobs: Delete 1,230 contacts 50%' }).click();
      const jobs = page.getByRole('dialog', { name: 'Jobs' });
      await jobs.getByText('615 of 1,230').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'bulk-job-running');
      await jobs.getByRole('button', { name: 'Cancel: Delete 1,230 contacts' }).click();
      await jobs.getByText('Canceled after 615 contacts. Finished changes remain.').waitFor();
      await page
        .getByRole('region', { name: 'Notifications' })
        .getByText('Canceled after 615 contacts.')
        .waitFor();
    }));

  it('Removing the tag that a selection was filtered by removes it from all contacts', () =>
    fixture.visit('/contacts?tag=letter', async (page) => {
      await selectAll(page, 'Select all 1,227 matching');
      await bar(page).getByRole('button', { name: 'Tag' }).click();
      await page.getByLabel('Tags to remove').fill('letter,');
      await page.getByRole('button', { name: 'Update tags' }).click();
      await page.getByText('Tags updated for 1,227 contacts.').waitFor();
      await page.getByText('No matching contacts').waitFor();
      assert.equal(await totalOf(fixture, 'tag=letter'), 0);
    }));

  it('A job that cannot be started keeps the input, and its result names contacts with too many tags', async () => {
    const tags = Array.from({ length: 50 }, (_, at) => `t${at}`);
    await makeContact(fixture.service, { first_name: 'Full', tags });
    await makeContact(fixture.service, { first_name: 'Empty' });
    const broken = {
      success: false,
      error: { code: 'INTERNAL_ERROR', message: 'Something broke.', request_id: 'r1' },
    };
    const visit = async (page: Page) => {
      await page.getByLabel('Select Full').click();
      await page.getByLabel('Select Empty').click();
      await bar(page).getByRole('button', { name: 'Tag' }).click();
      await page.getByRole('button', { name: 'Update tags' }).click();
      await page.getByText('Enter a tag to add or remove.').waitFor();
      await page.getByLabel('Tags to add').fill('more');
      await page.route('**/bulk-jobs', (route) => route.fulfill({ status: 500, json: broken }));
      await page.getByRole('button', { name: 'Update tags' }).click();
      await page.getByText('Something broke.').waitFor();
      await page.unroute('**/bulk-jobs');
      await page.getByRole('button', { name: 'Update tags' }).click();
      const notes = page.getByRole('region', { name: 'Notifications' });
      await notes.getByText('Tags updated for 1 contact.').waitFor();
      await notes.getByRole('button', { name: 'Show details' }).click();
      await page.getByText("1 contact couldn't be updated:").waitFor();
      await page.getByText('The contact would have 51 tags; the maximum is 50.').waitFor();
      await checkAxe(page);
    };
    await fixture.visit('/contacts', visit, { expected: /500/ });
    assert.equal(await totalOf(fixture, 'tag=more'), 1);
  });

  it('A selection is exported', () =>
    fixture.visit('/contacts?tag=rare', async (page) => {
      const linesOf = async () => {
        const loading = page.waitForEvent('download');
        await bar(page).getByRole('button', { name: 'Export' }).click();
        return readFileSync(await (await loading).path(), 'utf8')
          .trim()
          .split('\n').length;
      };
      await page.getByLabel('Select unique1200').click();
      await page.getByLabel('Select unique1150').click();
      assert.equal(await linesOf(), 1 + 2);
    }));

  it('A selection is enrolled in a campaign, each contact once', () =>
    fixture.visit('/contacts?tag=rare', async (page) => {
      await page.getByLabel('Select all on this page').click();
      for (const text of [
        '25 contacts enrolled in Spring.',
        '0 contacts enrolled in Spring. 25 were already enrolled.',
      ]) {
        if (text.startsWith('0')) await page.getByLabel('Select all on this page').click();
        await bar(page).getByRole('button', { name: 'Enroll' }).click();
        await page.getByRole('combobox', { name: 'Campaign' }).selectOption({ label: 'Spring (active)' });
        if (text.startsWith('2')) await checkAxe(page);
        await page.getByRole('dialog').getByRole('button', { name: 'Enroll' }).click();
        await page.getByText(text).waitFor();
      }
      const { body } = await fixture.owner.call('GET', '/campaigns');
      assert.equal(body.data[0].enrolled.pending, 25);
      await page.getByRole('link', { name: 'Open campaign' }).last().click();
      await page.getByRole('heading', { name: 'Spring', level: 1 }).waitFor();
    }));

  it('Contacts can be exported by tag, by search, or all of them', () =>
    fixture.visit('/contacts?tag=rare', async (page) => {
      const linesOf = async (item: string) => {
        await page.getByRole('button', { name: 'Export' }).click();
        const loading = page.waitForEvent('download');
        await page.getByRole('menuitem', { name: item }).click();
        const download = await loading;
        assert.equal(download.suggestedFilename(), item.includes('CSV') ? 'contacts.csv' : 'contacts.jsonl');
        return readFileSync(await download.path(), 'utf8')
          .trim()
          .split('\n').length;
      };
      assert.equal(await linesOf('Matching contacts (CSV)'), 26);
      assert.equal(await linesOf('All contacts (JSON Lines)'), COUNT + 2);
      await page.getByLabel('Search contacts').fill('unique50');
      await page.waitForURL('**tag=rare&search=unique50');
      assert.equal(await linesOf('Matching contacts (CSV)'), 3);
      await page.goto(`${fixture.service.url}/contacts?search=unique120`);
      assert.equal(await linesOf('Matching contacts (CSV)'), 12);
    }));

  it('Deleting a selection requires a typed word and spares contacts created after the selection', () =>
    fixture.visit('/contacts?search=lovelace', async (page) => {
      const found = await totalOf(fixture, 'search=lovelace');
      assert.equal(found, 130);
      await selectAll(page, 'Select all 130 matching');
      await makeContact(fixture.service, { last_name: 'Lovelace', first_name: 'Late' });
      await bar(page).getByRole('button', { name: 'Delete' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Their campaign enrollments are removed.').waitFor();
      const action = dialog.getByRole('button', { name: 'Delete 130 contacts' });
      assert.equal(await action.isDisabled(), true);
      await checkAxe(page);
      await takeScreenshots(page, 'contacts-delete');
      await dialog.getByLabel('Type delete to confirm').fill('delete');
      await action.click();
      await page.getByText('130 contacts deleted.').waitFor();
      await page.getByRole('link', { name: 'Late Lovelace' }).waitFor();
      await page.getByRole('button', { name: 'Dismiss' }).click();
      while ((await totalOf(fixture, 'search=lovelace')) > 1) await page.waitForTimeout(50);
      assert.equal(await totalOf(fixture, ''), COUNT + 3 - 130);
    }));

  it('Changing the filter clears the selection', () =>
    fixture.visit('/contacts', async (page) => {
      await page.getByLabel('Select Late Lovelace').click();
      await page.getByText('1 selected').waitFor();
      await page.getByLabel('Search contacts').fill('hopper');
      await page.waitForURL('**search=hopper');
      await bar(page).waitFor({ state: 'detached' });
    }));
});

const MANY = 10_100;

inBrowser('Selection of more contacts than the list counts', (fixture) => {
  before(() => fillContacts(fixture.service.database, 1, MANY));

  it('Heading, footer and button name the total only if it is known, and count it on request', () =>
    fixture.visit('/contacts?email=yes', async (page) => {
      await page.getByText('More than 10,000 matches').waitFor();
      await page.getByText('1–50 of 10,000+').waitFor();
      await page.getByLabel('Select all on this page').click();
      await takeScreenshots(page, 'contacts-many');
      await bar(page).getByRole('button', { name: 'Select all matching', exact: true }).click();
      await bar(page).getByText('10,100 selected').waitFor();
      await bar(page).getByRole('button', { name: 'Clear selection' }).click();
      await page.getByRole('button', { name: 'Count all' }).click();
      await page.getByText('10,100 matches', { exact: true }).waitFor();
      await page.getByText('1–50 of 10,100').waitFor();
      await selectAll(page, 'Select all 10,100 matching');
    }));
});
