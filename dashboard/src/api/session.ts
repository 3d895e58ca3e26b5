import { createStore } from './store.ts';

const hasEnded = createStore(false);
const hasSwitched = createStore(false);
let user: string | undefined;

/** The session that the pages were loaded for. Tabs share the cookie, so another tab can end it, or replace it by one of another
 *  workspace. */
export const session = {
  /** A request failed with UNAUTHORIZED. */
  hasEnded,
  /** The cookie belongs to another user now. */
  hasSwitched,
  /** The id of the user that requests are made for. */
  user: (): string | undefined => user,
  setUser: (id: string): void => {
    user = id;
  },
  markEnded: (): void => hasEnded.set(true),
  markSwitched: (): void => hasSwitched.set(true),
  markStarted: (): void => {
    hasEnded.set(false);
    hasSwitched.set(false);
  },
  forget: (): void => {
    user = undefined;
  },
};
