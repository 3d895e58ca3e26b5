import { setTimeout as pause } from 'node:timers/promises';

type CleanUp = () => void | Promise<void>;

/** How long cleaning up may take, for example to abort an upload. */
const CLEAN_UP_MS = 5_000;

const cleanUps = new Set<CleanUp>();
let interrupted = false;

/** Whether the process is about to exit because of a signal. */
export const isInterrupted = (): boolean => interrupted;

/** Cleans up, the latest first, and exits with status 130. A second signal exits immediately. */
const interrupt = async (): Promise<void> => {
  if (interrupted) process.exit(130);
  interrupted = true;
  const pending = [...cleanUps].reverse().map((cleanUp) => cleanUp());
  await Promise.race([Promise.allSettled(pending), pause(CLEAN_UP_MS)]);
  process.exit(130);
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
