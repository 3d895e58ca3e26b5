import { setTimeout as pause } from 'node:timers/promises';
import type { Payload } from '../features/events/event.schema.ts';
import { backoff } from '../lib/concurrency.ts';
import { eventTypes } from '../records/actions.ts';
import { KEY_REFUSED, notRoster, ServiceError, send } from './client.ts';
import { keyHint } from './connection.ts';
import { FEED_SCOPE, type FeedConnection } from './feed.options.ts';
import { printError } from './output.ts';

/** The seconds that the service delays an empty response: less than most proxies allow. */
const WAIT_SECONDS = 20;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

/** The width of a column of types. */
export const TYPE_WIDTH = Math.max(...eventTypes.map(({ length }) => length));

export interface FeedEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly subject_id: string;
  readonly actor: string;
  readonly changed: readonly string[] | null;
  readonly json: string;
}

export interface FeedOptions extends FeedConnection {
  readonly payload: Payload;
  /** Whether to end after the last event that exists. */
  readonly once?: boolean;
}

interface Page {
  readonly events: readonly FeedEvent[];
  readonly after: string | null;
  readonly has_more: boolean;
}

const refusals = (after: string | null): Readonly<Record<number, string>> => ({
  401: `${KEY_REFUSED} ${keyHint(FEED_SCOPE)}`,
  403: `The API key in ROSTER_KEY does not have the scope ${FEED_SCOPE} (403). ${keyHint(FEED_SCOPE)}`,
  410: `The feed no longer has the event ${after} or the one after it (410): it has expired, or the database was restored from a backup. Read the records again, then continue with --after latest.`,
});

const readPage = async (options: FeedOptions, after: string | null, wait: number): Promise<Page> => {
  const { url, types, payload } = options;
  const query = { payload, wait: `${wait}`, ...(after !== null && { after }), ...(types && { types }) };
  const { status, body } = await send(options, 'GET', '/v1/events', { query, waitMs: wait * 1_000 });
  const page = body?.data;
  if (status === 200 && Array.isArray(page?.events)) {
    const withJson = (event: object) => ({ ...event, json: JSON.stringify(event) });
    return { ...page, events: page.events.map(withJson) };
  }
  const message: unknown = body?.error?.message;
  if (typeof message !== 'string' || status === 404) throw notRoster(url, status);
  throw new ServiceError(refusals(after)[status] ?? `The service answered ${status}: ${message}`);
};

/** Repeats a request until the service answers. */
const readPersistently = async (options: FeedOptions, after: string | null, wait: number): Promise<Page> => {
  let reported = '';
  for (let failures = 0; ; failures++) {
    try {
      const page = await readPage(options, after, wait);
      if (reported) printError('Connected again.\n');
      return page;
    } catch (error) {
      if (!(error instanceof ServiceError && error.retryAfterMs !== undefined)) throw error;
      if (error.message !== reported) printError(`${error.message} Retrying until it answers.\n`);
      reported = error.message;
      await pause(Math.max(backoff(FIRST_PAUSE_MS, failures, MAX_PAUSE_MS), error.retryAfterMs));
    }
  }
};

async function* follow(options: FeedOptions, first: Page): AsyncGenerator<FeedEvent> {
  for (let page = first; ; ) {
    yield* page.events;
    if (options.once && !page.has_more) return;
    page = await readPersistently(options, page.after, options.once ? 0 : WAIT_SECONDS);
  }
}

/** Connects to the feed, and returns its events in their order, each once. Only the first request fails if the service does not
 *  answer: later ones are repeated, so that the service may be restarted. */
export const openFeed = async (options: FeedOptions): Promise<AsyncGenerator<FeedEvent>> =>
  follow(options, await readPage(options, options.after, 0));
