import type { IncomingMessage } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import type { AttemptRow } from './attempt.store.ts';

export interface WebhookResult {
  readonly result: AttemptRow['result'];
  /** The status of the response; null if its headers did not arrive. */
  readonly status: number | null;
  /** A sentence for the owner of the endpoint; null if the message was delivered. */
  readonly error: string | null;
  /** The beginning of the response. */
  readonly response_body: string;
  readonly duration_ms: number;
  /** How long the receiver asks to wait. */
  readonly retryAfterMs?: number;
}

const MAX_STORED_BYTES = 1_024;
/** A response is read to this size. A longer one is not an error, but its connection is closed. */
export const MAX_READ_BYTES = 65_536;
/** The longest pause between two attempts. */
const MAX_RETRY_AFTER_MS = 10 * 3_600_000;

/** The time until which Retry-After asks to wait, in seconds or as a date; undefined if it is malformed or past. */
const retryAfterMs = (text: string | undefined, now: number): number | undefined => {
  if (text === undefined || text.length > 40) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : undefined;
};

/** What a complete response means. */
export const judgeResponse = (
  { statusCode: status = 0, headers }: Pick<IncomingMessage, 'statusCode' | 'headers'>,
  now: number,
): Omit<WebhookResult, 'response_body' | 'duration_ms'> => {
  if (status >= 200 && status < 300) return { result: 'delivered', status, error: null };
  if (status === 410)
    return { result: 'gone', status, error: 'The receiver answered 410: it is gone permanently.' };
  if (status >= 300 && status < 400) {
    const error = `The receiver answered ${status}. Redirects are not followed; change the URL of the endpoint.`;
    return { result: 'failed', status, error };
  }
  const error = `The receiver answered ${status}. Only a status from 200 to 299 confirms the delivery.`;
  const wait = status === 429 || status === 503 ? retryAfterMs(headers['retry-after'], now) : undefined;
  return { result: 'failed', status, error, ...(wait !== undefined && { retryAfterMs: wait }) };
};

/** Collects the beginning of a response, by default its first KB. */
export class ResponseStart {
  readonly #limit: number;
  readonly #parts: Buffer[] = [];
  #length = 0;
  /** The number of bytes that arrived. */
  received = 0;

  constructor(limit = MAX_STORED_BYTES) {
    this.#limit = limit;
  }

  add(chunk: Buffer): void {
    this.received += chunk.length;
    if (this.#length >= this.#limit) return;
    const part = chunk.subarray(0, this.#limit - this.#length);
    this.#parts.push(part);
    this.#length += part.length;
  }

  /** The text, within the limit in UTF-8, without U+0000, which PostgreSQL cannot store. Bytes that are not UTF-8 become U+FFFD, and a
   *  character that the limit splits is omitted. */
  text(): string {
    const bytes = Buffer.concat(this.#parts);
    const isCut = this.received > bytes.length;
    const decoded = isCut ? new StringDecoder('utf8').write(bytes) : bytes.toString('utf8');
    const text = decoded.replaceAll('\0', '\ufffd');
    // Only replaced bytes make the text longer than what arrived.
    if (!text.includes('\ufffd')) return text;
    const { read } = new TextEncoder().encodeInto(text, new Uint8Array(this.#limit));
    return text.slice(0, read);
  }
}
