import { createStore } from './store.ts';

const hasEnded = createStore(false);

/** Whether the session ended while pages were open: a request failed with UNAUTHORIZED. */
export const session = {
  hasEnded,
  markEnded: (): void => hasEnded.set(true),
  markStarted: (): void => hasEnded.set(false),
};
