import type { DatabaseSync } from 'node:sqlite';
import { isBroken, isBusy } from '../errors.ts';

/* FTS5 adds a segment to its index with every commit, and merges eight segments of a level into one of the next. It does so itself while
 * commits add more (`automerge`). What is left is merged when the writer is idle, because a search and a removal read every segment. */

/** Longer than the pauses in a burst: a request that arrives during a step waits for it. */
const IDLE_MS = 3_000;
const MIN_PAUSE_MS = 5;
const PAGES_PER_STEP = 64;

/** Merges some pages in a transaction of its own, and returns whether there may be more. */
export const indexMerges = (file: DatabaseSync) => {
  const merge = file.prepare(
    `insert into contacts_search (contacts_search, rank) values ('merge', ${PAGES_PER_STEP})`,
  );
  const changes = file.prepare('select total_changes() as count');
  /** The rows that this connection has changed. */
  const countChanges = () => Number(changes.get()?.count);
  const step = (): boolean => {
    if (file.isTransaction) return true;
    try {
      file.exec('begin immediate');
      const before = countChanges();
      merge.run();
      file.exec('commit');
      // A merge that finds nothing to do changes one row.
      return countChanges() - before > 1;
    } catch (error) {
      if (file.isTransaction) file.exec('rollback');
      if (isBroken(error)) throw error;
      // Another process writes. After any other error, such as a full disk, the next write tries again.
      return isBusy(error);
    }
  };
  return { countChanges, step };
};

/** Merges while the writer is idle. Between two steps it waits as long as the last one took, so that requests can run. An I/O error
 *  ends the thread, as one of a checkpoint does. */
export const startIdleMerges = (
  file: DatabaseSync,
  { idleMs = IDLE_MS, onStep }: { idleMs?: number; onStep: () => void },
) => {
  const { step, countChanges } = indexMerges(file);
  let seen = countChanges();
  let timer: NodeJS.Timeout | undefined;
  const schedule = (delay: number) => {
    clearTimeout(timer);
    timer = setTimeout(work, delay).unref();
  };
  const work = () => {
    const began = performance.now();
    const isMore = step();
    const count = countChanges();
    if (count !== seen) onStep();
    seen = count;
    if (isMore) schedule(Math.max(MIN_PAUSE_MS, performance.now() - began));
  };
  // A command or an earlier process may have left merges.
  schedule(idleMs);
  return {
    /** Call it after every request. One that has changed nothing, such as that of a health check, does not count. */
    answered: () => {
      const count = countChanges();
      if (count !== seen) schedule(idleMs);
      seen = count;
    },
    close: () => clearTimeout(timer),
  };
};
