import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { type BrowserFixture, checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeDeployedAgent, recordCall } from '../kit/fixtures/calls.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import type { Json } from '../kit/service/test-service.ts';

const ADA = '+12125550101';
const made = {} as Record<'ada' | 'agent' | 'phone' | 'chat' | 'call', Json>;

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
/** The texts of a row's cells without the first one, which is the time. */
const cellsOf = async (row: Locator) => (await row.getByRole('cell').allInnerTexts()).map(oneLine).slice(1);

/** 52 inbound phone calls by Ada, of which the last one has ended, and an outbound message on a channel without an
 *  agent. */
const fill = async ({ service, owner }: BrowserFixture) => {
  const user = await checkedUser(service, owner);
  const { request } = user;
  made.ada = await makeContact(service, { phone_number: ADA, first_name: 'Ada', last_name: 'Lovelace' });
  made.agent = await makeDeployedAgent(user, 'Front desk');
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
  made.call = await recordCall(service, made.phone, ADA, {
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
      assert.deepEqual(await cellsOf(page.getByRole('row').nth(1)), [
        'Ada Lovelace',
        'Front desk v1',
        'Desk line Phone',
        'Completed',
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
      ]);
    }));

  it('The call history is filtered by contact, agent, channel and direction, and the URL has the filters', () =>
    fixture.visit('/calls', async (page) => {
      await page.getByText('1–50 of 53').waitFor();
      await page.getByRole('combobox', { name: 'Contact' }).fill('lovelace');
      await page.getByRole('option', { name: `Ada Lovelace ${ADA}` }).waitFor();
      await checkAxe(page);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/calls?contact=${made.ada.id}`);
      await page.getByText('1–50 of 52').waitFor();
      await page.getByLabel('Channel').selectOption('Texts (SMS)');
      await page.getByText('No matching calls').waitFor();
      await page.waitForURL(`**/calls?contact=${made.ada.id}&channel=${made.chat.id}`);
      await checkAxe(page);
      await takeScreenshots(page, 'calls-no-result');
      await page.getByRole('button', { name: 'Clear contact filter: Ada Lovelace' }).click();
      await page.locator('[role=combobox]:focus').waitFor();
      await page.getByText('1–1 of 1').waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByLabel('Agent').selectOption('Front desk');
      await page.getByText('1–50 of 52').waitFor();
      await page.goto(`${fixture.service.url}/calls?direction=outbound`);
      await page.getByText('1–1 of 1').waitFor();
      assert.equal(await page.getByLabel('Direction').inputValue(), 'outbound');
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
    });
  });
});
