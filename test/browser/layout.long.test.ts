import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { checkAxe, inBrowser, takeScreenshots } from '../kit/browser/browser.ts';
import { instructionsEditor } from '../kit/browser/editor.ts';
import { tableLoaded } from '../kit/browser/lists.ts';
import { checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeDeployedAgent, makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { makeAgent } from '../kit/fixtures/factories.ts';

const DAY_MS = 86_400_000;
const PAGE_SIZE = 25;

const box = async (locator: Locator) => {
  const found = await locator.boundingBox();
  assert.ok(found);
  return found;
};
const boxes = async (locator: Locator) => Promise.all((await locator.all()).map(box));

inBrowser('Layout', (fixture) => {
  let contact: string;
  before(async () => {
    const { service, owner } = fixture;
    const make = async (index: number, fields: object) => {
      const phone_number = `+1202555${String(100 + index).padStart(4, '0')}`;
      const reply = await service.post('/v1/contacts', { phone_number, ...fields });
      assert.equal(reply.status, 201, reply.text);
      contact = reply.body.data.id;
    };
    // The list shows the newest first.
    for (let index = 0; index < 12; index++)
      await make(index, {
        first_name: 'Maximiliana Alexandrina',
        last_name: 'von und zu Hohenlohe-Waldenburg-Schillingsfürst',
        tags: ['a rather long tag of its own', 'another long tag', 'and a third one'],
      });
    for (let index = 0; index < PAGE_SIZE; index++)
      await make(12 + index, { first_name: 'Al', tags: ['vip'] });
    const user = await checkedUser(service, owner);
    const line = await makePhoneChannel(user, await makeDeployedAgent(user, 'Front desk'));
    for (const days of [0, 3, 20])
      for (const status of ['completed', 'failed', 'busy', 'no_answer', 'canceled', 'in_progress'])
        await recordCall(service, line, '+12025550106', {
          started_at: new Date(Date.now() - days * DAY_MS).toISOString(),
          status,
        });
  });

  it('The columns of a list stay where they are when other rows are shown', () =>
    fixture.visit(`/contacts?size=${PAGE_SIZE}`, async (page) => {
      const headers = page.locator('main th[scope=col]');
      const positions = async () => {
        await tableLoaded(page);
        return (await boxes(headers)).map(({ x }) => Math.round(x));
      };
      await page.getByRole('link', { name: 'Al', exact: true }).first().waitFor();
      // The phone library widens its column once.
      await page.locator('main td .figure > span').nth(1).waitFor();
      const before = await positions();
      await page.getByRole('navigation', { name: 'Pages' }).getByText('Next').click();
      await page.getByText('Maximiliana').first().waitFor();
      assert.deepEqual(await positions(), before);
      await takeScreenshots(page, 'contacts-long-names');
      await page.setViewportSize({ width: 1700, height: 800 });
      await page.waitForFunction(
        (x) => (document.querySelector('main th:last-child')?.getBoundingClientRect().x ?? 0) > x + 100,
        before.at(-1) ?? 0,
      );
    }));

  it('The dates of a chart are evenly spaced, and neighbors have equal height', async () => {
    const ticksOf = async (chart: Locator) =>
      (await boxes(chart.locator('.recharts-xAxis-tick-labels .recharts-text'))).map(
        ({ x, width }) => x + width / 2,
      );
    for (const path of ['/?days=30', '/?days=90'])
      await fixture.visit(
        path,
        async (page) => {
          const charts = page.locator('section.card', { has: page.locator('.recharts-surface') });
          await charts.nth(1).locator('.recharts-bar-rectangle').first().waitFor();
          for (const chart of [charts.first(), charts.nth(1)]) {
            const centers = await ticksOf(chart);
            const gaps = centers.slice(1).map((x, at) => x - (centers[at] ?? 0));
            assert.ok(gaps.length > 2, `${path}: ${centers}`);
            assert.ok(Math.max(...gaps) - Math.min(...gaps) < 2, `${path}: ${gaps.map(Math.round)}`);
          }
          const [first, second] = await boxes(charts);
          assert.equal(first?.height, second?.height, path);
          const [one, other] = await boxes(charts.locator('.recharts-wrapper'));
          assert.ok(
            Math.abs((one?.y ?? 0) + (one?.height ?? 0) - (other?.y ?? 0) - (other?.height ?? 0)) < 1,
          );
          await checkAxe(page);
        },
        { width: 1360 },
      );
  });

  it('A chart shows its bars immediately', async () => {
    const page = await fixture.browser.newPage({ reducedMotion: 'no-preference' });
    const [name = '', value = ''] = fixture.owner.cookie.split('=');
    await page
      .context()
      .addCookies([{ name, value, url: fixture.service.url, httpOnly: true, sameSite: 'Lax' }]);
    await page.goto(fixture.service.url);
    const bar = page.locator('.recharts-bar-rectangle path').last();
    await bar.waitFor();
    const { height } = await box(bar);
    await page.waitForTimeout(2_000);
    assert.equal((await box(bar)).height, height, 'the bar does not grow');
    await page.context().close();
  });

  it('The id of a contact is in the line of its label, and a tag looks like one in the list', async () => {
    let inList = '';
    const colors = (tag: Locator) =>
      tag.evaluate((element) => {
        const { color, backgroundColor } = getComputedStyle(element);
        return `${color} on ${backgroundColor}`;
      });
    await fixture.visit('/contacts', async (page) => {
      inList = await colors(page.getByTitle('Show contacts tagged vip').first().locator('> span').first());
    });
    for (const width of [1360, 390])
      await fixture.visit(
        `/contacts/${contact}`,
        async (page) => {
          const id = page.locator('code', { hasText: contact });
          const label = page.locator('dt', { hasText: /^ID$/ });
          const [one, other] = [await box(label), await box(id)];
          assert.ok(Math.abs(one.y + one.height / 2 - other.y - other.height / 2) < 4, `at ${width}`);
          assert.ok(await id.evaluate((each) => each.scrollWidth <= each.clientWidth), `whole at ${width}`);
          const tag = page.getByTitle('Show contacts tagged vip').first();
          assert.equal(await colors(tag.locator('> span').first()), inList);
        },
        { width },
      );
  });

  it('The search of the editor has a row to find, one for options and one to replace', async () => {
    const agent = await makeAgent(fixture.service, { instructions: 'Be kind.' });
    await fixture.visit(`/agents/${agent.id}`, async (page) => {
      assert.equal(await page.getByRole('button', { name: 'Copy agent ID' }).innerText(), 'Copy agent ID');
      await instructionsEditor(page).click();
      await page.keyboard.press('ControlOrMeta+f');
      const panel = page.locator('.cm-search');
      await panel.waitFor();
      const [find, replace] = await boxes(panel.locator('.cm-textfield'));
      const options = await boxes(panel.locator('label'));
      assert.ok(find && replace && options.length === 3);
      assert.ok(options.every(({ y }) => y === options[0]?.y));
      assert.ok(find.y + find.height < (options[0]?.y ?? 0) && (options[0]?.y ?? 0) < replace.y);
      const close = await box(panel.getByRole('button', { name: 'Close' }));
      assert.ok(close.width >= 24 && close.height >= 24);
      assert.ok(Math.abs(close.y + close.height / 2 - find.y - find.height / 2) < 4);
      await checkAxe(page);
      await takeScreenshots(page, 'agent-find');
    });
  });
});
