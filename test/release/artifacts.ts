import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Makes the release of this checkout. */
export const release = () =>
  execFileSync(process.execPath, ['build/release/main.ts'], { stdio: ['ignore', 'ignore', 'inherit'] });

export const artifact = (pattern: string, root = '.'): string => {
  const [path, ...more] = globSync(join(root, `release/roster-[0-9]*${pattern}`));
  assert.ok(path && more.length === 0, `one release/roster-VERSION${pattern}`);
  return resolve(path);
};

/** The commit of version 0.1.0, the first one with a release build. */
const FIRST_RELEASE = '57b1ab5';

/** Makes the release of an earlier version in `folder`. Returns false if the history is not here. */
export const releaseEarlierVersion = (folder: string): boolean => {
  if (spawnSync('git', ['worktree', 'add', '--detach', folder, FIRST_RELEASE]).status !== 0) return false;
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  execFileSync(process.execPath, ['build/release/main.ts'], { cwd: folder, stdio: 'ignore' });
  return true;
};

export const removeEarlierVersion = (folder: string): void => {
  spawnSync('git', ['worktree', 'remove', '--force', folder]);
};

export const has = (...programs: string[]) =>
  programs.every((program) => spawnSync('which', [program]).status === 0);

/** Returns the reason to skip a test whose requirements are missing. A release must not skip any: with REQUIRE_ALL, this
 *  fails instead. */
export const skipReason = (reason: string): string =>
  process.env.REQUIRE_ALL ? assert.fail(`REQUIRE_ALL is set, but a test is skipped: ${reason}`) : reason;

/** Sends the first request of the README with the key of a startup message, and opens the dashboard. */
export const assertFirstRequest = async (startupMessage: string): Promise<void> => {
  const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(startupMessage) ?? [];
  const [key] = /rk_[\w-]+/.exec(startupMessage) ?? [];
  assert.ok(url && key, startupMessage);
  const created = await fetch(`${url}/v1/contacts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ phone_number: '+14155550101', first_name: 'Ada' }),
  });
  assert.equal(created.status, 201);
  const page = await fetch(url, { headers: { accept: 'text/html' } });
  assert.match(await page.text(), /<script type="module"/);
};
