import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { stampOf } from '../src/built.js';

/** Puts the service into one file, its threads and its commands into others (see src/built.js). Beside the old ones first:
 *  nobody must start half of a build. */
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const dist = here('../dist');
const fresh = `${dist}.new-${process.pid}`;

const started = performance.now();
/** Before anything is read: a source that changes during the build is not in it. */
const stamp = stampOf('service');
try {
  await build({
    input: {
      main: here('../src/main.ts'),
      'sqlite-thread': here('../src/sqlite-thread.ts'),
      'import-worker': here('../src/features/imports/worker/import-worker.ts'),
      cli: here('../src/cli/run.ts'),
    },
    platform: 'node',
    // The optional parts of pg are native.
    external: ['pg-native', 'pg-cloudflare'],
    output: { dir: fresh, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    logLevel: 'warn',
  });
  writeFileSync(`${fresh}/stamp`, stamp);
  rmSync(dist, { recursive: true, force: true });
  renameSync(fresh, dist);
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
console.log(`The service is built (${((performance.now() - started) / 1000).toFixed(1)} s).`);
