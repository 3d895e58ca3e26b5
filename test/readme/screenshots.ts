/** `npm run screenshots`: takes the README's screenshots of the dashboard from the sample data, in both themes. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../kit/browser/chromium.ts';
import { withPrograms } from '../kit/process/program.ts';
import { ROOT } from './session.ts';

const FOLDER = join(ROOT, 'docs', 'images');
const MAX_BYTES = 300_000;
const PASSWORD = 'correct horse battery';

/** The pages that are shown, each with the way to open it. */
const pages: Readonly<Record<string, (page: Page, url: string) => Promise<void>>> = {
  home: async (page, url) => {
    await page.goto(url);
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  },
  agent: async (page, url) => {
    await page.goto(`${url}/agents`);
    await page.getByRole('link', { name: 'Order desk' }).first().click();
    await page.getByRole('heading', { name: 'Order desk', level: 1 }).waitFor();
  },
};

interface Demo {
  readonly url: string;
}

/** Fills the workspace `demo` of the running service, and returns its sign-in link. */
const fillDemo = (data: string, url: string): string => {
  const printed = execFileSync(process.execPath, [join(ROOT, 'src/cli.js'), 'demo', '--json'], {
    encoding: 'utf8',
    env: { ...process.env, ROSTER_DATA_DIR: data, PORT: new URL(url).port },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return (JSON.parse(printed) as Demo).url;
};

const signIn = async (page: Page, link: string): Promise<void> => {
  await page.goto(link);
  const passwords = page.locator('input[type=password]');
  await passwords.first().waitFor();
  for (const field of await passwords.all()) await field.fill(PASSWORD);
  await page.locator('button[type=submit]').click();
  await page.waitForURL((url) => !url.pathname.startsWith('/welcome'));
};

const takeAll = async (browser: Browser, url: string, link: string): Promise<void> => {
  const context = await browser.newContext({
    viewport: { width: 1360, height: 850 },
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'UTC',
  });
  const page = await context.newPage();
  await signIn(page, link);
  for (const [name, open] of Object.entries(pages)) {
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await open(page, url);
      await page.waitForLoadState('networkidle');
      const file = join(FOLDER, `${name}-${theme}.png`);
      await page.screenshot({ path: file, animations: 'disabled' });
      const { size } = statSync(file);
      if (size >= MAX_BYTES)
        throw new Error(`${file} has ${size} bytes; it must have fewer than ${MAX_BYTES}.`);
      console.log(`${file}: ${size} bytes`);
    }
  }
};

mkdirSync(FOLDER, { recursive: true });
await withPrograms(async (start, folder) => {
  const { url } = await start().ready();
  const link = fillDemo(join(folder, 'data'), url);
  const browser = await launchChromium();
  try {
    await takeAll(browser, url, link);
  } finally {
    await browser.close();
  }
});
