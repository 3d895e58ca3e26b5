import { sql } from 'kysely';
import type { Db } from '../db/db.ts';
import { type Operation, read, write } from '../db/operation.ts';
import type { Expired } from '../db/rows.ts';
import { type Statement, statement } from '../db/statement.ts';
import type { Storage } from '../db/storage.ts';
import { inDays } from '../lib/clock.ts';
import { startPeriodicTask } from '../lib/periodic-task.ts';
import type { RunRecorder } from '../lib/run-counters.ts';

const CHECK_EVERY_MS = 3_600_000;

const everyWorkspace = statement(
  (_: Record<string, never>) => sql<{ id: number }>`select id from workspaces`,
);

export const listWorkspaceIds = read(
  'listWorkspaceIds',
  async (db): Promise<number[]> => (await db.all(everyWorkspace, {})).map(({ id }) => id),
);

export type Expiry = Omit<Expired, 'limit'>;

/** Few, so that other writes do not wait long for a step. */
const STEP = 500;

/** An operation that deletes some expired rows of a workspace and returns how many. */
export const expiring = (name: string, statement: Statement<Expired, never>) =>
  write(
    name,
    async (db: Db, _: null, expiry: Expiry): Promise<number> => db.run(statement, { ...expiry, limit: STEP }),
  );

interface ExpiryOptions {
  readonly storage: Storage;
  /** 0 keeps all rows. */
  readonly days: number;
  readonly task: RunRecorder;
  readonly onFault: (error: unknown) => void;
  /** Each deletes some expired rows of a workspace and returns how many; 0 after the last. */
  readonly steps: readonly Operation<null, Expiry, number, 'write'>[];
}

/** Deletes rows that are older than `days` in every workspace, now and every hour, in steps. The returned function stops it after
 *  the current step. */
export const startExpiry = ({
  storage,
  days,
  task,
  onFault,
  steps,
}: ExpiryOptions): (() => Promise<void>) => {
  if (days === 0) return async () => {};
  let stopping = false;
  const expire = async () => {
    const times = { before: inDays(-days), ahead: inDays(1) };
    const failures: unknown[] = [];
    for (const workspace of await storage.run(listWorkspaceIds, null, null)) {
      try {
        for (const step of steps)
          while (!stopping && (await storage.run(step, null, { workspace, ...times })) > 0);
      } catch (error) {
        failures.push(error);
        // One workspace can fail without the others, if its node of a cluster is down. This ends the run if all would fail.
        await storage.ping();
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  const { stop } = startPeriodicTask(() => task.run(expire), CHECK_EVERY_MS, onFault);
  return () => {
    stopping = true;
    return stop();
  };
};
