import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { type BrowserFixture, checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { addFilter } from '../kit/browser/lists.ts';
import { checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { makeAgent, makeContact } from '../kit/fixtures/factories.ts';
import { McpClient } from '../kit/http/mcp.ts';
import { applyImport, planCsv } from '../kit/imports/imports.ts';
import type { Json } from '../kit/service/test-service.ts';

const made = {} as Record<'ada' | 'gone' | 'agent' | 'file', Json>;
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The texts of a row's cells, without the time and without the request. */
const cellsOf = async (row: Locator) => {
  const [change = '', ...rest] = await row.getByRole('cell').allInnerTexts();
  return [change.split('\n')[0], ...rest.slice(0, 3).map(oneLine)];
};

const fill = async ({ service, owner }: BrowserFixture) => {
  const user = await checkedUser(service, owner);
  const { request } = user;
  for (let count = 0; count < 50; count++) await makeContact(service);
  made.ada = await makeContact(service, { first_name: 'Ada', last_name: 'Lovelace' });
  await request('PATCH', `/contacts/${made.ada.id}`, { company: 'Engines', notes: 'Met in June.' });
  made.gone = await makeContact(service, { first_name: 'Eve' });
  await request('DELETE', `/contacts/${made.gone.id}`);
  made.agent = await makeAgent(service, { name: 'Front desk' });
  const [version] = (await request('GET', `/agents/${made.agent.id}`)).versions;
  await request('POST', `/agents/${made.agent.id}/versions/${version.id}/deploy`, {});
  made.file = await planCsv(user, 'Phone,Name\n+12125550130,Grace\n+12125550131,Alan\n');
  await applyImport(user, made.file.id);
  const campaign = await request('POST', '/campaigns', { name: 'Season', agent_id: made.agent.id }, 201);
  await request('POST', `/campaigns/${campaign.id}/enrollments`, { contact_ids: [made.ada.id] });
  const { phone_number } = made.ada;
  await new McpClient(service).use('save_person', { phone_number, company: 'Analytical Engines' });
};

inBrowser('Audit log', (fixture) => {
  before(() => fill(fixture));

  it('The audit log shows who changed what by name, newest first', () =>
    fixture.visit('/audit-log', async (page) => {
      await page.getByText(/^1–50 of \d+$/).waitFor();
      const rows = page.getByRole('row');
      const me = 'owner@example.com User';
      const key = 'Environment API key';
      const expected = [
        ['Contact updated', 'Ada Lovelace', 'Company', `${key} via MCP`],
        ['Enrollment created', 'Ada Lovelace in Season', '1 enrolled', me],
        ['Campaign created', 'Season', '', me],
        ['Import applied', 'import.csv', '2 created', me],
        ['Import created', 'import.csv', '2 to create', me],
        ['Agent deployed', 'v1 of Front desk', '', me],
        ['Version created', 'v1 of Front desk', '', key],
        ['Agent created', 'Front desk', '', key],
        ['Contact deleted', `${made.gone.id} (deleted)`, '', me],
        ['Contact created', `${made.gone.id} (deleted)`, '', key],
        ['Contact updated', 'Ada Lovelace', 'Company, Notes', me],
      ];
      for (const [at, cells] of expected.entries()) {
        assert.deepEqual(await cellsOf(rows.nth(at + 1)), cells);
      }
      await checkAxe(page);
      await takeScreenshots(page, 'audit-log');
      await page.getByRole('button', { name: 'Next' }).click();
      await page.waitForURL('**/audit-log?page=2');
      await page.getByText('Workspace created').waitFor();
      await page.goto(`${fixture.service.url}/audit-log`);
      await page.getByRole('link', { name: 'Ada Lovelace' }).first().click();
      await page.waitForURL(`**/contacts/${made.ada.id}`);
    }));

  it('The audit log is filtered by kind, user and record, and the URL has the filters', () =>
    fixture.visit('/audit-log', async (page) => {
      await addFilter(page, 'Record type', 'Agent');
      await page.waitForURL('**/audit-log?kind=agent');
      await page.getByText('1–2 of 2').waitFor();
      await addFilter(page, 'Actor', 'owner@example.com');
      await page.getByText('1–1 of 1').waitFor();
      await page.getByRole('cell', { name: 'Agent deployed' }).waitFor();
      await page.goto(`${fixture.service.url}/audit-log?kind=webhook`);
      await page.getByText('No matching entries').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'audit-log-no-result');
      await page.getByRole('button', { name: 'Show all entries' }).click();
      await page.waitForURL('**/audit-log');
      await page.goto(`${fixture.service.url}/audit-log?record=${made.ada.id}`);
      await page.getByText('1–4 of 4').waitFor();
      await page.getByRole('button', { name: 'Remove filter Record' }).click();
      await page.getByText(/^1–50 of \d+$/).waitFor();
    }));

  it('The audit log marks its end and fits a phone', () =>
    fixture.visit(
      '/audit-log?page=99',
      async (page) => {
        await page.getByRole('heading', { name: "This page doesn't exist" }).waitFor();
        await checkAxe(page);
        await takeScreenshots(page, 'audit-log-past-the-end');
        await page.getByRole('button', { name: 'Go to first page' }).click();
        await page.getByText('Import applied').waitFor();
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= 360, `${wide} pixels`);
        await checkAxe(page);
      },
      { width: 360 },
    ));

  it('The audit log is hidden from members', async () => {
    const user = await signedInUser(fixture.service, 'member@example.com', 'member');
    await fixture.visit(
      '/audit-log',
      async (page) => {
        await page.getByText('Owner access required').waitFor();
        await checkAxe(page);
      },
      { user },
    );
  });
});
