import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { isFresh } from '../../../src/entry/built.js';

const FOLDER = 'dashboard';
const LOCK = `${FOLDER}/dist.lock`;
const MAX_BUILD_MS = 180_000;

const timeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const isCurrent = (): boolean => isFresh('dashboard');

const lock = (): boolean => {
  try {
    mkdirSync(LOCK);
    return true;
  } catch {
    return false;
  }
};

/** Builds the dashboard if it has changed. Test files run in parallel: one builds, the others wait for it. */
export const ensureDashboardBuilt = async (): Promise<void> => {
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
    if (Date.now() - timeOf(LOCK) > MAX_BUILD_MS) rmSync(LOCK, { recursive: true, force: true });
    await wait(200);
  }
};
