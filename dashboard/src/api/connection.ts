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

/** Whether the service can be reached. Once it was lost, it is asked again and again until it answers. */
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
  /** Asks at once. */
  retry: (): void => {
    clearTimeout(timer);
    void ask(FIRST_WAIT_MS);
  },
  /** Finds out whether the service can be reached, and remembers if not. */
  isThere: async (): Promise<boolean> => {
    const isThere = await answers();
    if (!isThere) connection.lost();
    return isThere;
  },
  /** Waits until the service can be reached. */
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
