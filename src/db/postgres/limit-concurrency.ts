import type { Operation } from '../operation.ts';

export type RunAsync = <P, I, O>(operation: Operation<P, I, O>, principal: P, input: I) => Promise<O>;

/** Runs at most `limit` operations at a time. The others wait in order. */
export const limitConcurrency = (
  runNow: RunAsync,
  limit: number,
): { readonly run: RunAsync; waiting(): number } => {
  let running = 0;
  const waiting: (() => void)[] = [];
  const run: RunAsync = async (operation, principal, input) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await runNow(operation, principal, input);
    } finally {
      // The next one in the queue takes this slot.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
  return { run, waiting: () => waiting.length };
};
