import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { inBrowser } from '../kit/browser/browser.ts';
import type { DashboardUser } from '../kit/dashboard/users.ts';
import { createDemoWorkspace } from '../kit/fixtures/demo-data.ts';
import type { Json } from '../kit/service/test-service.ts';

const SHOTS = 'test/browser/shots';
const windows = [
  [360, 740],
  [3840, 1200],
  [1280, 800],
] as const;

/** Every page, by the name of its screenshot. Dialogs, empty pages and other settings have screenshots in their own
 *  tests. */
const pathsOf = async ({ call }: DashboardUser): Promise<Record<string, string>> => {
  const first = async (list: string, name?: string): Promise<string> => {
    const { data } = (await call('GET', list)).body;
    return (name ? data.find((each: Json) => each.name === name) : data[0]).id;
  };
  const agent = `/agents/${await first('/agents', 'Service & repairs')}`;
  const campaign = `/campaigns/${await first('/campaigns', 'New season tasting')}`;
  const { data: calls } = (await call('GET', '/calls?direction=outbound')).body;
  const { data: conflicts } = (await call('GET', '/contacts/conflicts')).body;
  return {
    home: '/?days=90',
    contacts: '/contacts',
    contact: `/contacts/${calls.find(({ contact_id }: Json) => contact_id).contact_id}`,
    'contact-conflict': `/contacts/${conflicts[0].contact.id}`,
    segments: '/segments',
    import: '/import',
    'import-record': `/import/${await first('/imports')}`,
    agents: '/agents',
    agent,
    'agent-compare': `${agent}?compare=v2..v4`,
    version: `${agent}/versions/v2`,
    campaigns: '/campaigns',
    campaign,
    calls: '/calls',
    channels: '/channels',
    integrations: '/integrations',
    webhooks: '/webhooks',
    'audit-log': '/audit-log',
    tags: '/tags',
    'settings-keys': '/settings?tab=keys',
    'settings-members': '/settings?tab=members',
    'settings-fields': '/settings?tab=fields',
    'not-found': '/nowhere',
  };
};

/** Waits until the page has loaded its data. */
const untilSettled = (page: Page) =>
  page.waitForFunction(
    () =>
      document.querySelector('h1') !== null &&
      document.querySelector('main .animate-pulse, [aria-busy="true"]') === null,
  );

/** The duration of the longest animation on the page, in seconds. */
const slowest = (page: Page) =>
  page.evaluate(() => {
    const seconds = (text: string) => text.split(',').map(Number.parseFloat);
    const each = [...document.querySelectorAll('*')].map((element) => getComputedStyle(element));
    return Math.max(
      ...each.flatMap((style) => [...seconds(style.transitionDuration), ...seconds(style.animationDuration)]),
    );
  });

const takePageScreenshots = async (page: Page, name: string, width: number) => {
  for (const theme of ['light', 'dark']) {
    await page.evaluate((dark) => document.documentElement.classList.toggle('dark', dark), theme === 'dark');
    const path = `${SHOTS}/all-${name}-${width}-${theme}.${width > 2_000 ? 'jpeg' : 'png'}`;
    await page.screenshot({ path, animations: 'disabled' });
  }
};

inBrowser('All pages', (fixture) => {
  let demoOwner: DashboardUser;
  before(async () => {
    mkdirSync(SHOTS, { recursive: true });
    demoOwner = await createDemoWorkspace(fixture.service);
  });

  it('Every page fits phone, laptop and large screens, has a title, and is reachable by keyboard', async () => {
    const paths = await pathsOf(demoOwner);
    await fixture.visit(
      '/sign-in',
      async (page) => {
        for (const [name, path] of Object.entries(paths)) {
          await page.goto(fixture.service.url + path);
          await untilSettled(page);
          assert.match(await page.title(), /^.+ · Roster$/);
          assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, name);
          assert.ok((await slowest(page)) <= 0.001, `${name} moves`);
          for (const [width, height] of windows) {
            await page.setViewportSize({ width, height });
            await takePageScreenshots(page, name, width);
            const wide = await page.evaluate(() => document.documentElement.scrollWidth);
            assert.ok(wide <= width, `${name} is ${wide} pixels wide in a window of ${width}`);
          }
          await page.keyboard.press('Tab');
          await page.keyboard.press('Enter');
          const focusedId = () => page.evaluate(() => document.activeElement?.id);
          assert.equal(await focusedId(), 'main', name);
          await page.keyboard.press('Tab');
          assert.equal(await page.locator('main :focus').count(), 1, name);
        }
      },
      { user: demoOwner },
    );
  });

  it('Animations run when reduced motion is not requested', () =>
    fixture.visit(
      '/contacts',
      async (page) => {
        await untilSettled(page);
        await page.emulateMedia({ reducedMotion: 'no-preference' });
        assert.ok((await slowest(page)) >= 0.1);
      },
      { user: demoOwner },
    ));
});
