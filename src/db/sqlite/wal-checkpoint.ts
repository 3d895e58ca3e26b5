import type { DatabaseSync } from 'node:sqlite';

const IDLE_MS = 1_000;
const AT_LEAST_EVERY_MS = 60_000;

/** Keeps the write-ahead log from holding what was deleted: it is written back and cut to nothing when the writer has
 *  rested for a second, and at least every minute. A reader in the middle of a long look puts it off, since the writer's
 *  connection waits for nobody. A fault of the disk ends the thread (see thread.ts), and the next one tries again. */
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
    timer = setTimeout(cut, Math.max(0, Math.min(IDLE_MS, since + AT_LEAST_EVERY_MS - now))).unref();
  };
  // Whoever was here before may have been killed, and may have left a log.
  written();

  return {
    /** Something was written just now. */
    written,
    close: () => {
      clearTimeout(timer);
      cut();
      clearTimeout(timer);
    },
  };
};
