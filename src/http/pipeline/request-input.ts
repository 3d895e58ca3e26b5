import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, invalid } from '../../lib/errors.ts';
import { parseObject } from '../../lib/json.ts';
import type { BodyBudget } from '../server/body-budget.ts';

/** The largest body of a route that states no limit of its own (`maxBody`). */
const MAX_BODY = 1_048_576;

/** `8 KiB`, `1 MiB`. */
export const sizeText = (bytes: number): string =>
  bytes < 1_048_576 ? `${bytes / 1_024} KiB` : `${bytes / 1_048_576} MiB`;

const tooLarge = (limit: number) =>
  new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The body is larger than ${sizeText(limit)} (${limit} bytes). Send a smaller one.`,
  );

/** JSON with any parameters but a charset that is not UTF-8. */
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

/** Whether a body follows the headers. */
export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Whether part of the body is still to come. A request without a body is not complete either while it is answered
 *  synchronously. */
export const isUnread = (request: IncomingMessage): boolean => !request.complete && hasBody(request);

/** The JSON object that a request carries. */
export const readBody = async (
  request: IncomingMessage,
  response: ServerResponse,
  budget: BodyBudget,
  limit?: number,
): Promise<Record<string, unknown>> => {
  if (hasBody(request)) {
    assertJson(request);
    assertUncompressed(request);
  }
  return parseObject(await readText(request, response, budget, limit));
};

/** The text that a request carries, whatever its type. */
export const readText = async (
  request: IncomingMessage,
  response: ServerResponse,
  budget: BodyBudget,
  limit = MAX_BODY,
): Promise<string> => {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  if (request.headers.expect !== undefined) response.writeContinue();
  const bytes = await collect(request, limit, budget);
  if (!isUtf8(bytes))
    throw new ApiError('VALIDATION_ERROR', 'The body is not valid UTF-8. Encode it as UTF-8.');
  return bytes.toString('utf8');
};

const cutShort = () =>
  new ApiError('VALIDATION_ERROR', 'The connection ended before the body did. Send the request again.');

const PATIENCE_MS = 30_000;
const GRACE_MS = 10_000;
const LOOK_EVERY_MS = 1_000;
/** What the slowest telephone sends; who sends less holds a connection rather than a record. */
const SLOWEST_BYTES_PER_SECOND = 500;

/** Whether a body does not come fast enough: after ten seconds it must have come at a telephone's pace. */
export const isTooSlow = (bytes: number, ms: number): boolean =>
  ms >= PATIENCE_MS || (ms >= GRACE_MS && bytes < (ms / 1000) * SLOWEST_BYTES_PER_SECOND);

const tooSlow = () =>
  new ApiError(
    'VALIDATION_ERROR',
    `The body did not arrive in time: after 10 seconds at ${SLOWEST_BYTES_PER_SECOND} bytes per second or more, and all of it within 30 seconds. Send the request again.`,
  );

const silent = () =>
  new ApiError(
    'VALIDATION_ERROR',
    'The body did not arrive in time: nothing came for 30 seconds. Send the request again.',
  );

/** The bytes of a file that is the body, as they come: they are asked for when they are first read, and however long all
 *  of them take, the sender may not fall silent. Nothing holds on to a body of which no more is read. */
export const readStream = (
  request: IncomingMessage,
  response: ServerResponse,
  patience = PATIENCE_MS,
): AsyncIterable<Buffer> => {
  if (/^multipart\//i.test(request.headers['content-type'] ?? '')) {
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the file itself as the body, with the header Content-Type: text/csv, not as a form.',
    );
  }
  assertUncompressed(request);
  return chunksOf(request, response, patience);
};

async function* chunksOf(
  request: IncomingMessage,
  response: ServerResponse,
  patience: number,
): AsyncGenerator<Buffer> {
  if (request.headers.expect !== undefined) response.writeContinue();
  for (;;) {
    const chunk = await nextChunk(request, patience);
    if (!chunk) return;
    yield chunk;
  }
}

/** The next piece of a body; undefined at its end. */
const nextChunk = (request: IncomingMessage, patience: number): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    if (request.readableEnded) return resolve(undefined);
    if (request.destroyed) return reject(cutShort());
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut).pause();
      outcome();
    };
    const onData = (chunk: Buffer) => settle(() => resolve(chunk));
    const onEnd = () => settle(() => resolve(undefined));
    const onCut = () => settle(() => reject(cutShort()));
    const timer = setTimeout(() => settle(() => reject(silent())), patience);
    request.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut).resume();
  });

/** All bytes of a body. They are copied into one buffer that doubles: a chunk of one byte would cost 200 as an object. A body
 *  that arrives whole is neither copied nor reserved. */
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
      request.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
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
    const onCut = () => fail(cutShort());
    const timer = setInterval(() => {
      if (isTooSlow(size, performance.now() - began)) fail(tooSlow());
    }, LOOK_EVERY_MS);
    request.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
    if (request.destroyed) onCut();
  });

/** The fields of a query string, each written at most once. */
export const readQuery = (text: string): Record<string, string> => {
  const fields: Record<string, string> = Object.create(null);
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    if (name in fields) throw invalid([{ field: name, message: 'is given more than once. Send it once.' }]);
    fields[name] = equals === -1 ? '' : decode(pair.slice(equals + 1));
  }
  return fields;
};

const decode = (text: string): string => {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new ApiError('VALIDATION_ERROR', 'The query is not valid percent-encoded UTF-8. Encode it again.');
  }
};
