import { isApiError } from './api-error.ts';
import { connection } from './connection.ts';
import { refetchAll, refetchChanged } from './live-queries.ts';
import { readChanges } from './live-stream.ts';
import { session } from './session.ts';
import type { Changes } from './types.gen.ts';

const FIRST_DELAY_MS = 500;
/** Also how often pages are refreshed while there is no stream. */
const MAX_DELAY_MS = 30_000;

/** What one tab tells the others: what changed, or that anything may have. */
type News = Changes | 'anything';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const isSignedIn = (): boolean => !session.hasEnded.get() && !session.hasSwitched.get();

/** Resolves when the page has a session again. */
const whenSignedIn = (): Promise<void> =>
  new Promise((resolve) => {
    const check = () => {
      if (!isSignedIn()) return;
      for (const stop of stops) stop();
      resolve();
    };
    const stops = [session.hasEnded.subscribe(check), session.hasSwitched.subscribe(check)];
    check();
  });

let following: { readonly user: string; readonly controller: AbortController } | undefined;

/** Keeps what this page shows up to date, for the user that it was loaded for: with what changed after the event `after`, which was the
 *  newest one before the page read anything. One tab of the browser has the connection, and the
 *  others wait for its lock. Without locks, which need HTTPS or localhost, pages are refreshed every 30 seconds. */
export const followChanges = (user: string, after: string | null): void => {
  if (following?.user === user) return;
  following?.controller.abort();
  following = { user, controller: new AbortController() };
  const { signal } = following.controller;
  void (navigator.locks ? takeTurns(user, after, signal) : refreshSlowly(signal));
};

const refreshSlowly = async (signal: AbortSignal): Promise<void> => {
  for (await pause(MAX_DELAY_MS); !signal.aborted; await pause(MAX_DELAY_MS)) refetchAll();
};

const takeTurns = async (user: string, newest: string | null, signal: AbortSignal): Promise<void> => {
  const name = `roster-live ${user}`;
  const channel = new BroadcastChannel(name);
  signal.addEventListener('abort', () => channel.close());
  let after: string | null | undefined = newest;
  const apply = (news: News) => {
    if (news === 'anything') return refetchAll();
    ({ after } = news);
    refetchChanged(news);
  };
  const tell = (news: News) => {
    if (signal.aborted) return;
    channel.postMessage(news);
    apply(news);
  };
  channel.onmessage = ({ data }: MessageEvent<News>) => apply(data);

  /** Follows the stream, and connects again when it ends. Returns when the session has ended. */
  const lead = async (): Promise<void> => {
    for (let delay = FIRST_DELAY_MS; isSignedIn() && !signal.aborted; ) {
      const isResumed = Boolean(after);
      const begin = Date.now();
      try {
        await readChanges(
          after,
          (message) => {
            // Without an event to continue after, changes before this one may have been missed.
            if (!isResumed && delay > 0) tell('anything');
            delay = 0;
            tell(message);
          },
          signal,
        );
        // The service stops, or the role of the user has changed.
        tell('anything');
      } catch (error) {
        if (isApiError(error, 'UNAUTHORIZED')) session.markEnded();
        else if (isApiError(error, 'CONFLICT')) session.markSwitched();
        else if (isApiError(error, 'GONE', 'VALIDATION_ERROR')) after = undefined;
        // A proxy that collects responses lets every attempt fail late.
        if (delay >= MAX_DELAY_MS || Date.now() - begin >= MAX_DELAY_MS) tell('anything');
      }
      await connection.whenReachable();
      delay = Math.min(Math.max(delay * 2, FIRST_DELAY_MS), MAX_DELAY_MS);
      await pause(delay * (0.5 + Math.random() / 2));
    }
  };

  while (!signal.aborted) {
    await whenSignedIn();
    await navigator.locks.request(name, { signal }, lead).catch(() => undefined);
  }
};
