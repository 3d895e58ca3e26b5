/** After a failure, the next run waits at least this long. */
const RETRY_MS = 30_000;

/** Runs work now and at intervals, one run at a time. After `stop`, the current run ends without reporting an error. */
export const startPeriodicTask = (
  work: () => Promise<void>,
  everyMs: number,
  onFault: (error: Error) => void,
): { first: Promise<void>; stop(): Promise<void> } => {
  let running: Promise<void> | undefined;
  let isStopped = false;
  let notBefore = 0;
  const run = async () => {
    try {
      await work();
    } catch (error) {
      notBefore = performance.now() + RETRY_MS;
      // A stop closes the connections that the work uses.
      if (!isStopped) onFault(error as Error);
    }
    running = undefined;
  };
  const first = run();
  running = first;
  const timer = setInterval(() => {
    if (performance.now() >= notBefore) running ??= run();
  }, everyMs).unref();
  const stop = async () => {
    isStopped = true;
    clearInterval(timer);
    await running;
  };
  return { first, stop };
};
