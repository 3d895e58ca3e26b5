import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/* Plain JavaScript: for a single TypeScript file, Node would load its type stripper, which takes 40 MB. */

const ROOT = new URL('../../', import.meta.url);

/** The output of `npm run build`: one file for each entry point, and shared chunks. Loading five hundred modules
 *  instead takes 80 MB more and twice as long to start. */
const BUILT = new URL('dist/', ROOT);

/** The files of the service that the dashboard copies, and their copies. */
export const dashboardCopies = [
  ['src/features/agents/placeholders.ts', 'dashboard/src/api/placeholders.gen.ts'],
  ['src/records/actions.ts', 'dashboard/src/api/actions.gen.ts'],
  ['src/lib/time-zone.ts', 'dashboard/src/api/time-zone.gen.ts'],
];

/** The output and the sources of each build: files, and folders with everything in them. */
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
      'docs/openapi.json',
      'docs/openapi.dashboard.json',
      'package-lock.json',
      ...dashboardCopies.map(([from]) => from),
    ],
  },
};

/** Excludes tests and generated files. */
const isSource = (path) => !/\.test\.ts$|\.gen\.ts$|^dashboard\/dist/.test(path);

/** The file itself, or all files in a folder. */
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

/** A digest of the names and contents of a build's sources. Modification times do not work: npm changes the one of the
 *  executable, and a checkout changes all of them. Takes 20 ms for 300 files. */
export const stampOf = (name) => {
  const digest = createHash('sha256');
  for (const file of builds[name].sources.flatMap(filesIn).filter(isSource).sort()) {
    const content = readFileSync(new URL(file, ROOT));
    digest.update(`${file}\0${content.length}\0`).update(content);
  }
  return digest.digest('hex');
};

/** The file that stores the stamp of a build. */
export const stampFile = (name) => fileURLToPath(new URL(builds[name].stamp, ROOT));

/** Whether a build is up to date with its sources. */
export const isFresh = (name) =>
  existsSync(new URL(builds[name].output, ROOT)) &&
  existsSync(stampFile(name)) &&
  readFileSync(stampFile(name), 'utf8') === stampOf(name);

/** The URL to import an entry point of the service from: the build if it is up to date, else the source. */
export const scriptOf = (name, source, onSource = () => {}) => {
  if (isFresh('service')) return new URL(`${name}.js`, BUILT).href;
  onSource();
  return new URL(source, import.meta.url).href;
};
