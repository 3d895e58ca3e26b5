import type { IncomingMessage } from 'node:http';
import { ApiError } from '../kernel/errors.ts';
import { after, type Pending } from '../kernel/pending.ts';
import type { AnyRoute } from './route.ts';

/** How the service knows its callers. */
export interface Access<W> {
  /** Whom a credential belongs to; undefined when it is unknown, revoked or expired. */
  readonly identify: (token: string) => Pending<W | undefined>;
  readonly mayWrite: (principal: W) => boolean;
}

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

/** One answer for a credential that is missing, malformed, unknown, revoked or expired. */
const unauthorized = () =>
  new ApiError(
    'UNAUTHORIZED',
    'Send a valid API key in the header Authorization: Bearer <API_KEY>.',
    undefined,
    {
      'WWW-Authenticate': 'Bearer',
    },
  );

/** Whoever asks, once it is certain that they may use the route. Comes before any look at the request's content. */
export const requireAccess = <W>(
  { identify, mayWrite }: Access<W>,
  needed: AnyRoute['access'],
  { headers }: IncomingMessage,
): Pending<W | undefined> => {
  if (needed === 'open') return undefined;
  const token = BEARER.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) throw unauthorized();
  return after(identify(token), (principal) => {
    if (principal === undefined) throw unauthorized();
    if (needed === 'write' && !mayWrite(principal)) {
      throw new ApiError('FORBIDDEN', 'This API key may only read. Use one with the scope read_write.');
    }
    return principal;
  });
};
