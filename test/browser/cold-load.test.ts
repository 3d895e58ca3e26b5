import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { inBrowser } from '../kit/browser/browser.ts';
import { demoPages } from '../kit/browser/demo-pages.ts';
import type { DashboardUser } from '../kit/dashboard/users.ts';
import { createDemoWorkspace } from '../kit/fixtures/demo-data.ts';

const MAX_REQUESTS = 15;
const MAX_BYTES = 250_000;
/** Pages that load an editor, charts, formats of phone numbers or a tab besides. These limits may only become smaller. */
const LARGER: Readonly<Record<string, readonly [requests: number, bytes: number]>> = {
  home: [17, 270_000],
  agents: [17, 200_000],
  contact: [20, 235_000],
  'contact-conflict': [27, 250_000],
  agent: [24, 355_000],
  'agent-compare': [34, 385_000],
  version: [28, 345_000],
  campaign: [22, 325_000],
  'settings-members': [20, 215_000],
  'settings-fields': [20, 215_000],
};

/** What follows the first content is loaded in this time. */
const QUIET_MS = 3_000;

/** The requests of a page without a cache, and what their responses took on the wire, with headers. */
const coldLoad = async (browser: Browser, url: string, cookie: string) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }]);
    const page = await context.newPage();
    const network = await context.newCDPSession(page);
    await network.send('Network.enable');
    const urls: string[] = [];
    let bytes = 0;
    let last = performance.now();
    network.on('Network.requestWillBeSent', ({ request }) => {
      if (!request.url.startsWith('http')) return;
      urls.push(request.url);
      last = performance.now();
    });
    network.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
      last = performance.now();
    });
    await page.goto(url);
    await page.waitForFunction(() => document.querySelector('h1') !== null);
    while (performance.now() - last < QUIET_MS) await page.waitForTimeout(QUIET_MS / 5);
    return { urls, bytes };
  } finally {
    await context.close();
  }
};

inBrowser('A cold load', (fixture) => {
  let owner: DashboardUser;
  before(async () => {
    owner = await createDemoWorkspace(fixture.service);
  });

  it('No page needs more than 15 requests and 250 kB, except for those with an editor, charts or dialogs', async () => {
    const rows: string[] = [];
    let isOver = false;
    for (const [name, path] of Object.entries(await demoPages(owner))) {
      const { urls, bytes } = await coldLoad(fixture.browser, fixture.service.url + path, owner.cookie);
      const [maxRequests, maxBytes] = LARGER[name] ?? [MAX_REQUESTS, MAX_BYTES];
      const isHeavy = urls.length > maxRequests || bytes > maxBytes;
      isOver ||= isHeavy;
      rows.push(`${isHeavy ? '✗' : ' '} ${name}: ${urls.length} requests, ${Math.round(bytes / 1_000)} kB`);
      if (isHeavy) rows.push(...urls.map((url) => `    ${url.slice(fixture.service.url.length, 120)}`));
    }
    assert.ok(!isOver, `\n${rows.join('\n')}`);
  });

  it('A page reads nothing twice when its live stream begins', async () => {
    const { urls } = await coldLoad(fixture.browser, `${fixture.service.url}/agents`, owner.cookie);
    const sessions = urls.filter((url) => url.endsWith('/dashboard/api/session'));
    assert.equal(sessions.length, 1);
    assert.equal(urls.filter((url) => /\/v1\/agents/.test(url)).length, 0, 'it shares a request with others');
  });
});
