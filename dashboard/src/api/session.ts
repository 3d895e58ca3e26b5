import { createStore } from './store.ts';

const hasEnded = createStore(false);

/** Whether the service has refused a call for want of a session while pages were open. */
export const session = {
  hasEnded,
  ended: (): void => hasEnded.set(true),
  begun: (): void => hasEnded.set(false),
};
