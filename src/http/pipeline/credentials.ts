import type { IncomingMessage } from 'node:http';
import { ApiError, unauthorized } from '../../lib/errors.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { type ConsumeQuota, type HasRateLimit, type HeaderSink, rateLimitGuard } from './rate-limit.ts';
import type { Access, Params } from './route.ts';

/** Returns the principal of a request, or throws. It runs before the query and the body are read, and may add headers to
 *  the response. */
export type Guard = (request: IncomingMessage, params: Params, response: HeaderSink) => MaybePromise<unknown>;
export type Guards = Readonly<Record<Access, Guard>>;

export interface ApiKeys<W> {
  /** Undefined if the key is unknown, revoked or expired. */
  readonly identify: (key: string) => MaybePromise<W | undefined>;
  readonly mayWrite: (principal: W) => boolean;
}

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

export const bearerOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined =>
  BEARER.exec(headers.authorization ?? '')?.[1];

export const openGuard: Guard = () => undefined;

export const keyGuards = <W extends HasRateLimit>(
  { identify, mayWrite }: ApiKeys<W>,
  consume: ConsumeQuota<W>,
): Pick<Guards, 'read' | 'write'> => {
  const limitRate = rateLimitGuard(consume);
  const read = (request: IncomingMessage, _: Params, response: HeaderSink): MaybePromise<W> => {
    const key = bearerOf(request);
    if (key === undefined) throw unauthorized();
    return chain(identify(key), (principal) => {
      if (principal === undefined) throw unauthorized();
      return limitRate(principal, response);
    });
  };
  const write: typeof read = (request, params, response) =>
    chain(read(request, params, response), (principal) => {
      if (mayWrite(principal)) return principal;
      throw new ApiError('FORBIDDEN', 'This API key is read-only. Use one with the scope read_write.');
    });
  return { read, write };
};

/** Authenticates with the secret of the record in the path. It does not reveal whether that record exists. */
export const secretGuard =
  <W>(identify: (id: string, secret: string) => Promise<W | undefined>): Guard =>
  async (request, { id }) => {
    const secret = bearerOf(request);
    const principal = secret === undefined ? undefined : await identify(id, secret);
    if (principal === undefined)
      throw unauthorized(
        'Send the secret of this channel or integration in the header Authorization: Bearer <SECRET>.',
      );
    return principal;
  };
