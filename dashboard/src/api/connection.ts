import { createStore } from './store.ts';

const isLost = createStore(false);
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 10_000;
let timer: ReturnType<typeof setTimeout> | undefined;

const isUp = async (): Promise<boolean> =>
  (await fetch('/healthz', { cache: 'no-store' }).catch(() => undefined))?.ok ?? false;

let leftAt = Number.NEGATIVE_INFINITY;
globalThis.addEventListener?.('beforeunload', () => {
  leftAt = performance.now();
});

const probe = async (delay: number): Promise<void> => {
  const isReachable = await isUp();
  if (!isLost.get()) return;
  if (isReachable) connection.markReachable();
  else timer = setTimeout(probe, delay, Math.min(delay * 2, MAX_DELAY_MS));
};

/** Whether the service is reachable. After a failed request it is probed with backoff until it responds. */
export const connection = {
  isLost,
  markLost: (): void => {
    if (isLost.get()) return;
    isLost.set(true);
    timer = setTimeout(probe, FIRST_DELAY_MS, FIRST_DELAY_MS * 2);
  },
  markReachable: (): void => {
    clearTimeout(timer);
    isLost.set(false);
  },
  /** Resolves after a failed request when the failure counts. As soon as another page is requested, Firefox fails all requests of this one,
   *  which it shows until the other arrives. If none does, as with a download, the failure counts later. */
  whenNotLeaving: async (): Promise<void> => {
    if (performance.now() - leftAt < 1_000) await new Promise((resolve) => setTimeout(resolve, 5_000));
  },
  /** Probes immediately. */
  retry: (): void => {
    clearTimeout(timer);
    void probe(FIRST_DELAY_MS);
  },
  /** Probes the service once and records the result. */
  check: async (): Promise<boolean> => {
    const isReachable = await isUp();
    if (!isReachable) connection.markLost();
    return isReachable;
  },
  /** Resolves when the service is reachable. */
  whenReachable: (): Promise<void> =>
    new Promise((resolve) => {
      const check = () => {
        if (isLost.get()) return;
        stop();
        resolve();
      };
      const stop = isLost.subscribe(check);
      check();
    }),
};

globalThis.addEventListener?.('online', () => isLost.get() && connection.retry());
