import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { type BrowserFixture, checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { addFilter } from '../kit/browser/lists.ts';
import { sendReadsAlone } from '../kit/browser/reads.ts';
import { checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeDeployedAgent, makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import type { Json } from '../kit/service/test-service.ts';

const ADA = '+12125550101';
const INSTRUCTIONS = `Greet {{first_name}}.\n${'Ask what the call is about.\n'.repeat(20)}End politely.`;
const made = {} as Record<'ada' | 'agent' | 'phone' | 'chat' | 'call', Json> & { sha256: string };

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
/** The texts of a row's cells without the first one, which is the time. */
const cellsOf = async (row: Locator) => (await row.getByRole('cell').allInnerTexts()).map(oneLine).slice(1);

/** 52 inbound phone calls by Ada, of which the last one has ended, and an outbound message on a channel without an
 *  agent. */
const fill = async ({ service, owner }: BrowserFixture) => {
  const user = await checkedUser(service, owner);
  const { request } = user;
  made.ada = await makeContact(service, { phone_number: ADA, first_name: 'Ada', last_name: 'Lovelace' });
  made.agent = await makeDeployedAgent(user, 'Front desk', INSTRUCTIONS);
  made.phone = await request(
    'POST',
    '/channels',
    { kind: 'phone', name: 'Desk line', address: '+12125550190' },
    201,
  );
  made.chat = await request(
    'POST',
    '/channels',
    { kind: 'sms', name: 'Texts', address: '+12125550191' },
    201,
  );
  await request('PUT', `/channels/${made.phone.id}/agent`, { agent_id: made.agent.id });
  await recordCall(service, made.chat, '+12125550177', { type: 'message', direction: 'outbound' });
  for (let count = 0; count < 51; count++) await recordCall(service, made.phone, ADA);
  const { body } = await service.get(
    `/hooks/channels/${made.phone.id}/agent?number=${encodeURIComponent(ADA)}`,
    { key: made.phone.secret },
  );
  made.sha256 = body.data.sha256;
  made.call = await recordCall(service, made.phone, ADA, {
    instructions_sha256: made.sha256,
    provider_id: 'CA-last',
    status: 'completed',
    seconds: 192,
  });
};

inBrowser('Empty call history', (fixture) => {
  it('The empty call history says where calls come from', () =>
    fixture.visit('/calls', async (page) => {
      await page.getByText('No calls yet').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'calls-empty');
      await page.getByRole('link', { name: 'Go to Channels' }).click();
      await page.waitForURL('**/channels');
    }));
});

inBrowser('Call history', (fixture) => {
  before(() => fill(fixture));

  it('The call history is paginated and shows the agent and the contact of each call', () =>
    fixture.visit('/calls', async (page) => {
      await page.getByText('1–50 of 53').waitFor();
      const first = page.getByRole('row').nth(1).getByRole('cell').first();
      assert.match(oneLine(await first.innerText()), /^Inbound call .*(just now|ago), \d\d:\d\d$/);
      assert.deepEqual(await cellsOf(page.getByRole('row').nth(1)), [
        'Ada Lovelace',
        'Front desk v1',
        'Desk line Phone',
        'Completed',
        '',
        '3:12',
      ]);
      await checkAxe(page);
      await takeScreenshots(page, 'calls');
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('51–53 of 53').waitFor();
      await page.getByRole('cell', { name: '+12125550177', exact: true }).waitFor();
      assert.deepEqual(await cellsOf(page.getByRole('row').last()), [
        '+12125550177',
        'No agent',
        'Texts SMS',
        'Completed',
        '',
        '',
      ]);
    }));

  it('The call history is filtered by chips, and the URL has the filters', () =>
    fixture.visit('/calls', async (page) => {
      await page.getByText('1–50 of 53').waitFor();
      await page.getByRole('button', { name: 'Add filter' }).click();
      await page.getByRole('button', { name: 'Contact', exact: true }).click();
      await page.getByRole('combobox', { name: 'Contact' }).fill('lovelace');
      await page.getByRole('option', { name: /Ada Lovelace/ }).waitFor();
      await checkAxe(page);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/calls?contact=${made.ada.id}`);
      await page.getByText('1–50 of 52').waitFor();
      await page.getByRole('button', { name: 'Contact: Ada Lovelace' }).waitFor();
      await addFilter(page, 'Channel', 'Texts');
      await page.getByText('No matching calls').waitFor();
      await page.waitForURL(`**/calls?contact=${made.ada.id}&channel=${made.chat.id}`);
      await checkAxe(page);
      await takeScreenshots(page, 'calls-no-result');
      await page.getByRole('button', { name: 'Remove filter Contact' }).click();
      await page.getByText('1–1 of 1').waitFor();
      await page.getByRole('button', { name: 'Clear all' }).click();
      await addFilter(page, 'Agent', 'Front desk');
      await page.getByText('1–50 of 52').waitFor();
      await addFilter(page, 'Version', 'Front desk v1');
      await page.waitForURL(`**/calls?*version=${made.agent.version.id}*`);
      await addFilter(page, 'Status', 'Completed');
      await page.getByText('1–1 of 1').waitFor();
      await page.goto(`${fixture.service.url}/calls?direction=outbound&type=message`);
      await page.getByText('1–1 of 1').waitFor();
      await page.getByRole('button', { name: 'Direction: Outbound' }).waitFor();
      await page.getByRole('button', { name: 'Type: Messages' }).waitFor();
    }));

  it('Calls are sorted by start, exported as they are filtered, and have optional columns', () =>
    fixture.visit('/calls', async (page) => {
      await page.getByRole('button', { name: 'Call', exact: true }).click();
      await page.waitForURL('**/calls?sort=-started_at');
      await page.getByRole('button', { name: 'Call', exact: true }).click();
      await page.waitForURL('**/calls?sort=started_at');
      await page
        .getByRole('columnheader', { name: 'Call' })
        .and(page.locator('[aria-sort=ascending]'))
        .waitFor();
      await addFilter(page, 'Status', 'Completed');
      await page.getByText('2 matches').waitFor();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Export CSV' }).click(),
      ]);
      assert.equal(file.suggestedFilename(), 'calls.csv');
      const lines = readFileSync(await file.path(), 'utf8')
        .trim()
        .split('\r\n');
      assert.equal(lines.length, 3);
      // The newest first. The call started 192 seconds before its only report, and so before the message.
      assert.match(lines[2] as string, /,completed,.*,CA-last,/);
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('checkbox', { name: 'Provider ID' }).click();
      await page.keyboard.press('Escape');
      await page.getByRole('cell', { name: 'CA-last' }).waitFor();
    }));

  it('Charts show outcomes, durations and versions of what is filtered, and lead to a day', () =>
    fixture.visit('/calls', async (page) => {
      await page.getByRole('button', { name: 'Show charts' }).click();
      await page.waitForURL('**/calls?charts=true');
      const outcomes = page.getByRole('application', { name: /^Outcomes per day/ });
      await outcomes.waitFor();
      await page.getByRole('list', { name: 'Outcomes' }).getByRole('listitem').nth(1).waitFor();
      assert.deepEqual(
        await page.getByRole('list', { name: 'Outcomes' }).getByRole('listitem').allTextContents(),
        ['Completed2', 'In progress51'],
      );
      await page.getByText('Average 3:12').waitFor();
      const row = page.getByRole('table', { name: 'Calls by version' }).getByRole('row').last();
      await row.getByRole('cell').first().waitFor();
      assert.deepEqual(await row.getByRole('cell').allTextContents(), ['52', '100%', '3:12']);
      await checkAxe(page);
      await takeScreenshots(page, 'calls-charts');
      await page.getByRole('button', { name: 'Show as table: Outcomes per day' }).click();
      const table = page.getByRole('region', { name: 'Outcomes per day, table' });
      const today = new Date().toISOString().slice(0, 10);
      await table.getByRole('link').first().click();
      await page.waitForURL(`**/calls?*date=${today}..${today}*`);
      await page.getByText('53 matches').waitFor();
      await row.getByRole('link', { name: 'Front desk v1' }).click();
      await page.waitForURL('**/calls?*version=*');
      await page.getByText('52 matches').waitFor();
    }));

  it('A call opens over the list, and the back button closes it', () =>
    fixture.visit('/calls', async (page) => {
      await page
        .getByRole('link', { name: /^Inbound call with Ada Lovelace/ })
        .first()
        .click();
      await page.waitForURL(`**/calls?call=${made.call.id}`);
      const dialog = page.getByRole('dialog', { name: 'Inbound call with Ada Lovelace' });
      await dialog.getByText('CA-last').waitFor();
      const facts = (await dialog.getByRole('definition').allInnerTexts()).map(oneLine);
      assert.deepEqual(facts.slice(0, 5), [
        'Ada Lovelace',
        ADA,
        'Front desk v1',
        'Desk line Phone',
        'Completed',
      ]);
      assert.equal(facts[7], '3:12');
      const used = dialog.getByRole('region', { name: 'Instructions used' });
      await used.getByText(made.sha256).waitFor();
      await used.getByText('v1', { exact: true }).waitFor();
      const text = used.getByRole('region', { name: 'Text of the instructions' });
      assert.equal(await text.textContent(), INSTRUCTIONS.replace('{{first_name}}', 'Ada'));
      await used.getByRole('button', { name: 'Copy SHA-256' }).click();
      await used.getByRole('button', { name: 'Copied' }).waitFor();
      await text.scrollIntoViewIfNeeded();
      await checkAxe(page);
      await takeScreenshots(page, 'call');
      await page.goBack();
      await dialog.waitFor({ state: 'detached' });
      await page.goto(`${fixture.service.url}/calls?call=${made.call.id}`);
      await dialog.getByRole('link', { name: 'Ada Lovelace' }).click();
      await page.waitForURL(`**/contacts/${made.ada.id}`);
    }));

  it('The call history keeps the calls of deleted records', async () => {
    await fixture.service.delete(`/v1/contacts/${made.ada.id}`);
    await fixture.service.delete(`/v1/agents/${made.agent.id}`);
    await fixture.owner.call('DELETE', `/channels/${made.phone.id}`);
    await fixture.visit(`/calls?call=${made.call.id}`, async (page) => {
      const dialog = page.getByRole('dialog', { name: 'Inbound call with Deleted contact' });
      await dialog.getByText('Front desk (deleted)').waitFor();
      await dialog.getByText('Deleted channel').waitFor();
      assert.equal(await dialog.getByRole('link').count(), 0);
      assert.equal(await dialog.getByText('Instructions used').count(), 0);
    });
  });

  it('The list behind an open call shows the same status as its dialog', async () => {
    const provider_id = 'CA-open';
    const line = await makePhoneChannel(await checkedUser(fixture.service, fixture.owner));
    const { id } = await recordCall(fixture.service, line, ADA, { provider_id });
    const report = (status: string) => recordCall(fixture.service, line, ADA, { provider_id, status });
    await fixture.visit('/calls', async (page) => {
      const row = page.locator(`main tr[data-row="${id}"]`);
      await row.getByText('In progress').waitFor();
      // From now on only the dialog gets a response.
      await sendReadsAlone(page);
      await page.route(/\/v1\/calls\?/, () => {});
      await report('completed');
      await row.getByRole('link').first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Completed').waitFor();
      await row.getByText('Completed').waitFor();
      await takeScreenshots(page, 'call-open');
    });
  });
});
