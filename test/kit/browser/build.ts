import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { isFresh } from '../../../src/entry/built.js';

const FOLDER = 'dashboard';
const LOCK = `${FOLDER}/dist.pid`;

const isCurrent = (): boolean => isFresh('dashboard');

/** The lock has the id of the process that builds. */
const lock = (): boolean => {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
};

/** Whether the process that builds was killed. However long it takes on a busy machine, no other one builds meanwhile. */
const isAbandoned = (): boolean => {
  try {
    process.kill(Number(readFileSync(LOCK, 'utf8')), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
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
        rmSync(LOCK, { force: true });
      }
    }
    if (isAbandoned()) rmSync(LOCK, { force: true });
    await wait(200);
  }
};
