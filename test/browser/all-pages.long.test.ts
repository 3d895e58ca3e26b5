import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { inBrowser } from '../kit/browser/browser.ts';
import { demoPages } from '../kit/browser/demo-pages.ts';
import { isSettled } from '../kit/browser/waits.ts';
import type { DashboardUser } from '../kit/dashboard/users.ts';
import { createDemoWorkspace } from '../kit/fixtures/demo-data.ts';

const SHOTS = 'test/browser/shots';
const windows = [
  [360, 740],
  [3840, 1200],
  [1280, 800],
] as const;

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
    const paths = await demoPages(demoOwner);
    await fixture.visit(
      '/sign-in',
      async (page) => {
        for (const [name, path] of Object.entries(paths)) {
          await page.goto(fixture.service.url + path);
          await page.waitForFunction(isSettled);
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
        await page.waitForFunction(isSettled);
        await page.emulateMedia({ reducedMotion: 'no-preference' });
        assert.ok((await slowest(page)) >= 0.1);
      },
      { user: demoOwner },
    ));
});
