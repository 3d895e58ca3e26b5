import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import type { Storage } from '../../db/storage.ts';
import type { RunRecorder } from '../../lib/run-counters.ts';
import { deleteBefore, type Expiry, everyWorkspace } from './audit.store.ts';

const DAY_MS = 86_400_000;
const CHECK_EVERY_MS = 3_600_000;
/** Few, so that other writes do not wait long for a step. */
const STEP = 500;

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

export const listWorkspaceIds = read(
  'listWorkspaceIds',
  async (db: Db): Promise<number[]> => (await db.all(everyWorkspace, {})).map(({ id }) => id),
);

/** Deletes some expired entries of a workspace, oldest first, and returns how many. */
export const expireEntries = write(
  'expireEntries',
  async (db: Db, _: null, expiry: Expiry): Promise<number> =>
    db.run(deleteBefore, { ...expiry, limit: STEP }),
);

/** Deletes entries that are older than `days`, now and every hour, in steps; 0 keeps all. The returned function stops it after
 *  the current step. */
export const startAuditExpiry = (
  storage: Storage,
  days: number,
  task: RunRecorder,
  onFault: (error: unknown) => void,
): (() => Promise<void>) => {
  if (days === 0) return async () => {};
  let stopping = false;
  const expire = async () => {
    const times = { before: inDays(-days), ahead: inDays(1) };
    const failures: unknown[] = [];
    for (const workspace of await storage.run(listWorkspaceIds, null, null)) {
      try {
        while (!stopping && (await storage.run(expireEntries, null, { workspace, ...times })) > 0);
      } catch (error) {
        failures.push(error);
        // One workspace can fail without the others, if its node of a cluster is down. This ends the run if all would fail.
        await storage.ping();
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  const run = () => task.run(expire).catch(onFault);
  let running = run();
  const timer = setInterval(() => {
    running = running.then(run);
  }, CHECK_EVERY_MS).unref();
  return () => {
    stopping = true;
    clearInterval(timer);
    return running;
  };
};
