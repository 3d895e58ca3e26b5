import { setTimeout as pause } from 'node:timers/promises';
import type { Payload } from '../features/events/event.schema.ts';
import { backoff } from '../lib/concurrency.ts';
import { eventTypes } from '../records/actions.ts';
import { type FeedConnection, KEY_HINT } from './feed.options.ts';
import { printError } from './output.ts';

/** The seconds that the service delays an empty response: less than most proxies allow. */
const WAIT_SECONDS = 20;
const TIMEOUT_MS = 15_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

/** The width of a column of types. */
export const TYPE_WIDTH = Math.max(...eventTypes.map(({ length }) => length));

/** The feed cannot be read. */
export class FeedError extends Error {
  /** How long to wait before the same request may succeed. Undefined if it never will. */
  retryAfterMs?: number;
}

const temporary = (message: string, retryAfterMs = 0): FeedError =>
  Object.assign(new FeedError(message), { retryAfterMs });

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

/** Why a service does not answer, by the code of the error. */
export const CONNECTION_PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no program listens on this port',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name cannot be resolved now',
  EHOSTUNREACH: 'the address is unreachable',
  ENETUNREACH: 'the address is unreachable',
  ETIMEDOUT: 'the connection was not accepted in time',
  UND_ERR_CONNECT_TIMEOUT: 'the connection was not accepted in time',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its TLS certificate is for another host; use the host of the certificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its TLS certificate is self-signed; name it in NODE_EXTRA_CA_CERTS',
};

const connectionError = (url: string, error: unknown): FeedError => {
  const { name, cause } = error as { name?: string; cause?: { code?: string; message?: string } };
  const { code = '', message = 'unknown error' } = cause ?? {};
  const reason =
    name === 'TimeoutError' ? 'no response in time' : (CONNECTION_PROBLEMS[code] ?? (code || message));
  return temporary(`The service at ${url} does not answer: ${reason}.`);
};

/** Undefined if the text is not JSON. */
export const parseBody = (text: string) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const notRoster = (url: string, status: number) =>
  new FeedError(
    `There is no event feed at ${url} (status ${status}). Check that this is the URL of Roster, without /v1.`,
  );

const refusals = (after: string | null): Readonly<Record<number, string>> => ({
  401: `The service does not accept the API key in ROSTER_API_KEY (401). ${KEY_HINT}`,
  403: `The API key in ROSTER_API_KEY does not have the scope events:read (403). ${KEY_HINT}`,
  410: `The feed no longer has the event ${after} or the one after it (410): it has expired, or the database was restored from a backup. Read the records again, then continue with --after latest.`,
});

const statusError = (url: string, { status, headers }: Response, text: string, after: string | null) => {
  const message: unknown = parseBody(text)?.error?.message;
  if (status >= 300 && status < 400)
    return new FeedError(`${url} redirects to ${headers.get('location')}. Use the URL that it redirects to.`);
  if (status === 408 || status === 429 || status >= 500) {
    const detail = typeof message === 'string' ? ` ${message}` : '';
    const seconds = Number(headers.get('retry-after')) || 0;
    return temporary(`The service at ${url} answered ${status}.${detail}`, seconds * 1_000);
  }
  if (typeof message !== 'string' || status === 404) return notRoster(url, status);
  return new FeedError(refusals(after)[status] ?? `The service answered ${status}: ${message}`);
};

const readPage = async ({ url, key, types, payload }: FeedOptions, after: string | null, wait: number) => {
  const query = new URLSearchParams({ payload, wait: `${wait}` });
  if (after !== null) query.set('after', after);
  if (types) query.set('types', types);
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${url}/v1/events?${query}`, {
      headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
      // A redirect to another origin would lose the key, and one to http would show it.
      redirect: 'manual',
      signal: AbortSignal.timeout(wait * 1_000 + TIMEOUT_MS),
    });
    text = await response.text();
  } catch (error) {
    throw connectionError(url, error);
  }
  if (response.status !== 200) throw statusError(url, response, text, after);
  const page = parseBody(text)?.data;
  if (!Array.isArray(page?.events)) throw notRoster(url, response.status);
  const withJson = (event: object) => ({ ...event, json: JSON.stringify(event) });
  return { ...page, events: page.events.map(withJson) };
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
      if (!(error instanceof FeedError && error.retryAfterMs !== undefined)) throw error;
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
