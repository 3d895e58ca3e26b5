import type { RunRecorder } from './run-counters.ts';

interface PeriodicTaskOptions {
  readonly everyMs: number;
  readonly task: RunRecorder;
  /** Called for the first of several failures in a row. */
  readonly onFault: (error: Error) => void;
}

/** Runs work now and at intervals. A run that takes longer than the interval delays the next one. */
export const startPeriodicTask = (
  work: () => Promise<void>,
  { everyMs, task, onFault }: PeriodicTaskOptions,
): { first: Promise<void>; stop(): void } => {
  let isRunning = false;
  let hasFailed = false;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await task.run(work);
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) onFault(error as Error);
      hasFailed = true;
    }
    isRunning = false;
  };
  const first = run();
  const timer = setInterval(run, everyMs).unref();
  return { first, stop: () => clearInterval(timer) };
};
