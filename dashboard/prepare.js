import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isFresh } from '../src/entry/built.js';

/* Builds the dashboard and the service on install, unless their builds are up to date. Plain JavaScript, because
   an install without development dependencies may run it on any Node version. */
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

if (existsSync(here('../node_modules/vite/package.json'))) {
  for (const [name, script] of [
    ['dashboard', 'build.ts'],
    ['service', '../build/service.ts'],
  ]) {
    if (isFresh(name)) continue;
    const { status } = spawnSync(process.execPath, [here(script)], { stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
  }
  process.exit(0);
}
console.log(
  existsSync(here('dist/index.html'))
    ? 'The dashboard was built before and stays as it is: its build tools were not installed.'
    : 'The dashboard was not built: its build tools were not installed. The API works without it. For the dashboard, run `npm ci` without --omit=dev.',
);
