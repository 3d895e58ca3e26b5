import type { DatabaseSync } from 'node:sqlite';
import { databaseFault, isBroken } from './errors.ts';
import type { CheckpointReport } from './threads/protocol.ts';

const IDLE_MS = 1_000;
const MAX_INTERVAL_MS = 60_000;

/** Checkpoints and truncates the write-ahead log when the writer has been idle for a second, and at least every minute, so
 *  that deleted data does not stay in it. A long read postpones the checkpoint, because the writer does not wait. A disk
 *  error ends the thread (see threads/thread.ts), and the next thread retries; a full disk does not. A checkpoint that fails or that
 *  a reader prevents is reported as failed. */
export const startCheckpoints = (db: DatabaseSync, report: (checkpoint: CheckpointReport) => void) => {
  let firstWriteAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  const checkpoint = () => {
    const began = performance.now();
    const reportRun = (failed: boolean, error?: unknown) =>
      report({ seconds: (performance.now() - began) / 1000, failed, fault: databaseFault(error) });
    let isAgain = true;
    try {
      const { busy } = db.prepare('pragma wal_checkpoint(truncate)').get() as { busy: number };
      isAgain = busy !== 0;
      reportRun(isAgain);
    } catch (error) {
      reportRun(true, error);
      if (isBroken(error)) throw error;
    }
    firstWriteAt = undefined;
    if (isAgain) schedule();
  };

  const schedule = () => {
    const now = performance.now();
    firstWriteAt ??= now;
    clearTimeout(timer);
    const delay = Math.min(IDLE_MS, firstWriteAt + MAX_INTERVAL_MS - now);
    timer = setTimeout(checkpoint, Math.max(0, delay)).unref();
  };
  // A process that was killed may have left a log.
  schedule();

  return {
    /** Call it after every write. */
    written: schedule,
    close: () => {
      clearTimeout(timer);
      checkpoint();
      clearTimeout(timer);
    },
  };
};
