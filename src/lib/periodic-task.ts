/** After a failure, the next run waits at least this long. */
const RETRY_MS = 30_000;

/** Runs work now and at intervals, one run at a time. */
export const startPeriodicTask = (
  work: () => Promise<void>,
  everyMs: number,
  onFault: (error: Error) => void,
): { first: Promise<void>; stop(): void } => {
  let isRunning = false;
  let isStopped = false;
  let notBefore = 0;
  const run = async () => {
    if (isRunning || performance.now() < notBefore) return;
    isRunning = true;
    try {
      await work();
    } catch (error) {
      notBefore = performance.now() + RETRY_MS;
      // A stop closes the connections that the work uses.
      if (!isStopped) onFault(error as Error);
    }
    isRunning = false;
  };
  const first = run();
  const timer = setInterval(run, everyMs).unref();
  const stop = () => {
    isStopped = true;
    clearInterval(timer);
  };
  return { first, stop };
};
