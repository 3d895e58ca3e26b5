import { setTimeout as pause } from 'node:timers/promises';
import type { Storage } from '../../db/storage.ts';
import { unauthorized } from '../../lib/errors.ts';
import { isStillActive } from '../workspaces/actor.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import { signInRequired } from '../workspaces/session.service.ts';
import type { FeedQuery } from './event.schema.ts';
import { type FeedPage, feedState, readFeed } from './feed.service.ts';

/** How often a reader that waits looks for new events. */
const POLL_MS = 250;
const BUSY_MS = 50;
/** A closed connection is noticed only when something is sent. */
const COMMENT_EVERY_MS = 15_000;
const COMMENT = ': \n\n';

export interface FollowOptions {
  readonly storage: Storage;
  /** Whether the service stops or the client has closed the connection. */
  readonly isOver: () => boolean;
}

/** Resolves when the log has events after the newest one that the reader knows, or at the deadline. */
const waitForChange = async (
  { storage, isOver }: FollowOptions,
  principal: Principal,
  known: number,
  deadline: number,
): Promise<void> => {
  while (!isOver()) {
    const { newest, isBehind } = await storage.run(feedState, principal, null);
    if (newest !== known || isBehind || performance.now() >= deadline) return;
    await pause(Math.min(POLL_MS, Math.max(deadline - performance.now(), 1)), undefined, { ref: false });
  }
};

/** One page of the log. If it is empty, waits for an event for at most `waitMs`. */
export const awaitFeed = async (
  options: FollowOptions,
  principal: Principal,
  query: FeedQuery,
  waitMs: number,
): Promise<FeedPage> => {
  const { storage, isOver } = options;
  const deadline = performance.now() + waitMs;
  let page = await readFeed(storage, principal, query);
  while (page.events.length === 0 && performance.now() < deadline) {
    if (!page.has_more) await waitForChange(options, principal, page.newest, deadline);
    // Another reader is assigning positions.
    else if (page.isBehind) await pause(BUSY_MS, undefined, { ref: false });
    // The storage may be closed by now.
    if (isOver()) break;
    page = await readFeed(storage, principal, { ...query, after: page.after ?? undefined });
  }
  return page;
};

/** The same for one response, which a caller who is no longer accepted after the wait does not get. */
export const pollFeed: typeof awaitFeed = async (options, principal, query, waitMs) => {
  const page = await awaitFeed(options, principal, query, waitMs);
  if (waitMs > 0 && !options.isOver() && !(await options.storage.run(isStillActive, principal, null)))
    throw 'session' in principal ? signInRequired() : unauthorized();
  return page;
};

/** The log as server-sent events, until the service stops or the caller would no longer be accepted. */
export async function* streamFeed(
  options: FollowOptions,
  principal: Principal,
  query: FeedQuery,
): AsyncGenerator<string> {
  let { after } = query;
  while (!options.isOver()) {
    const page = await awaitFeed(options, principal, { ...query, after }, COMMENT_EVERY_MS);
    if (options.isOver() || !(await options.storage.run(isStillActive, principal, null))) return;
    after = page.after ?? undefined;
    yield page.events.length === 0 ? COMMENT : page.events.map(sseMessage).join('');
  }
}

/** An event begins with its id. The browser sends the id of the last message when it connects again. */
const sseMessage = (json: string): string => `id: ${json.split('"', 4)[3]}\ndata: ${json}\n\n`;
