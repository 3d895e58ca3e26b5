import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { stampFile, stampOf } from '../src/entry/built.js';
import { compressFolder, removePlain } from './compress.ts';
import { generateTypes } from './generate-types.ts';

/** Builds into a new folder and then swaps it with the old one, so that no request is served half a build. */
const root = fileURLToPath(new URL('.', import.meta.url));
const dist = `${root}dist`;
const fresh = `${dist}.new-${process.pid}`;
const old = `${dist}.old-${process.pid}`;

const started = performance.now();
/** Computed before the sources are read: a source that changes during the build makes it stale. */
const stamp = stampOf('dashboard');
generateTypes();
try {
  await build({ root, configFile: `${root}vite.config.ts`, logLevel: 'warn', build: { outDir: fresh } });
  const reference = `${root}reference`;
  const configFile = `${reference}/vite.config.ts`;
  await build({ root: reference, configFile, logLevel: 'warn', build: { outDir: fresh } });
  compressFolder(fresh);
  removePlain(`${fresh}/assets/reference`, 20_000);
  rmSync(stampFile('dashboard'), { force: true });
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
  writeFileSync(stampFile('dashboard'), stamp);
} finally {
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
}
console.log(`The dashboard is built (${((performance.now() - started) / 1000).toFixed(1)} s).`);
