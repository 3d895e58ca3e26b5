import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, invalidField, invalidRequest, unavailable } from '../../lib/errors.ts';
import { memberText, parseObject, SentJson } from '../../lib/json.ts';

/** Default of `maxBody`. */
const MAX_BODY = 1_048_576;

/** `8 KiB`, `1 MiB`. */
export const sizeText = (bytes: number): string =>
  bytes < 1_048_576 ? `${bytes / 1_024} KiB` : `${bytes / 1_048_576} MiB`;

const tooLarge = (limit: number) =>
  new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The body is larger than ${sizeText(limit)} (${limit} bytes). Send a smaller one.`,
  );

/** JSON with any parameters, except a charset other than UTF-8. */
const JSON_TYPE = /^application\/json\s*(?:;(?!\s*charset\s*=(?!\s*"?utf-?8"?\s*(?:;|$)))[^;]*)*$/i;

const assertJson = ({ headers }: IncomingMessage) => {
  const type = headers['content-type'];
  if (type === undefined || !JSON_TYPE.test(type)) {
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the body with the header Content-Type: application/json.',
    );
  }
};

const assertUncompressed = ({ headers }: IncomingMessage) => {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the body uncompressed, without a Content-Encoding header.',
    );
  }
};

export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Whether part of the body has not arrived. `complete` alone does not tell: without a body it is still false while the
 *  request is handled synchronously. */
export const isUnread = (request: IncomingMessage): boolean => !request.complete && hasBody(request);

export const readBody = async (
  request: IncomingMessage,
  response: ServerResponse,
  budget: BodyBudget,
  { maxBody, maxValues, sentMember }: { maxBody?: number; maxValues?: number; sentMember?: string } = {},
): Promise<Record<string, unknown>> => {
  if (hasBody(request)) {
    assertJson(request);
    assertUncompressed(request);
  }
  const text = await readText(request, response, budget, maxBody);
  const body = parseObject(text, maxValues);
  const member = sentMember && memberText(text, sentMember);
  if (sentMember && member) body[sentMember] = new SentJson(member, body[sentMember]);
  return body;
};

/** Reads the body as text, whatever its content type. */
export const readText = async (
  request: IncomingMessage,
  response: ServerResponse,
  budget: BodyBudget,
  limit = MAX_BODY,
): Promise<string> => {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  if (request.headers.expect !== undefined) response.writeContinue();
  const bytes = await collect(request, limit, budget);
  if (!isUtf8(bytes)) throw invalidRequest('The body is not valid UTF-8. Encode it as UTF-8.');
  return bytes.toString('utf8');
};

const connectionClosed = () => invalidRequest('The connection closed before the whole body arrived.');

/** For a whole body, and for each chunk of a streamed one. */
const TIMEOUT_MS = 30_000;
const RATE_CHECKED_AFTER_MS = 10_000;
const CHECK_EVERY_MS = 1_000;
/** Slower than any mobile network. */
const MIN_BYTES_PER_SECOND = 500;

export const isTooSlow = (bytes: number, ms: number): boolean =>
  ms >= TIMEOUT_MS || (ms >= RATE_CHECKED_AFTER_MS && bytes < (ms / 1000) * MIN_BYTES_PER_SECOND);

const tooSlow = () =>
  invalidRequest(
    `The body arrived too slowly. Send at least ${MIN_BYTES_PER_SECOND} bytes per second and the whole body within 30 seconds.`,
  );

const timedOut = () => invalidRequest('No data was received for 30 seconds. Send the file again.');

/** Streams a file from the body. There is no limit on its size or total time, only on the time between two chunks. */
export const readStream = (
  request: IncomingMessage,
  response: ServerResponse,
  timeoutMs = TIMEOUT_MS,
): AsyncIterable<Buffer> => {
  assertUncompressed(request);
  return chunksOf(request, response, timeoutMs);
};

async function* chunksOf(
  request: IncomingMessage,
  response: ServerResponse,
  timeoutMs: number,
): AsyncGenerator<Buffer> {
  if (request.headers.expect !== undefined) response.writeContinue();
  for (;;) {
    const chunk = await nextChunk(request, timeoutMs);
    if (!chunk) return;
    yield chunk;
  }
}

/** The next chunk of a body; undefined at its end. Not the stream's iterator: its `readable` listener would stay, and the rest of a
 *  refused upload could not be discarded. */
const nextChunk = (request: IncomingMessage, timeoutMs: number): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    if (request.readableEnded) return resolve(undefined);
    if (request.destroyed) return reject(connectionClosed());
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose).pause();
      outcome();
    };
    const onData = (chunk: Buffer) => settle(() => resolve(chunk));
    const onEnd = () => settle(() => resolve(undefined));
    const onClose = () => settle(() => reject(connectionClosed()));
    const timer = setTimeout(() => settle(() => reject(timedOut())), timeoutMs);
    request.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose).resume();
  });

/** Limits the memory of incomplete bodies to 64 of the maximum size, which serving threads share. A body that arrives in one chunk does
 *  not count, so that short requests succeed while the budget is used up. */
export const newBodyBudget = (onExceeded: () => void, threads: number) => {
  const limit = (64 * MAX_BODY) / threads;
  let reserved = 0;
  return {
    /** Throws a 503 error if the budget is used up. */
    reserve: (bytes: number): void => {
      if (reserved + bytes > limit) {
        onExceeded();
        throw unavailable('The service is receiving too many large requests. Retry in 1 second.');
      }
      reserved += bytes;
    },
    release: (bytes: number): void => {
      reserved -= bytes;
    },
  };
};
export type BodyBudget = ReturnType<typeof newBodyBudget>;

/** Collects a body in one buffer that doubles, because a list of one-byte chunks would take 200 bytes each. A body that
 *  arrives in one chunk is neither copied nor reserved. */
const collect = (request: IncomingMessage, limit: number, budget: BodyBudget): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const declared = Number(request.headers['content-length']);
    const began = performance.now();
    let bytes: Buffer = Buffer.alloc(0);
    let size = 0;
    let reserved = 0;
    const settle = (outcome: () => void) => {
      clearInterval(timer);
      budget.release(reserved);
      request.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose);
      outcome();
    };
    const fail = (error: unknown) => settle(() => reject(error));
    const append = (chunk: Buffer) => {
      const needed = size + chunk.length;
      if (needed > bytes.length) {
        const capacity = Math.min(limit, Math.max(needed, 2 * bytes.length));
        budget.reserve(capacity - reserved);
        reserved = capacity;
        const larger = Buffer.allocUnsafeSlow(capacity);
        bytes.copy(larger, 0, 0, size);
        bytes = larger;
      }
      chunk.copy(bytes, size);
    };
    const onData = (chunk: Buffer) => {
      try {
        if (size + chunk.length > limit) throw tooLarge(limit);
        if (chunk.length === declared) bytes = chunk;
        else append(chunk);
        size += chunk.length;
      } catch (error) {
        fail(error);
      }
    };
    const onEnd = () => settle(() => resolve(size === bytes.length ? bytes : bytes.subarray(0, size)));
    const onClose = () => fail(connectionClosed());
    const timer = setInterval(() => {
      if (isTooSlow(size, performance.now() - began)) fail(tooSlow());
    }, CHECK_EVERY_MS);
    request.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose);
    if (request.destroyed) onClose();
  });

const NO_FIELDS: Readonly<Record<string, string>> = Object.freeze(Object.create(null));

/** Parses a query string. Rejects duplicate fields. */
export const readQuery = (text: string): Readonly<Record<string, string>> => {
  if (text === '') return NO_FIELDS;
  const fields: Record<string, string> = Object.create(null);
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    if (name in fields) throw invalidField(name, 'was sent more than once. Send it once.');
    fields[name] = equals === -1 ? '' : decode(pair.slice(equals + 1));
  }
  return fields;
};

const decode = (text: string): string => {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidRequest('The query is not valid percent-encoded UTF-8. Encode it again.');
  }
};
