import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { demoPages } from '../kit/browser/demo-pages.ts';
import { type Firefox, launchFirefox, withoutFirefox } from '../kit/browser/firefox.ts';
import { FirefoxPage } from '../kit/browser/firefox-page.ts';
import { isSettled, letToastsStay } from '../kit/browser/waits.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { PASSWORD } from '../kit/dashboard/users.ts';
import { engines } from '../kit/database/engines.ts';
import { makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { createDemoWorkspace } from '../kit/fixtures/demo-data.ts';
import { type Json, startTestService, type TestService } from '../kit/service/test-service.ts';

const SHOTS = 'test/browser/shots';
const CONTACT = { phone_number: '+12125550177', first_name: 'Ada', last_name: 'Firefox', tags: ['vip'] };

describe('The dashboard in Firefox', { skip: withoutFirefox }, () => {
  let folder: string;
  let service: TestService;
  let owner: CheckedUser;
  let firefox: Firefox;
  let page: FirefoxPage;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'roster-test-'));
    service = await startTestService(await engines.sqlite());
    owner = await checkedUser(service, await createDemoWorkspace(service));
    firefox = await launchFirefox();
    page = await FirefoxPage.open(firefox.bidi, service.url);
    await page.setWidth(1280);
    if (process.env.SHOTS) mkdirSync(SHOTS, { recursive: true });
  });
  after(async () => {
    await firefox?.close();
    await service?.stop();
    await service?.database.drop();
    rmSync(folder, { recursive: true });
  });

  const open = async (path: string) => {
    await page.goto(service.url + path);
    await page.until(isSettled);
  };
  const addressIs = (path: string) =>
    page.until((each) => location.pathname + location.search === each, path);
  /** Runs the work and fails if the browser has reported an error meanwhile. */
  const flow = (title: string, work: () => Promise<void>, expected?: RegExp) =>
    it(title, async () => {
      page.faults.length = 0;
      await work();
      assert.deepEqual(
        page.faults.filter((each) => !expected?.test(each)),
        [],
      );
    });
  const contact = async () =>
    (await owner.request('GET', `/contacts?search=${encodeURIComponent(CONTACT.phone_number)}`))[0];

  flow(
    'A user signs in with the form',
    async () => {
      await open('/contacts');
      await page.click('input', 'Email');
      await page.type('robin@example.com');
      await page.press('Tab');
      await page.type(PASSWORD);
      await page.press('Enter');
      await page.has('h1', 'Contacts');
      await addressIs('/contacts');
    },
    /^401: GET .*\/dashboard\/api\/session$/,
  );

  for (const width of [1280, 390])
    flow(`Every page has its title and fits a window of ${width} pixels`, async () => {
      await page.setWidth(width);
      for (const [name, path] of Object.entries(await demoPages(owner))) {
        await open(path);
        assert.equal(await page.evaluate(() => document.querySelectorAll('h1').length), 1, name);
        assert.match(await page.evaluate(() => document.title), /^.+ · Roster$/);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${name} is ${wide} pixels wide in a window of ${width}`);
        if (process.env.SHOTS) await page.screenshot(`${SHOTS}/firefox-${name}-${width}.png`);
      }
      await page.setWidth(1280);
    });

  flow('A page that is left while it loads reports no lost connection', async () => {
    for (const path of ['/contacts', '/calls', '/agents', '/contacts', '/calls'])
      await page.goto(service.url + path);
    await page.until(isSettled);
  });

  flow('A contact is found by typing, opened with the keyboard, edited in place and tagged', async () => {
    const { id } = await owner.request('POST', '/contacts', CONTACT, 201);
    await open('/contacts');
    await page.press('/');
    await page.hasFocus('input[type=search]');
    await page.type('ada firef');
    await addressIs('/contacts?search=ada+firef');
    await page.until(() => document.querySelectorAll('main tr[data-row]').length === 1);
    await open('/contacts');
    await page.press('j');
    await page.hasFocus(`tr[data-row="${id}"]`);
    await page.press('Enter');
    await addressIs(`/contacts/${id}`);
    await page.has('h1', 'Ada Firefox');

    await page.click('button', 'Not set Edit Company');
    await page.hasFocus('input');
    await page.type('Analytical Engines');
    await page.press('Enter');
    await page.has('button[aria-busy=false]', 'Analytical Engines Edit Company');
    assert.equal((await contact()).company, 'Analytical Engines');

    const tagsAre = (tags: string) =>
      page.waitFor(`the tags ${tags}`, async () => (await contact()).tags.join() === tags);
    await page.click('button', 'Edit tags');
    await page.hasFocus('input');
    await page.type('fox,');
    await page.click('button', 'Save');
    await page.has('a', 'fox');
    await page.shows('Tags changed.');
    await tagsAre('vip,fox');
    await page.click('button', 'Edit tags');
    await page.click('button', 'Remove vip');
    await page.click('button', 'Save');
    await page.has('a', 'vip', false);
    await tagsAre('fox');
  });

  flow('Ctrl K opens the command palette, which leads to a page', async () => {
    await open('/');
    await page.press('Control+k');
    await page.hasFocus('[role=combobox]');
    await page.type('webhooks');
    await page.until(() =>
      /^Webhooks/.test(document.querySelector('[role=option][aria-selected=true]')?.textContent ?? ''),
    );
    await page.press('Enter');
    await addressIs('/webhooks');
    await page.has('h1', 'Webhooks');
  });

  flow('The dialog of a deploy opens, closes with Escape and returns the focus', async () => {
    const agents: Json[] = await owner.request('GET', '/agents');
    await open(`/agents/${agents.find(({ name }) => name === 'Accounts & invoices').id}`);
    await page.click('button', 'Deploy v2');
    await page.has('[role=dialog]', 'Deploy v2');
    await page.hasFocus('[role=dialog]');
    await page.press('Escape');
    await page.has('[role=dialog]', 'Deploy v2', false);
    await page.until(() => document.activeElement?.textContent === 'Deploy v2');
  });

  flow('A reported call appears within two seconds, without a reload', async () => {
    const line = await makePhoneChannel(owner);
    await open('/calls');
    await page.evaluate(() => {
      document.title = 'The same page';
    });
    await recordCall(service, line, CONTACT.phone_number, { status: 'completed', seconds: 10 });
    const reported = performance.now();
    await page.has('a', 'Ada Firefox');
    const ms = performance.now() - reported;
    assert.ok(ms < 2_000, `after ${ms} ms`);
    assert.equal(await page.evaluate(() => document.title), 'The same page');
  });

  flow('A deleted contact comes back with Undo', async () => {
    const { id } = await contact();
    await open(`/contacts/${id}?open=delete`);
    await page.evaluate(letToastsStay);
    await page.click('button', 'Delete contact');
    await addressIs('/contacts');
    await page.shows('Ada Firefox deleted.');
    await page.has('main a', 'Ada Firefox', false);
    await page.click('button', 'Undo z');
    await page.has('main a', 'Ada Firefox');
    assert.equal((await contact()).id, id);
  });

  flow('A chosen file is imported up to the preview', async () => {
    const file = join(folder, 'people.csv');
    const rows = [`Ada,${CONTACT.phone_number}`, 'Grace,+12125550178', 'None,12'];
    writeFileSync(file, ['First name,Phone', ...rows].join('\n'));
    await open('/import');
    await page.setFile(file);
    await page.click('button', 'Preview import');
    const chips = 'fieldset button';
    for (const each of ['3 All rows', '1 Create', '1 Unchanged', '1 Invalid']) await page.has(chips, each);
    assert.equal((await owner.request('GET', '/imports'))[0].state, 'planned');
  });
});
