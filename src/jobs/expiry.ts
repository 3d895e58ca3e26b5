import type { Db } from '../db/db.ts';
import { read } from '../db/operation.ts';
import { statementsOver } from '../db/statement.ts';
import type { Storage } from '../db/storage.ts';
import type { RunRecorder } from '../lib/run-counters.ts';

const DAY_MS = 86_400_000;
const CHECK_EVERY_MS = 3_600_000;

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

const statement = statementsOver<{ workspaces: { id: number } }>();
const everyWorkspace = statement((query, _: Record<string, never>) =>
  query.selectFrom('workspaces').select('id'),
);

export const listWorkspaceIds = read(
  'listWorkspaceIds',
  async (db: Db): Promise<number[]> => (await db.all(everyWorkspace, {})).map(({ id }) => id),
);

/** Rows before `before` have expired; those after `ahead` were written while the clock was wrong. */
export type Expiry = { workspace: number; before: string; ahead: string };

interface ExpiryOptions {
  readonly storage: Storage;
  /** 0 keeps all rows. */
  readonly days: number;
  readonly task: RunRecorder;
  readonly onFault: (error: unknown) => void;
  /** Deletes some expired rows of a workspace and returns how many; 0 after the last. */
  readonly step: (expiry: Expiry) => Promise<number>;
}

/** Deletes rows that are older than `days` in every workspace, now and every hour, in steps. The returned function stops it after
 *  the current step. */
export const startExpiry = ({ storage, days, task, onFault, step }: ExpiryOptions): (() => Promise<void>) => {
  if (days === 0) return async () => {};
  let stopping = false;
  const expire = async () => {
    const times = { before: inDays(-days), ahead: inDays(1) };
    const failures: unknown[] = [];
    for (const workspace of await storage.run(listWorkspaceIds, null, null)) {
      try {
        while (!stopping && (await step({ workspace, ...times })) > 0);
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
