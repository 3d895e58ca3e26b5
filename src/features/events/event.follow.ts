import { setTimeout as pause } from 'node:timers/promises';
import type { Storage } from '../../db/storage.ts';
import { isStillActive } from '../workspaces/actor.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import { type FeedPage, type FeedQuery, feedState, readFeed } from './feed.service.ts';

/** How often a reader that waits looks for new events. */
const POLL_MS = 250;
const BUSY_MS = 50;
/** A closed connection is noticed only when something is sent. */
const COMMENT_EVERY_MS = 15_000;
const COMMENT = ': \n\n';

export interface FollowOptions {
  readonly storage: Storage;
  readonly isStopping: () => boolean;
}

/** Resolves when the log has events after the newest one that the reader knows, or at the deadline. */
const waitForChange = async (
  { storage, isStopping }: FollowOptions,
  principal: Principal,
  known: number,
  deadline: number,
): Promise<void> => {
  while (!isStopping()) {
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
  const { storage, isStopping } = options;
  const deadline = performance.now() + waitMs;
  let page = await readFeed(storage, principal, query);
  while (page.events.length === 0 && performance.now() < deadline) {
    if (!page.has_more) await waitForChange(options, principal, page.newest, deadline);
    // Another reader is assigning positions.
    else if (page.isBehind) await pause(BUSY_MS, undefined, { ref: false });
    // The storage may be closed by now.
    if (isStopping()) break;
    page = await readFeed(storage, principal, { ...query, after: page.after ?? undefined });
  }
  return page;
};

/** The log as server-sent events, until the service stops or the caller would no longer be accepted. */
export async function* streamFeed(
  options: FollowOptions,
  principal: Principal,
  query: FeedQuery,
): AsyncGenerator<string> {
  let { after } = query;
  while (!options.isStopping()) {
    const page = await awaitFeed(options, principal, { ...query, after }, COMMENT_EVERY_MS);
    if (options.isStopping() || !(await options.storage.run(isStillActive, principal, null))) return;
    after = page.after ?? undefined;
    yield page.events.length === 0 ? COMMENT : page.events.map(sseMessage).join('');
  }
}

/** An event begins with its id. The browser sends the id of the last message when it connects again. */
const sseMessage = (json: string): string => `id: ${json.split('"', 4)[3]}\ndata: ${json}\n\n`;
