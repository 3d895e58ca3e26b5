import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { inBrowser } from '../kit/browser/browser.ts';
import { waitForRead } from '../kit/browser/reads.ts';

const CONTACTS = 20_000;
const BATCH = 1_000;
const SLOWDOWN = 4;
/** No task may block the page longer on a processor of a quarter of the speed. */
const MAX_TASK_MS = 200;
/** A task takes longer if other programs use the processor, so the best of several rounds counts. */
const MAX_ROUNDS = 8;
const SETTLE_MS = 1_500;
const MAX_MS = 600_000;

const phoneOf = (index: number) => `+4915${String(100_000_000 + index)}`;

/** Begins to record tasks that block the page, from the next navigation. */
const recordTasks = (page: Page) =>
  page.addInitScript(() => {
    const tasks: number[] = [];
    Object.assign(globalThis, { blockingTasks: tasks });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(Math.round(duration));
    }).observe({ type: 'longtask', buffered: true });
  });

const takeTasks = (page: Page): Promise<number[]> =>
  page.evaluate(() => (globalThis as unknown as { blockingTasks?: number[] }).blockingTasks?.splice(0) ?? []);

/** A click at a position does not run queries in the page while it is measured. */
const centerOf = async (control: Locator): Promise<[number, number]> => {
  await control.scrollIntoViewIfNeeded();
  const box = await control.boundingBox();
  assert.ok(box);
  return [box.x + box.width / 2, box.y + box.height / 2];
};

inBrowser('Responsiveness', (fixture) => {
  before(async () => {
    for (let first = 0; first < CONTACTS; first += BATCH) {
      const operations = Array.from({ length: BATCH }, (_, index) => ({
        op: 'create',
        phone_number: phoneOf(first + index),
        first_name: `First${first + index}`,
        last_name: `Last${index}`,
        tags: [`group-${index % 7}`, 'all'],
      }));
      const { status } = await fixture.service.post('/v1/contacts/batch', { operations });
      assert.equal(status, 200);
    }
  });

  it(
    'No task blocks the contacts page for 200 ms with 20,000 contacts on a slow processor',
    { timeout: MAX_MS },
    () =>
      fixture.visit('/favicon.svg', async (page) => {
        const session = await page.context().newCDPSession(page);
        await recordTasks(page);
        await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
        const best: Record<string, number> = {};
        const measure = async (name: string, path: RegExp | undefined, work: () => Promise<unknown>) => {
          // The queries of the test run in the page, and their tasks are reported late.
          await page.waitForTimeout(SETTLE_MS);
          await takeTasks(page);
          const answered = path && waitForRead(page, path);
          await work();
          await answered;
          await page.waitForTimeout(SETTLE_MS);
          const longest = Math.max(0, ...(await takeTasks(page)));
          best[name] = Math.min(longest, best[name] ?? Number.POSITIVE_INFINITY);
        };
        for (let round = 0; round < MAX_ROUNDS; round++) {
          await measure('load', /api\/contacts\?/, () =>
            page.goto(`${fixture.service.url}/contacts`, { waitUntil: 'commit' }),
          );
          const selectAll = await centerOf(page.getByLabel('Select all on this page'));
          await measure('select', undefined, () => page.mouse.click(...selectAll));
          const next = await centerOf(page.getByRole('button', { name: 'Next' }));
          await measure('next page', /offset=50/, () => page.mouse.click(...next));
          const name = await centerOf(page.getByRole('button', { name: 'Name', exact: true }));
          await measure('sort', /sort=name/, () => page.mouse.click(...name));
          await page.getByRole('searchbox').first().focus();
          await measure('search', /search=Last99/, () => page.keyboard.insertText('Last99'));
          await page.getByText(/220 matches/).waitFor();
          if (Object.values(best).every((longest) => longest <= MAX_TASK_MS)) break;
        }
        await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
        console.log(`Longest task of each step in milliseconds: ${JSON.stringify(best)}`);
        for (const [name, longest] of Object.entries(best))
          assert.ok(longest <= MAX_TASK_MS, `${name}: ${longest} ms`);
      }),
  );
});
