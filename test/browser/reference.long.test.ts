import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { inBrowser } from '../kit/browser/browser.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { KEY } from '../kit/service/test-service.ts';

const SHOTS = 'test/browser/shots';

/** `npm run test:long -- browser` writes them, to be looked at. */
const shoot = async (page: Page, name: string): Promise<void> => {
  if (!process.env.SHOTS) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: `${SHOTS}/${name}.png` });
};

const token = (page: Page) => page.getByPlaceholder('Token').first();

/** Clicks until the sign is visible: Scalar renders operations again while it loads them, and a click on an element that is
 *  then replaced has no effect. */
const clickUntil = async (target: Locator, sign: Locator): Promise<void> => {
  const until = Date.now() + 30_000;
  while (!(await sign.first().isVisible())) {
    assert.ok(Date.now() < until, `${target} did not show ${sign}.`);
    // The effect of an earlier click can cover the target, which makes this click time out.
    await target
      .first()
      .click({ timeout: 2_000 })
      .catch(() => undefined);
    await sign
      .first()
      .waitFor({ timeout: 2_000 })
      .catch(() => undefined);
  }
};

const isDark = (page: Page) => page.evaluate(() => document.body.classList.contains('dark-mode'));

/** Every visit fails on a request to another host and on a violation of the Content-Security-Policy. */
inBrowser('API reference', (fixture) => {
  it('The reference shows the operations and sends a request with the API key of the reader', async () => {
    await fixture.service.post('/v1/contacts', { phone_number: newPhone(), first_name: 'Ada' });
    const work = async (page: Page) => {
      const requests: string[] = [];
      page.on('request', async (request) => {
        const { pathname, search } = new URL(request.url());
        if (!pathname.startsWith('/v1/')) return;
        const authorization = await request.headerValue('authorization');
        requests.push(`${request.method()} ${pathname}${search} ${authorization}`);
      });
      await token(page).fill(KEY);
      const send = page.getByRole('button', { name: /Send/ });
      await clickUntil(
        page.getByRole('link', { name: /List contacts/ }),
        page.getByText('Maximum number of records per page.'),
      );
      await page.getByText('curl').first().waitFor();
      await clickUntil(page.getByRole('button', { name: /Test Request/ }), send);
      await send.first().click();
      await page.getByText('200 OK').first().waitFor();
      await page.getByText('"Ada"').first().waitFor();
      assert.deepEqual(requests, [`GET /v1/contacts?limit=20&offset=0 Bearer ${KEY}`]);
      await shoot(page, 'reference-try-light');

      const stored = await page.evaluate(async () => [
        JSON.stringify({ ...localStorage }),
        JSON.stringify({ ...sessionStorage }),
        document.cookie,
        JSON.stringify(await indexedDB.databases()),
      ]);
      for (const text of stored) assert.ok(!text.includes(KEY), text);
      assert.equal(stored[3], '[]');
      await page.reload();
      await token(page).waitFor();
      assert.equal(await token(page).inputValue(), '', 'the key is forgotten');
    };
    await fixture.visit('/docs', work, { signedIn: false });
  });

  it('The reference follows the color scheme of the system and fits on a phone', async () => {
    const work = async (page: Page) => {
      await token(page).waitFor();
      assert.equal(await isDark(page), false);
      await shoot(page, 'reference-light');
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.reload();
      await token(page).waitFor();
      assert.equal(await isDark(page), true);
      await shoot(page, 'reference-dark');
      await page.setViewportSize({ width: 390, height: 844 });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 390, `${width} pixels wide`);
      await shoot(page, 'reference-phone-dark');
      await page.emulateMedia({ colorScheme: 'light' });
    };
    await fixture.visit('/docs', work, { signedIn: false });
  });

  it('Without JavaScript the page links to the OpenAPI documents', async () => {
    const context = await fixture.browser.newContext({ javaScriptEnabled: false });
    try {
      const page = await context.newPage();
      await page.goto(`${fixture.service.url}/docs/`);
      const links = page.getByRole('link');
      assert.deepEqual(await links.allTextContents(), ['/openapi.json', '/dashboard/openapi.json']);
    } finally {
      await context.close();
    }
  });
});
