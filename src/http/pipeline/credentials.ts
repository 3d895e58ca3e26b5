import type { IncomingMessage } from 'node:http';
import { ApiError, unauthorized } from '../../lib/errors.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { bitOf, type KeyScope, keyScopes, presets, type ScopeSet } from '../../lib/scopes.ts';
import { type ConsumeQuota, type HasRateLimit, type HeaderSink, rateLimitGuard } from './rate-limit.ts';
import type { Access, Params } from './route.ts';

/** Returns the principal of a request, or throws. It runs before the query and the body are read, and may add headers to
 *  the response. */
export type Guard = (request: IncomingMessage, params: Params, response: HeaderSink) => MaybePromise<unknown>;
export type Guards = Readonly<Record<Access, Guard>>;

export interface ApiKeys<W> {
  /** Undefined if the key is unknown, revoked or expired. */
  readonly identify: (key: string) => MaybePromise<W | undefined>;
}

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

export const bearerOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined =>
  BEARER.exec(headers.authorization ?? '')?.[1];

export const openGuard: Guard = () => undefined;

/** The caller of a route for API keys. */
export interface HasScopes {
  readonly scopes: ScopeSet;
}

const isInPreset = (scope: KeyScope) => (presets.read_write as readonly KeyScope[]).includes(scope);

const missingScope = (scope: KeyScope): ApiError =>
  new ApiError(
    'FORBIDDEN',
    `This API key does not have the scope ${scope}. Use a key with ${isInPreset(scope) ? `the scope ${scope} or read_write` : 'this scope'}.`,
    { required_scope: scope },
  );

export const assertScope = ({ scopes }: HasScopes, scope: KeyScope): void => {
  if (!(scopes & bitOf(scope))) throw missingScope(scope);
};

/** Rejects an API key without one of the scopes that a request needs besides that of its route. Users have no scopes: their role decides. */
export const assertAlso = (caller: unknown, ...required: readonly KeyScope[]): void => {
  const { scopes } = (caller ?? {}) as Partial<HasScopes>;
  const missing = scopes === undefined ? undefined : required.find((scope) => !(scopes & bitOf(scope)));
  if (missing === undefined) return;
  throw new ApiError(
    'FORBIDDEN',
    `This request also requires the scope ${missing}. Use a key that has it, too.`,
    { required_scope: missing },
  );
};

/** One guard for each scope, and one for any key, which leaves counting to the route. */
export const keyGuards = <W extends HasRateLimit & HasScopes>(
  { identify }: ApiKeys<W>,
  consume: ConsumeQuota<W>,
): Pick<Guards, KeyScope | 'key'> => {
  const limitRate = rateLimitGuard(consume);
  const guardOf = (scope?: KeyScope): Guard => {
    const bit = scope && bitOf(scope);
    return (request, _, response) => {
      const key = bearerOf(request);
      if (key === undefined) throw unauthorized();
      return chain(identify(key), (principal) => {
        if (principal === undefined) throw unauthorized();
        if (!scope) return principal;
        return chain(limitRate(principal, response), (limited) => {
          if (bit && !(limited.scopes & bit)) throw missingScope(scope);
          return limited;
        });
      });
    };
  };
  const scoped = Object.fromEntries(keyScopes.map((scope) => [scope, guardOf(scope)]));
  return { key: guardOf(), ...(scoped as Pick<Guards, KeyScope>) };
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
