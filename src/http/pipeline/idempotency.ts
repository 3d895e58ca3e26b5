import { digest } from '../../lib/encryption.ts';
import { invalidField } from '../../lib/errors.ts';
import type { HttpRequest, HttpResponse } from './route.ts';

/** 1 to 255 printable ASCII characters. HTTP removes spaces around the value of a header. */
const KEY = /^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/;
export const IDEMPOTENCY_KEY_PATTERN = KEY.source;

export const idempotencyKeyOf = ({ headers }: Pick<HttpRequest, 'headers'>): string | undefined => {
  const key = headers['idempotency-key'];
  if (key === undefined || KEY.test(String(key))) return key as string | undefined;
  throw invalidField(
    'Idempotency-Key',
    'must be 1 to 255 printable ASCII characters, for example a new UUID for every request.',
  );
};

/** Sorts the fields of objects, because a retry may send them in another order. */
const withSortedKeys = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** Identifies the content of a request: its record, body and condition. */
export const fingerprintOf = ({ params, body, headers }: HttpRequest): string => {
  const noneMatch = headers['if-none-match'];
  const content = [
    params,
    body,
    headers['if-match'] ?? null,
    ...(noneMatch === undefined ? [] : [noneMatch]),
  ];
  return digest(JSON.stringify(content, withSortedKeys));
};

export const replayed = (response: HttpResponse): HttpResponse => ({
  ...response,
  headers: { ...response.headers, 'Idempotent-Replayed': 'true' },
});
