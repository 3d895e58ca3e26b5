import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const FOLDER = 'dashboard';
const LOCK = `${FOLDER}/dist.lock`;
const LONGEST_BUILD_MS = 60_000;

const timeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const isGenerated = (name: string): boolean => name.startsWith('dist') || name.endsWith('.gen.ts');

const newestIn = (folder: string): number =>
  Math.max(
    ...readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !isGenerated(name))
      .map((entry) => {
        const path = join(folder, entry.name);
        return entry.isDirectory() ? newestIn(path) : timeOf(path);
      }),
  );

/** What the build reads from outside of the dashboard's folder. */
const SOURCES = ['docs/openapi.dashboard.json', 'src/agents/placeholders.ts'];

const isCurrent = (): boolean =>
  timeOf(`${FOLDER}/dist/index.html`) > Math.max(newestIn(FOLDER), ...SOURCES.map(timeOf));

const lock = (): boolean => {
  try {
    mkdirSync(LOCK);
    return true;
  } catch {
    return false;
  }
};

/** Builds the pages if they changed since. Test files run side by side: one builds, the others wait for it. */
export const ensureBuilt = async (): Promise<void> => {
  while (!isCurrent()) {
    if (lock()) {
      try {
        if (isCurrent()) return;
        const { status, stderr } = spawnSync(process.execPath, [`${FOLDER}/build.ts`], { encoding: 'utf8' });
        if (status !== 0) throw new Error(`The dashboard could not be built:\n${stderr}`);
        return;
      } finally {
        rmSync(LOCK, { recursive: true, force: true });
      }
    }
    if (Date.now() - timeOf(LOCK) > LONGEST_BUILD_MS) rmSync(LOCK, { recursive: true, force: true });
    await wait(200);
  }
};
