import { setTimeout as pause } from 'node:timers/promises';
import { pluralize } from './command.ts';
import type { Connection } from './connection.ts';
import { printError } from './output.ts';

const TIMEOUT_MS = 15_000;

/** The service does not answer, or refuses a request. */
export class ServiceError extends Error {
  /** The status of the response, if there is one. */
  status?: number | undefined;
  /** How long to wait before the same request may succeed. Undefined if it never will. */
  retryAfterMs?: number;
}

const temporary = (message: string, retryAfterMs = 0, status?: number): ServiceError =>
  Object.assign(new ServiceError(message), { retryAfterMs, status });

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

const connectionError = (url: string, error: unknown): ServiceError => {
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

export interface RequestOptions {
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string;
  /** How long the service may delay the response. */
  readonly waitMs?: number;
}

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON; undefined if it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a service of another version may send anything
  readonly body: any;
}

/** Sends a request. Throws if it gets no response, a redirect, or one that says to retry. */
export const send = async (
  { url, key }: Connection,
  method: string,
  path: string,
  { query = {}, headers, body, waitMs = 0 }: RequestOptions = {},
): Promise<ServiceResponse> => {
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${url}${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(query)}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body ?? null,
      // A redirect to another origin would lose the key, and one to http would show it.
      redirect: 'manual',
      signal: AbortSignal.timeout(waitMs + TIMEOUT_MS),
    });
    text = await response.text();
  } catch (error) {
    throw connectionError(url, error);
  }
  const { status } = response;
  if (status >= 300 && status < 400)
    throw new ServiceError(
      `${url} redirects to ${response.headers.get('location')}. Use the URL that it redirects to.`,
    );
  const parsed = parseBody(text);
  if (status === 408 || status === 429 || status >= 500) {
    const message: unknown = parsed?.error?.message;
    const detail = typeof message === 'string' ? ` ${message}` : '';
    const seconds = Number(response.headers.get('retry-after')) || 0;
    throw temporary(`The service at ${url} answered ${status}.${detail}`, seconds * 1_000, status);
  }
  return { status, headers: response.headers, text, body: parsed };
};

export const notRoster = (url: string, status: number): ServiceError =>
  new ServiceError(
    `Roster does not answer at ${url} (status ${status}). Check that this is its URL, without /v1.`,
  );

export const KEY_REFUSED = 'The service does not accept the API key in ROSTER_KEY (401).';

/** The details of a refusal that its message does not repeat, one per line. */
const formatDetails = (details: unknown): string => {
  if (Array.isArray(details))
    return details.length > 1 ? details.map(({ field, message }) => `\n${field}: ${message}`).join('') : '';
  return Object.entries(Object(details))
    .map(([name, value]) => `\n${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('');
};

const RETRIES = 5;
const MAX_RETRY_AFTER_MS = 60_000;

/** Sends a request again if the service has not accepted it because of a rate limit. */
const sendWithinLimit = async (...parameters: Parameters<typeof send>): Promise<ServiceResponse> => {
  for (let retries = 0; ; retries++) {
    try {
      return await send(...parameters);
    } catch (error) {
      const { status, retryAfterMs = 0 } = error as ServiceError;
      if (status !== 429 || retries === RETRIES || retryAfterMs > MAX_RETRY_AFTER_MS) throw error;
      printError(
        `The service limits requests. Continuing in ${pluralize(retryAfterMs / 1_000, 'second')}.\n`,
      );
      await pause(retryAfterMs);
    }
  }
};

/** Sends a request that must succeed. Throws the service's message otherwise. */
export const request = async (
  connection: Connection,
  method: string,
  path: string,
  options?: RequestOptions,
): Promise<ServiceResponse> => {
  const response = await sendWithinLimit(connection, method, path, options);
  const { status, body } = response;
  if (body?.success === true) return response;
  const { message, details } = Object(body?.error);
  const isBelowApi = status === 404 && connection.url.endsWith('/v1');
  if (typeof message !== 'string' || isBelowApi) throw notRoster(connection.url, status);
  const prefix = status === 401 ? `${KEY_REFUSED} ` : '';
  throw Object.assign(new ServiceError(`${prefix}${message}${formatDetails(details)}`), { status });
};

const PAGE = 100;

/** The first records of a list, of as many pages as it takes. `total` counts all. */
export const listRecords = async (
  connection: Connection,
  path: string,
  query: Readonly<Record<string, string>> = {},
  limit = Number.POSITIVE_INFINITY,
) => {
  const records: Record<string, unknown>[] = [];
  let total = 0;
  let next: Record<string, string> | undefined = {};
  while (next && records.length < limit) {
    const page = { ...query, ...next, limit: `${Math.min(PAGE, limit - records.length)}` };
    const { body, headers } = await request(connection, 'GET', path, { query: page });
    records.push(...body.data);
    total = body.pagination.total;
    // Lists of contacts that are filtered or sorted have cursors instead of offsets.
    const [, cursor] = /next_cursor="([^"]+)"/.exec(headers.get('link') ?? '') ?? [];
    const hasMore = body.pagination.has_more && body.data.length > 0;
    if (cursor) next = { cursor };
    else next = hasMore ? { offset: `${records.length}` } : undefined;
  }
  return { records, total };
};
