import type { Event } from './types.ts';

/** The signature of a webhook is missing, wrong or too old. Answer with 401 and ignore the request. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

export interface VerifyOptions {
  /** How far the time of the webhook may be from the clock, in seconds. Default: 300. */
  readonly toleranceSeconds?: number;
  /** The time in milliseconds. Default: now. */
  readonly now?: number;
}

export interface SignOptions {
  /** Identifies the message. A message that is sent again keeps its id. Default: a random one. */
  readonly id?: string;
  /** The time in milliseconds. Default: now. */
  readonly now?: number;
}

/** The headers of a signed message. */
export type SignedHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;

/** Headers as `Headers`, or as an object whose names are in lower case, as in Node's `request.headers`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const PREFIX = 'whsec_';
const encoder = new TextEncoder();

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
};

const headerOf = (headers: WebhookHeaders, name: string): string => {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (!value) throw new WebhookVerificationError(`The header ${name} is missing.`);
  return String(value);
};

/** Throws a `TypeError` for a text that is not a secret. */
export const secretBytes = (secret: string): Uint8Array<ArrayBuffer> => {
  const bytes = bytesOf(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (!bytes || bytes.length === 0) throw new TypeError(`A secret looks like ${PREFIX}… and base64.`);
  return bytes;
};

const keyOf = async (secret: string, usage: 'sign' | 'verify'): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', secretBytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [usage]);

/** What a signature covers: the id, the time and the body exactly as it is sent. */
const signedBytes = (id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const prefix = encoder.encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  return signed;
};

const bodyOf = (payload: string | Uint8Array | ArrayBuffer): Uint8Array =>
  typeof payload === 'string' ? encoder.encode(payload) : new Uint8Array(payload);

/** The headers that sign a payload by the Standard Webhooks scheme. Send them with exactly this payload. */
const sign = async (
  payload: string | Uint8Array | ArrayBuffer,
  secret: string,
  { id = `msg_${crypto.randomUUID()}`, now = Date.now() }: SignOptions = {},
): Promise<SignedHeaders> => {
  const timestamp = String(Math.floor(now / 1000));
  const key = await keyOf(secret, 'sign');
  const signature = await crypto.subtle.sign('HMAC', key, signedBytes(id, timestamp, bodyOf(payload)));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(signature)));
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${base64}` };
};

/** Verifies a webhook by the Standard Webhooks scheme and returns its JSON. The payload is the body exactly as it arrived,
 *  not parsed. While a secret is rotated, pass the old and the new one. */
const verify = async <T = Event>(
  payload: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): Promise<T> => {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature')
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .map((each) => bytesOf(each.slice(3)));
  // A time that is not a number fails too.
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookVerificationError('The time of the webhook is too far from the clock.');

  const body = bodyOf(payload);
  const signed = signedBytes(id, timestamp, body);
  const keys = await Promise.all([secrets].flat().map((secret) => keyOf(secret, 'verify')));
  for (const key of keys) {
    for (const signature of signatures) {
      // Compares in constant time.
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed)))
        return JSON.parse(new TextDecoder().decode(body)) as T;
    }
  }
  throw new WebhookVerificationError('No signature of the webhook matches.');
};

export const webhooks = { sign, verify };
