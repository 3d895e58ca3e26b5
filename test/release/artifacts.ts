import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';

/** Makes the release of this checkout. */
export const release = () =>
  execFileSync(process.execPath, ['build/release/main.ts'], { stdio: ['ignore', 'ignore', 'inherit'] });

export const artifact = (pattern: string): string => {
  const [path, ...more] = globSync(`release/roster-*${pattern}`);
  assert.ok(path && more.length === 0, `one release/roster-*${pattern}`);
  return resolve(path);
};

export const has = (...programs: string[]) =>
  programs.every((program) => spawnSync('which', [program]).status === 0);

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
