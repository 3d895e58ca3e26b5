import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe } from 'node:test';
import type { Browser, ConsoleMessage, Locator, Page } from 'playwright-core';
import type { Config } from '../../../src/config/config.ts';
import { type DashboardUser, signedInUser } from '../dashboard/users.ts';
import { engines } from '../database/engines.ts';
import { startTestService, type TestService } from '../service/test-service.ts';
import { launchChromium } from './chromium.ts';

export const OWNER = 'owner@example.com';
const SHOTS = 'test/browser/shots';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A service on a new database, a browser, and a signed-in owner. */
export interface BrowserFixture {
  service: TestService;
  browser: Browser;
  owner: DashboardUser;
  /** A page that stays open during all visits. */
  backgroundPage: Page;
  /** Opens a page, runs the test on it, and fails if the browser reports an error. */
  visit(path: string, work: (page: Page) => Promise<void>, options?: VisitOptions): Promise<void>;
}

export interface VisitOptions {
  /** False opens the page without a session. */
  readonly signedIn?: boolean;
  readonly user?: DashboardUser;
  readonly width?: number;
  readonly height?: number;
  /** A host name below `.test` to use instead of the service's address. */
  readonly host?: string;
  /** Errors that the test provokes, such as a lost connection. */
  readonly expected?: RegExp;
}

/** The browser reports every response above 399 as an error. Those of the API are expected. */
const isApiError = (message: ConsoleMessage): boolean =>
  message.text().startsWith('Failed to load resource: the server responded') &&
  /\/(dashboard\/api|v1)\//.test(message.location().url);

const collectFaults = (page: Page, home: string): string[] => {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !isApiError(message)) faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== home) faults.push(`another host: ${request.url()}`);
  });
  return faults;
};

/** Runs in the page before its own scripts. */
const reportViolations = () => {
  addEventListener('securitypolicyviolation', (event) =>
    console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`),
  );
};

/** Generous, because tests may share two cores with others. */
const TIMEOUT_MS = 30_000;

const ENGINE = process.env.BROWSER_ENGINE === 'postgres' ? 'postgres' : 'sqlite';

/** The pages of a suite share a context, and a process while one of them is open: creating both for each visit would
 *  take most of its time. */
const openBackgroundPage = async ({ browser, service }: BrowserFixture): Promise<Page> => {
  const context = await browser.newContext({
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  await context.addInitScript(reportViolations);
  const page = await context.newPage();
  await page.goto(`${service.url}/favicon.svg`);
  return page;
};

const originOf = ({ service }: BrowserFixture, { host }: VisitOptions): string =>
  host ? service.url.replace('127.0.0.1', host) : service.url;

/** A new page, with or without a session and without data of the previous visit. */
const openPage = async (fixture: BrowserFixture, options: VisitOptions): Promise<Page> => {
  const { backgroundPage, owner } = fixture;
  const { signedIn = true, user = owner, width = 1280, height = 800 } = options;
  const context = backgroundPage.context();
  await context.setOffline(false);
  await context.clearCookies();
  await backgroundPage.evaluate(() => localStorage.clear());
  const [name, value = ''] = user.cookie.split('=');
  if (signedIn && name)
    await context.addCookies([
      { name, value, url: originOf(fixture, options), httpOnly: true, sameSite: 'Lax' },
    ]);
  const page = await context.newPage();
  await page.setViewportSize({ width, height });
  return page;
};

/** A suite of tests in a browser. The fixture is complete when the tests run. */
export const inBrowser = (
  title: string,
  suite: (fixture: BrowserFixture) => void,
  changes: Partial<Config> = {},
): void => {
  describe(`${title} in a browser`, () => {
    const fixture = {} as BrowserFixture;
    before(async () => {
      fixture.service = await startTestService(await engines[ENGINE](), changes);
      fixture.owner = await signedInUser(fixture.service, OWNER);
      fixture.browser = await launchChromium();
      fixture.backgroundPage = await openBackgroundPage(fixture);
    });
    after(async () => {
      await fixture.browser?.close();
      await fixture.service?.stop();
      await fixture.service?.database.drop();
    });
    fixture.visit = async (path, work, options = {}) => {
      const page = await openPage(fixture, options);
      try {
        const home = originOf(fixture, options);
        const faults = collectFaults(page, home);
        await page.goto(home + path);
        await work(page);
        const { expected } = options;
        assert.deepEqual(expected ? faults.filter((each) => !expected.test(each)) : faults, []);
      } finally {
        await page.close();
      }
    };
    suite(fixture);
  });
};

const setTheme = (page: Page, dark: boolean) =>
  page.evaluate((on) => document.documentElement.classList.toggle('dark', on), dark);

const themes = [
  ['light', false],
  ['dark', true],
] as const;

/** The axe rules whose results depend on the theme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

const MAX_REPORTED = 3;

interface AxeResult {
  readonly violations: readonly {
    id: string;
    help: string;
    nodes: readonly { html: string; failureSummary: string }[];
  }[];
}

/** Waits for animations: on a busy machine even a short one can still run, and axe ignores a transparent dialog. */
const animationsFinished = (page: Page) =>
  page.evaluate(async () => {
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  });

/** Opens the command palette and waits until its field has the focus. */
export const openCommandPalette = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+k');
  await page.locator('[role=combobox][aria-label="Search or run a command"]:focus').waitFor();
};

/** Waits until no list is dimmed because its new rows are loading. */
const listsLoaded = (page: Page) =>
  page.waitForFunction(() => !document.querySelector('[aria-busy="true"].opacity-60'));

/** Asserts that axe finds no violation in either theme, once the page is shown. */
export const checkAxe = async (page: Page): Promise<void> => {
  await page.locator('h1').first().waitFor();
  await listsLoaded(page);
  await animationsFinished(page);
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  for (const [name, dark] of themes) {
    await setTheme(page, dark);
    const { violations } = await page.evaluate(
      (options): Promise<AxeResult> =>
        // biome-ignore lint/suspicious/noExplicitAny: axe is put into the page as a script
        (globalThis as any).axe.run(document, { resultTypes: ['violations'], ...options }),
      dark ? { runOnly: COLOR_RULES } : {},
    );
    const findings = violations.map(({ id, help, nodes }) => {
      const first = nodes
        .slice(0, MAX_REPORTED)
        .map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`);
      return `${id} (${nodes.length}): ${help}\n${first.join('\n')}`;
    });
    assert.ok(findings.length === 0, `axe, ${name}:\n${findings.join('\n')}`);
  }
  await setTheme(page, false);
};

/** Whether the user sees both ends of an element: neither scrolled out of view nor covered. */
export const isUncovered = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => {
    const { left, width, top, bottom } = element.getBoundingClientRect();
    const middle = left + width / 2;
    return [top + 4, bottom - 4].every((y) => element.contains(document.elementFromPoint(middle, y)));
  });

/** Takes screenshots in both themes at 1280 and 360 pixels if SHOTS is set, because they are slow. Asserts that the
 *  page is not wider than a phone. */
export const takeScreenshots = async (page: Page, name: string): Promise<void> => {
  if (process.env.SHOTS) mkdirSync(SHOTS, { recursive: true });
  const before = page.viewportSize() ?? { width: 1280, height: 800 };
  for (const [width, height] of [
    [1280, 800],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const [theme, dark] of process.env.SHOTS ? themes : []) {
      await setTheme(page, dark);
      await page.screenshot({ path: `${SHOTS}/${name}-${width}-${theme}.png`, animations: 'disabled' });
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `${name} is ${wide} pixels wide in a window of ${width}`);
  }
  await setTheme(page, false);
  await page.setViewportSize(before);
};
