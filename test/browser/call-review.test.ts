import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { editorShows, replaceInstructions } from '../kit/browser/editor.ts';
import { addFilter, shownRows } from '../kit/browser/lists.ts';
import { dialogHasFocus, valueSaved } from '../kit/browser/waits.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeDeployedAgent, makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import type { Json } from '../kit/service/test-service.ts';
import type { TestChannel } from '../kit/webhooks/channel-hooks.ts';

const ADA = '+12125550101';
const LINES = [
  'Hello, this is the front desk. How can I help you?',
  'I would like to move my appointment on Thursday, because I have to bring my parrot to the veterinarian.',
  'Of course. Which day would suit you better?',
];

inBrowser('Reviewing calls', (fixture) => {
  let owner: CheckedUser;
  let agent: Json;
  let line: TestChannel;
  const ids: string[] = [];
  /** A call that began after the deploy, so a version spoke in it. */
  let heard = '';
  const report = (at: number, fields: Json) =>
    recordCall(fixture.service, line, ADA, {
      provider_id: `CA-${at}`,
      started_at: new Date(Date.now() - at * 60_000).toISOString(),
      ...fields,
    });
  before(async () => {
    owner = await checkedUser(fixture.service, fixture.owner);
    agent = await makeDeployedAgent(owner, 'Front desk', 'Greet the caller.');
    line = await makePhoneChannel(owner, agent);
    await makeContact(fixture.service, { phone_number: ADA, first_name: 'Ada', last_name: 'Lovelace' });
    await owner.request('PUT', '/call-settings', { dispositions: [], field_rules: [], transcript_days: 30 });
    for (let at = 27; at >= 1; at--)
      ids.unshift(
        (await report(at, { status: 'completed', seconds: 20 + at, summary: `Summary ${at}.` })).id,
      );
    await owner.request('PUT', `/calls/${ids[0]}/transcript`, { turns });
  });
  const turns = Array.from({ length: 30 }, (_, at) => ({
    speaker: at % 2 === 0 ? 'agent' : 'caller',
    text: LINES[at % 3],
    at: new Date(Date.UTC(2026, 10, 18, 9, 0, at * 7)).toISOString(),
  }));
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Inbound call with Ada Lovelace' });

  it('The keys j and k open the next and the previous call, over the border of a page, and say where the list ends', () =>
    fixture.visit(`/calls?size=25&sort=-started_at&call=${ids[23]}`, async (page) => {
      await dialog(page).getByText('24 of 27').waitFor();
      await dialogHasFocus(page);
      await dialog(page).getByText('Summary 24.').waitFor();
      for (const position of ['25 of 27', '26 of 27', '27 of 27']) {
        await page.keyboard.press('j');
        await dialog(page).getByText(position).waitFor();
      }
      await dialog(page).getByText('Summary 27.').waitFor();
      await page.waitForURL(`**/calls?*page=2*`);
      assert.ok(await dialog(page).getByRole('button', { name: 'Next record' }).isDisabled());
      await page.keyboard.press('k');
      await dialog(page).getByText('26 of 27').waitFor();
      await page.keyboard.press('k');
      await dialog(page).getByText('25 of 27').waitFor();
      await dialog(page).getByRole('button', { name: 'Previous record' }).click();
      await dialog(page).getByText('Summary 24.').waitFor();
      await checkAxe(page);
    }));

  it('A note and tags are edited in the open call, kept while moving on is not confirmed, and filter the list', () =>
    fixture.visit(`/calls?sort=-started_at&call=${ids[0]}`, async (page) => {
      await dialog(page).getByRole('button', { name: 'Edit Note' }).click();
      await dialog(page).getByRole('textbox', { name: 'Note' }).fill('Ask about the parrot. jk');
      await takeScreenshots(page, 'call-review-editing');
      await dialog(page).getByRole('button', { name: 'Next record' }).click();
      const discard = page.getByRole('dialog').filter({ hasText: 'will be lost' });
      await discard.getByRole('button', { name: 'Keep editing' }).click();
      await dialog(page).getByRole('button', { name: 'Save' }).click();
      await valueSaved(page, 'Edit Note');
      await dialog(page).getByRole('button', { name: 'Edit Tags' }).click();
      await page.keyboard.type('pets,');
      await page.keyboard.type('follow up');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await valueSaved(page, 'Edit Tags');
      const { note, tags } = await owner.request('GET', `/calls/${ids[0]}`);
      assert.deepEqual([note, tags], ['Ask about the parrot. jk', ['pets', 'follow up']]);
      await dialog(page).getByText('I would like to move my appointment').first().waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'call-review');
      await page.keyboard.press('Escape');
      await addFilter(page, 'Tag', 'pets');
      await shownRows(page, 1);
      await page.getByRole('button', { name: 'Clear all' }).click();
      const search = page.getByRole('searchbox', { name: 'Search in summaries, notes and transcripts' });
      await search.fill('VETERINARIAN');
      await shownRows(page, 1);
      await search.fill('ask about');
      await shownRows(page, 1);
    }));

  it('Calls in progress are above the list, and follow their reports', () =>
    fixture.visit('/calls', async (page) => {
      await shownRows(page, 27);
      const active = page.getByRole('region', { name: 'Calls in progress' });
      assert.equal(await active.count(), 0);
      heard = (await report(0, { provider_id: 'CA-live' })).id;
      await owner.request('PUT', `/calls/${heard}/transcript`, { turns });
      await active.getByText('1 call in progress').waitFor();
      await checkAxe(page);
      await takeScreenshots(page, 'calls-in-progress');
      await active.getByRole('link', { name: /Ada Lovelace/ }).click();
      await dialog(page).getByText('In progress').waitFor();
      await page.keyboard.press('Escape');
      await report(0, {
        provider_id: 'CA-live',
        status: 'completed',
        summary: 'Ada moves her appointment to Friday.',
      });
      await active.waitFor({ state: 'detached' });
    }));

  for (const width of [1280, 390])
    it(`A call leads to the editor of its agent with the transcript beside it, at ${width} pixels`, () =>
      fixture.visit(
        `/calls?call=${heard}`,
        async (page) => {
          await dialog(page).getByRole('button', { name: 'Improve this version' }).click();
          await page.waitForURL(`**/agents/${agent.id}?call=${heard}`);
          await editorShows(page, 'Greet the caller.');
          await page.getByRole('heading', { name: 'Call with Ada Lovelace' }).waitFor();
          await page.getByText('I would like to move my appointment').first().waitFor();
          await replaceInstructions(page, `Greet the caller. Width ${width}.`);
          await checkAxe(page);
          await takeScreenshots(page, `call-improve-${width}`);
          if (width === 1280) await page.keyboard.press('Control+s');
          else await page.getByRole('button', { name: 'Save draft' }).click();
          await page.getByText('Draft saved.').waitFor();
          await page.getByText(/^v1 spoke\. The editor shows v\d\.$/).waitFor();
          await takeScreenshots(page, `call-improved-${width}`);
          await page.getByRole('button', { name: 'Close call' }).click();
          await page.getByRole('heading', { name: 'Versions' }).waitFor();
          const [, previous] = (await owner.request('GET', `/agents/${agent.id}`)).versions;
          const same = await owner.request('PATCH', `/agents/${agent.id}`, {
            instructions: 'Greet the caller.',
          });
          assert.ok(previous && same);
        },
        { width },
      ));
});
