import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { valueSaved } from '../kit/browser/waits.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeDeployedAgent, makePhoneChannel } from '../kit/fixtures/calls.ts';
import type { Json } from '../kit/service/test-service.ts';

const NOTES = `${'Prefers to be called in the morning. '.repeat(10)}End.`;

inBrowser('Old and new values', (fixture) => {
  let owner: CheckedUser;
  let contact: Json;
  before(async () => {
    owner = await checkedUser(fixture.service, fixture.owner);
    await owner.request('POST', '/fields', { key: 'renewal', label: 'Renewal', type: 'date' }, 201);
    const [one, two] = [
      await makeDeployedAgent(owner, 'Front desk'),
      await makeDeployedAgent(owner, 'Sales'),
    ];
    const channel = await makePhoneChannel(owner, one);
    await owner.request('PUT', `/channels/${channel.id}/agent`, { agent_id: two.id });
    const campaign = await owner.request('POST', '/campaigns', { name: 'May', agent_id: one.id }, 201);
    await owner.request('PUT', `/campaigns/${campaign.id}/schedule`, {
      max_attempts: 3,
      min_retry_minutes: 60,
      call_window: { days: ['mon', 'tue'], from: '09:00', to: '17:00' },
    });
    contact = await owner.request(
      'POST',
      '/contacts',
      { phone_number: '+14155550123', company: 'Oldtown' },
      201,
    );
  });
  const fits = async (page: Page) => {
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 360, `${wide} pixels`);
  };
  const linesOf = async (list: Locator) => {
    await list.getByText('now:').first().waitFor();
    return (await list.getByRole('listitem').allTextContents()).map((text) => text.replaceAll(/\s+/g, ' '));
  };

  it('An owner changes a setting and sees its old and new value in the audit log', async () => {
    await owner.request('PATCH', '/settings', { default_country: 'DE' });
    await owner.request('PATCH', '/settings', { default_country: 'FR' });
    await fixture.visit('/settings?tab=workspace', async (page) => {
      await page.getByLabel('Name').fill('Acme');
      await page.getByRole('button', { name: 'Rename' }).click();
      await page.getByText('Workspace renamed to Acme.').waitFor();
      await page.goto(`${fixture.service.url}/audit-log`);
      const row = (text: string) => page.getByRole('row').filter({ hasText: text }).first();
      assert.match((await linesOf(row('Name:'))).join(), /^Name: before: \S+ → now: Acme$/);
      assert.deepEqual(await linesOf(row('France')), ['Default country: before: Germany → now: France']);
      assert.deepEqual(await linesOf(row('Channel connected')), ['Agent: before: Front desk → now: Sales']);
      const schedule = row('Campaign updated');
      assert.equal((await linesOf(schedule)).length, 2);
      await schedule.getByRole('button', { name: 'and 1 more' }).press('Enter');
      assert.equal((await linesOf(schedule)).length, 3);
      await checkAxe(page);
      await takeScreenshots(page, 'audit-log-values');
      await row('Channel connected').getByRole('link', { name: 'Sales' }).click();
      await page.getByRole('heading', { level: 1, name: 'Sales' }).waitFor();
    });
    await fixture.visit(
      '/audit-log',
      async (page) => {
        await page.getByText('Germany').first().waitFor();
        await fits(page);
        await checkAxe(page);
      },
      { width: 360 },
    );
  });

  it("A contact's company is changed and the timeline shows the old and the new one", async () => {
    const path = `/contacts/${contact.id}`;
    const entry = (page: Page, title: string) =>
      page.getByRole('list', { name: 'Timeline' }).locator('> li').filter({ hasText: title });
    await fixture.visit(path, async (page) => {
      await page.getByRole('button', { name: 'Edit Company' }).click();
      await page.getByLabel('Company', { exact: true }).fill('Newtown');
      await page.keyboard.press('Enter');
      await valueSaved(page, 'Newtown Edit Company');
      assert.deepEqual(await linesOf(entry(page, 'Changed: Company')), [
        'Company: before: Oldtown → now: Newtown',
      ]);
      await owner.request('PATCH', path, { notes: NOTES, fields: { renewal: '2026-03-01' } });
      await page.reload();
      const edit = entry(page, 'Changed: Notes, Renewal');
      await edit.getByText('1 Mar 2026').waitFor();
      assert.equal(await edit.getByText('End.').count(), 0);
      await edit.getByRole('button', { name: 'Show the whole text' }).press('Enter');
      await edit.getByText('End.').waitFor();
      await checkAxe(page);
      await edit.scrollIntoViewIfNeeded();
      await takeScreenshots(page, 'contact-timeline-values');
    });
    await fixture.visit(
      path,
      async (page) => {
        await page.getByText('Oldtown').waitFor();
        await fits(page);
        await checkAxe(page);
      },
      { width: 360 },
    );
  });
});
