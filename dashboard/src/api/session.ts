import { createStore } from './store.ts';

const hasEnded = createStore(false);

/** Whether the session ended while pages were open: a request failed with UNAUTHORIZED. */
export const session = {
  hasEnded,
  ended: (): void => hasEnded.set(true),
  begun: (): void => hasEnded.set(false),
};
