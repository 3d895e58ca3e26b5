import { spawnSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';
import { configuredOr, inPath, installPackage, isProgram, isRoot } from './programs.ts';

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
];

/** Playwright's own browser, if it is installed. */
const playwrightBrowser = (): string | undefined =>
  isProgram(chromium.executablePath()) ? chromium.executablePath() : undefined;

/** Installs a browser if none is found and no user interaction is needed. */
const install = (): string | undefined => {
  installPackage('chromium');
  const found = inPath(NAMES);
  if (found) return found;
  spawnSync('npx', ['playwright-core', 'install', 'chromium-headless-shell'], {
    stdio: 'ignore',
    timeout: 600_000,
  });
  return playwrightBrowser();
};

/** The path of a browser. The system tier calls it before its files start: an installation blocks its process for minutes. */
export const findChromium = (): string => {
  const found = configuredOr('CHROMIUM_PATH', NAMES) ?? playwrightBrowser() ?? install();
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
