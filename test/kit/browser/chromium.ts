import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
];

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const inPath = (names: readonly string[]): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isProgram);

/** Playwright's own browser, if it is installed. */
const playwrightBrowser = (): string | undefined =>
  isProgram(chromium.executablePath()) ? chromium.executablePath() : undefined;

const isRoot = process.getuid?.() === 0;

/** Installs a browser if none is found and no user interaction is needed. */
const install = (): string | undefined => {
  const quietly = { stdio: 'ignore', timeout: 600_000 } as const;
  const apt = inPath(['apt-get']);
  // Another run of the tests may do this at the same time.
  const options = ['-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=90'];
  if (isRoot && apt) spawnSync(apt, ['install', ...options, 'chromium'], quietly);
  const found = inPath(NAMES);
  if (found) return found;
  spawnSync('npx', ['playwright-core', 'install', 'chromium-headless-shell'], quietly);
  return playwrightBrowser();
};

/** The path of a browser. The system tier calls it before its files start: an installation blocks its process for minutes. */
export const findChromium = (): string => {
  const configured = process.env.CHROMIUM_PATH;
  if (configured && !isProgram(configured)) throw new Error(`CHROMIUM_PATH names no program: ${configured}`);
  const found = configured || inPath(NAMES) || playwrightBrowser() || install();
  if (found) return found;
  throw new Error(
    'The tests of the pages need a Chromium. Install the package chromium, or run `npx playwright-core install chromium`, or set CHROMIUM_PATH to the program.',
  );
};

/** A Chromium without background network requests. Names below `.test` resolve to this machine: unlike `localhost`,
 *  they are not a secure context over plain HTTP. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium(),
    args: [
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--font-render-hinting=none',
      '--host-resolver-rules=MAP *.test 127.0.0.1',
      ...(isRoot ? ['--no-sandbox'] : []),
    ],
  });
