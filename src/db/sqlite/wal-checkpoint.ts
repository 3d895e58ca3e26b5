import type { DatabaseSync } from 'node:sqlite';

const IDLE_MS = 1_000;
const MAX_INTERVAL_MS = 60_000;

/** Checkpoints and truncates the write-ahead log, so that it does not contain deleted data for long: when the writer has been
 *  idle for a second, and at least every minute. A long read postpones it, since the writer's connection does not wait. A
 *  disk error ends the thread (see threads/thread.ts), and the next one tries again. */
export const startCheckpoints = (db: DatabaseSync) => {
  let since: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  const cut = () => {
    const { busy } = db.prepare('pragma wal_checkpoint(truncate)').get() as { busy: number };
    since = undefined;
    if (busy) written();
  };

  const written = () => {
    const now = performance.now();
    since ??= now;
    clearTimeout(timer);
    timer = setTimeout(cut, Math.max(0, Math.min(IDLE_MS, since + MAX_INTERVAL_MS - now))).unref();
  };
  // A process that was killed may have left a log.
  written();

  return {
    /** Call it after every write. */
    written,
    close: () => {
      clearTimeout(timer);
      cut();
      clearTimeout(timer);
    },
  };
};
