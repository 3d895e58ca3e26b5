import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/* Plain JavaScript: for a single source in TypeScript, Node would load what strips the types, 40 MB. */

const ROOT = new URL('../', import.meta.url);

/** What `npm run build` made of the sources: one file for each script, and what they share. Five hundred modules take 80 MB
 *  more and twice as long to start. */
const BUILT = new URL('dist/', ROOT);

/** What each build writes, and what it is made of: folders with all that is in them, and files.
 *  @type {Record<'service' | 'dashboard', { output: string; stamp: string; sources: readonly string[] }>} */
const builds = {
  service: {
    output: 'dist/main.js',
    stamp: 'dist/stamp',
    sources: ['src', 'build/service.ts', 'package-lock.json'],
  },
  dashboard: {
    output: 'dashboard/dist/index.html',
    stamp: 'dashboard/dist.stamp',
    sources: [
      'dashboard',
      'docs/openapi.dashboard.json',
      'src/features/agents/placeholders.ts',
      'package-lock.json',
    ],
  },
};

/** Tests and what a build writes are no part of it.
 *  @param {string} path */
const isSource = (path) => !/\.test\.ts$|\.gen\.ts$|^dashboard\/dist/.test(path);

/** @param {string} path
 *  @returns {string[]} */
const filesIn = (path) => {
  const folder = fileURLToPath(new URL(path, ROOT));
  if (!existsSync(folder)) return [];
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${path}${`${entry.parentPath}/${entry.name}`.slice(folder.length)}`);
  } catch {
    return [path];
  }
};

/** A digest of the names and the contents of everything that a build is made of. Times would not do: npm's chmod of the
 *  command moves one, and a checkout moves all of them. Takes 20 ms for 300 files.
 *  @param {'service' | 'dashboard'} name */
export const stampOf = (name) => {
  const digest = createHash('sha256');
  for (const file of builds[name].sources.flatMap(filesIn).filter(isSource).sort()) {
    const content = readFileSync(new URL(file, ROOT));
    digest.update(`${file}\0${content.length}\0`).update(content);
  }
  return digest.digest('hex');
};

/** Where a build leaves its stamp.
 *  @param {'service' | 'dashboard'} name */
export const stampFile = (name) => fileURLToPath(new URL(builds[name].stamp, ROOT));

/** Whether what was built is of the sources as they are, so that a changed source is never passed over.
 *  @param {'service' | 'dashboard'} name */
export const isFresh = (name) =>
  existsSync(new URL(builds[name].output, ROOT)) &&
  existsSync(stampFile(name)) &&
  readFileSync(stampFile(name), 'utf8') === stampOf(name);

/** Where to import a script of the service from: as it was built, or its source.
 *  @param {string} name
 *  @param {string} source
 *  @param {() => void} onSource is called before a source is used */
export const scriptOf = (name, source, onSource = () => {}) => {
  if (isFresh('service')) return new URL(`${name}.js`, BUILT).href;
  onSource();
  return new URL(source, import.meta.url).href;
};
