import { existsSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { compressFolder } from './compress.ts';
import { generateTypes } from './generate-types.ts';

/** Builds the pages beside the old ones and then swaps the folders, so that nobody is served half of a build. */
const root = fileURLToPath(new URL('.', import.meta.url));
const dist = `${root}dist`;
const fresh = `${dist}.new-${process.pid}`;
const old = `${dist}.old-${process.pid}`;

const started = performance.now();
generateTypes();
try {
  await build({ root, configFile: `${root}vite.config.ts`, logLevel: 'warn', build: { outDir: fresh } });
  compressFolder(fresh);
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
} finally {
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
}
console.log(`The dashboard is built (${((performance.now() - started) / 1000).toFixed(1)} s).`);
