import { createStore } from './store.ts';

const isLost = createStore(false);
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 10_000;
let timer: ReturnType<typeof setTimeout> | undefined;

const answers = async (): Promise<boolean> =>
  (await fetch('/healthz', { cache: 'no-store' }).catch(() => undefined))?.ok ?? false;

const ask = async (wait: number): Promise<void> => {
  const isThere = await answers();
  if (!isLost.get()) return;
  if (isThere) connection.found();
  else timer = setTimeout(ask, wait, Math.min(wait * 2, LONGEST_WAIT_MS));
};

/** Whether the service is reachable. After a failed request it is probed with backoff until it responds. */
export const connection = {
  isLost,
  lost: (): void => {
    if (isLost.get()) return;
    isLost.set(true);
    timer = setTimeout(ask, FIRST_WAIT_MS, FIRST_WAIT_MS * 2);
  },
  found: (): void => {
    clearTimeout(timer);
    isLost.set(false);
  },
  /** Probes immediately. */
  retry: (): void => {
    clearTimeout(timer);
    void ask(FIRST_WAIT_MS);
  },
  /** Probes the service once and records the result. */
  isThere: async (): Promise<boolean> => {
    const isThere = await answers();
    if (!isThere) connection.lost();
    return isThere;
  },
  /** Resolves when the service is reachable. */
  back: (): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (isLost.get()) return;
        stop();
        resolve();
      };
      const stop = isLost.subscribe(look);
      look();
    }),
};

addEventListener('online', () => isLost.get() && connection.retry());
