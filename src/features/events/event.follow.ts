import { setTimeout as pause } from 'node:timers/promises';
import type { Storage } from '../../db/storage.ts';
import { unauthorized } from '../../lib/errors.ts';
import { isStillActive } from '../workspaces/actor.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import { signInRequired } from '../workspaces/session.service.ts';
import type { FeedQuery } from './event.schema.ts';
import { type WorkStates, watchWork } from './event.work.ts';
import { type FeedPage, feedState, readFeed } from './feed.service.ts';

/** How often a reader that waits looks for new events. */
const POLL_MS = 250;
const CHECK_EVERY_POLLS = 2;
const BUSY_MS = 50;
/** A closed connection is noticed only when something is sent. */
const COMMENT_EVERY_MS = 15_000;
const COMMENT = ': \n\n';

export interface FollowOptions {
  readonly storage: Storage;
  /** Whether the service stops or the client has closed the connection. */
  readonly isOver: () => boolean;
  /** Whether the reader has something else to send. */
  readonly hasNews?: () => Promise<boolean>;
}

/** Resolves when the log has events after the newest one that the reader knows, or at the deadline. False if the caller would no
 *  longer be accepted, which is noticed within a second, or has other news. */
const waitForChange = async (
  { storage, isOver, hasNews }: FollowOptions,
  principal: Principal,
  known: number,
  deadline: number,
): Promise<boolean> => {
  for (let polls = 1; !isOver(); polls++) {
    const { newest, isBehind } = await storage.run(feedState, principal, null);
    if (newest !== known || isBehind || performance.now() >= deadline) return true;
    if (polls % CHECK_EVERY_POLLS === 0) {
      if (!(await storage.run(isStillActive, principal, null))) return false;
      if (await hasNews?.()) return false;
    }
    await pause(Math.min(POLL_MS, Math.max(deadline - performance.now(), 1)), undefined, { ref: false });
  }
  return true;
};

/** One page of the log. If it is empty, waits for an event for at most `waitMs`, while the caller is accepted. */
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
    if (!page.has_more) {
      if (!(await waitForChange(options, principal, page.newest, deadline))) break;
    }
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

/** The pages of the log after the first call, until the service stops or the caller would no longer be accepted. */
async function* followFeed(
  options: FollowOptions,
  principal: Principal,
  query: FeedQuery,
): AsyncGenerator<FeedPage> {
  let { after } = query;
  while (!options.isOver()) {
    const page = await awaitFeed(options, principal, { ...query, after }, COMMENT_EVERY_MS);
    if (options.isOver() || !(await options.storage.run(isStillActive, principal, null))) return;
    after = page.after ?? undefined;
    yield page;
  }
}

/** The log as server-sent events, one message for each event. */
export async function* streamFeed(
  options: FollowOptions,
  principal: Principal,
  query: FeedQuery,
): AsyncGenerator<string> {
  for await (const { events } of followFeed(options, principal, query))
    yield events.length === 0 ? COMMENT : events.map(sseMessage).join('');
}

/** The same with one message for each page: at once where the log is followed from, then at most every `POLL_MS`, however many
 *  events there are. */
export async function* streamChanges(
  options: FollowOptions,
  principal: Principal,
  query: FeedQuery,
  readWork: () => Promise<WorkStates>,
): AsyncGenerator<string> {
  const work = watchWork(readWork);
  await work.look();
  yield changesMessage({ events: [], after: query.after ?? null }, work.take());
  for await (const page of followFeed({ ...options, hasNews: work.look }, principal, query)) {
    await work.look();
    const changed = work.take();
    yield page.events.length + changed.length === 0 ? COMMENT : changesMessage(page, changed);
    await pause(POLL_MS, undefined, { ref: false });
  }
}

/** An event begins with its id. The browser sends the id of the last message when it connects again. */
const sseMessage = (json: string): string => `id: ${json.split('"', 4)[3]}\ndata: ${json}\n\n`;

type Changes = Pick<FeedPage, 'events' | 'after'>;

export const changesJson = ({ events, after }: Changes, work: readonly string[] = []): string =>
  `{"after":${JSON.stringify(after)},"changes":[${events.join(',')}],"work":${JSON.stringify(work)}}`;

const changesMessage = (page: Changes, work: readonly string[]): string =>
  `id: ${page.after ?? ''}\ndata: ${changesJson(page, work)}\n\n`;
