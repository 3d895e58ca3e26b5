import { setTimeout as pause } from 'node:timers/promises';

type CleanUp = () => void | Promise<void>;

/** How long cleaning up may take, for example to abort an upload. */
const CLEAN_UP_MS = 5_000;

const cleanUps = new Set<CleanUp>();
let interrupted = false;

/** Whether the process is about to exit because of a signal. */
export const isInterrupted = (): boolean => interrupted;

/** How many threads may be inside a long statement. */
let busyThreads = 0;

/** An exit waits for threads. The signal's own effect does not. */
const end = (signal: NodeJS.Signals): void => {
  if (busyThreads === 0) process.exit(130);
  process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  process.kill(process.pid, signal);
};

/** Runs work during which a thread may be inside a statement that takes minutes. */
export const withBusyThread = async <T>(work: () => Promise<T>): Promise<T> => {
  busyThreads++;
  try {
    return await work();
  } finally {
    busyThreads--;
  }
};

/** Cleans up, the latest first, and exits with status 130. A second signal exits immediately. */
const interrupt = async (signal: NodeJS.Signals): Promise<void> => {
  if (interrupted) return end(signal);
  interrupted = true;
  const pending = [...cleanUps].reverse().map((cleanUp) => cleanUp());
  await Promise.race([Promise.allSettled(pending), pause(CLEAN_UP_MS)]);
  end(signal);
};

/** Runs `cleanUp` if SIGINT or SIGTERM ends the process. Call the returned function when it is no longer needed. */
export const onInterrupt = (cleanUp: CleanUp): (() => void) => {
  if (cleanUps.size === 0) process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  cleanUps.add(cleanUp);
  return () => {
    cleanUps.delete(cleanUp);
    if (cleanUps.size === 0 && !interrupted) process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  };
};
