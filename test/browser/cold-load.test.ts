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
  home: [15, 275_000],
  'contact-conflict': [17, 250_000],
  agent: [20, 345_000],
  'agent-compare': [28, 370_000],
  version: [23, 320_000],
  campaign: [18, 320_000],
};

interface Request {
  readonly path: string;
  readonly body: string;
}

/** A page is complete when nothing is loading, its scripts have nothing to do, and this time has passed without a request. */
const QUIET_MS = 300;

const idle = (ms: number) =>
  new Promise<void>((resolve) => requestIdleCallback(() => setTimeout(resolve, ms)));

/** Opens pages without a cache, each in the same tab. */
const coldLoads = async (browser: Browser, origin: string, cookie: string) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Lax' }]);
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  await network.send('Network.enable');
  let requests: Request[] = [];
  let bytes = 0;
  const loading = new Set<string>();
  let stream = '';
  let isStreaming = false;
  network.on('Network.requestWillBeSent', ({ requestId, request: { url, postData = '' } }) => {
    if (!url.startsWith('http')) return;
    requests.push({ path: url.slice(origin.length), body: postData });
    if (url.endsWith('/dashboard/api/live')) stream = requestId;
    else loading.add(requestId);
  });
  network.on('Network.dataReceived', ({ requestId }) => {
    isStreaming ||= requestId === stream;
  });
  network.on('Network.loadingFailed', ({ requestId }) => loading.delete(requestId));
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    loading.delete(requestId);
    bytes += encodedDataLength;
  });
  /** The requests of a page, and what their responses took on the wire, with headers. The stream of changes counts as a request. The work
   *  that its first message names may be read again, if it was read before the stream began, which depends on the network. */
  const load = async (path: string) => {
    await page.goto('about:blank');
    await network.send('Network.clearBrowserCache');
    [requests, bytes, stream, isStreaming] = [[], 0, '', false];
    loading.clear();
    await page.goto(origin + path);
    await page.waitForFunction(() => document.querySelector('h1') !== null);
    for (let count = -1; count !== requests.length || loading.size > 0 || !isStreaming; ) {
      count = requests.length;
      await page.evaluate(idle, QUIET_MS);
    }
    const known = new Set<string>();
    const counted = requests.filter(({ path, body }) => {
      const paths: string[] = body ? JSON.parse(body).paths : [path];
      const isNew = paths.some((each) => !known.has(each));
      for (const each of paths) known.add(each);
      return isNew;
    });
    return { requests: counted, bytes };
  };
  return { load, close: () => context.close() };
};

inBrowser('A cold load', (fixture) => {
  let owner: DashboardUser;
  before(async () => {
    owner = await createDemoWorkspace(fixture.service);
  });

  it('No page needs more than 15 requests and 250 kB, except for those with an editor, charts or dialogs', async () => {
    const { load, close } = await coldLoads(fixture.browser, fixture.service.url, owner.cookie);
    const rows: string[] = [];
    let isOver = false;
    try {
      for (const [name, path] of Object.entries(await demoPages(owner))) {
        const { requests, bytes } = await load(path);
        const [maxRequests, maxBytes] = LARGER[name] ?? [MAX_REQUESTS, MAX_BYTES];
        const isHeavy = requests.length > maxRequests || bytes > maxBytes;
        isOver ||= isHeavy;
        rows.push(
          `${isHeavy ? '✗' : ' '} ${name}: ${requests.length} requests, ${Math.round(bytes / 1_000)} kB`,
        );
        if (isHeavy) rows.push(...requests.map((each) => `    ${each.path.slice(0, 120)} ${each.body}`));
      }
    } finally {
      await close();
    }
    assert.ok(!isOver, `\n${rows.join('\n')}`);
  });

  it('A page reads nothing twice when its live stream begins', async () => {
    const { load, close } = await coldLoads(fixture.browser, fixture.service.url, owner.cookie);
    try {
      const { requests } = await load('/agents');
      const reads = requests.flatMap(({ path, body }) => (body ? JSON.parse(body).paths : [path]));
      const ofApi = reads.filter((path) => /^\/(v1|dashboard\/api)\//.test(path));
      const once = ofApi.filter((path) => !/\/(notices|bulk-jobs|webhooks)\b/.test(path));
      assert.deepEqual(once, [...new Set(once)]);
      assert.ok(ofApi.some((path) => path.startsWith('/v1/agents')));
    } finally {
      await close();
    }
  });
});
