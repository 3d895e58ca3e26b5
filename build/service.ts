import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { stampOf } from '../src/entry/built.js';
import { listPackages } from './release/bundled-packages.ts';

/** Bundles the service, its threads and the CLI (see src/entry/built.js) into a new folder, which then replaces `dist`, so that
 *  a start never sees half of a build. */
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const dist = here('../dist');
const fresh = `${dist}.new-${process.pid}`;

/** V8 stores a script in two bytes per character if one of them needs two, once for each thread. An escape means the same in
 *  texts, templates and regular expressions. */
const escapeWideCharacters = (code: string): string =>
  code.replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const started = performance.now();
/** Computed before the build: if a source changes during it, the build counts as outdated. */
const stamp = stampOf('service');
try {
  await build({
    input: {
      main: here('../src/entry/main.ts'),
      'sqlite-thread': here('../src/wiring/sqlite-thread.ts'),
      'serving-thread': here('../src/wiring/serving-thread.ts'),
      watchdog: here('../src/entry/watchdog.ts'),
      'import-worker': here('../src/features/imports/worker/import-worker.ts'),
      cli: here('../src/cli/run.ts'),
    },
    platform: 'node',
    // Of the packages that have both, ES modules: unused code of a CommonJS module is not removed.
    resolve: { mainFields: ['module', 'main'] },
    plugins: [listPackages('packages.json')],
    // Optional native dependencies of pg.
    external: ['pg-native', 'pg-cloudflare'],
    output: { dir: fresh, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    logLevel: 'warn',
  });
  for (const script of globSync(`${fresh}/*.js`))
    writeFileSync(script, escapeWideCharacters(readFileSync(script, 'utf8')));
  writeFileSync(`${fresh}/stamp`, stamp);
  rmSync(dist, { recursive: true, force: true });
  renameSync(fresh, dist);
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
console.log(`Built the service (${((performance.now() - started) / 1000).toFixed(1)} s).`);
