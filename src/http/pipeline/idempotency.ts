import { digest } from '../../lib/encryption.ts';
import { invalid } from '../../lib/errors.ts';
import type { HttpRequest, HttpResponse } from './route.ts';

const KEY = /^[\x20-\x7e]{1,255}$/;

/** The key by which a retry is known; undefined where a request bears none. */
export const idempotencyKeyOf = ({ headers }: Pick<HttpRequest, 'headers'>): string | undefined => {
  const key = headers['idempotency-key'];
  if (key === undefined || KEY.test(String(key))) return key as string | undefined;
  throw invalid([
    {
      field: 'Idempotency-Key',
      message: 'must be 1 to 255 printable ASCII characters, for example a new UUID for every request.',
    },
  ]);
};

/** Objects with their fields in one order: a client may write them in another when it tries again. */
const withSortedKeys = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** A digest of what a request asks of its route: of which record, what, and on which condition. */
export const fingerprintOf = ({ params, body, headers }: HttpRequest): string =>
  digest(JSON.stringify([params, body, headers['if-match'] ?? null], withSortedKeys));

/** An answer that was given before. */
export const replayed = (answer: HttpResponse): HttpResponse => ({
  ...answer,
  headers: { ...answer.headers, 'Idempotent-Replayed': 'true' },
});
