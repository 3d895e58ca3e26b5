import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Bidi } from './bidi.ts';
import { configuredOr, installPackage } from './programs.ts';

/** The path of a Firefox, if there is one. */
export const findFirefox = (): string | undefined => configuredOr('FIREFOX_PATH', ['firefox', 'firefox-esr']);

/** Installs a Firefox if none is found. The test run calls it before its files start, as with Chromium. */
export const installFirefox = (): void => {
  if (!findFirefox()) installPackage('firefox-esr');
};

/** Why tests in Firefox are skipped. */
export const withoutFirefox: string | false =
  !findFirefox() && 'no Firefox; install the package firefox-esr, or set FIREFOX_PATH to one';

/** No request to another host, and no animations. */
const PREFERENCES = {
  'app.normandy.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'intl.accept_languages': 'en-GB',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'ui.prefersReducedMotion': 1,
  'ui.systemUsesDarkTheme': 0,
};

export interface Firefox {
  readonly bidi: Bidi;
  close(): Promise<void>;
}

/** A Firefox with a new profile. */
export const launchFirefox = async (): Promise<Firefox> => {
  const profile = mkdtempSync(join(tmpdir(), 'roster-firefox-'));
  const lines = Object.entries(PREFERENCES).map((each) => `user_pref(${JSON.stringify(each).slice(1, -1)});`);
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const args = ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile];
  const child = spawn(findFirefox() ?? '', args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    // As root, it refuses a home folder of another user.
    env: { ...process.env, HOME: profile, TZ: 'UTC' },
  });
  const exit = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const end = async () => {
    await exit;
    process.off('exit', kill);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  const output: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    const [, url] = /^WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? [];
    if (!url) {
      output.push(line);
      continue;
    }
    // Read on: a full pipe would block the browser.
    child.stderr.resume();
    const bidi = await Bidi.open(`${url}/session`);
    await bidi.send('session.new', { capabilities: {} });
    return {
      bidi,
      close: async () => {
        await bidi.send('browser.close').catch(kill);
        await end();
      },
    };
  }
  await end();
  throw new Error(`Firefox ended before it was ready: ${output.join('\n')}`);
};
