import type { IncomingMessage } from 'node:http';
import type { Storage } from '../../db/storage.ts';
import { bearerOf, type Guard, type Guards, isBearer } from '../../http/pipeline/credentials.ts';
import { type HeaderSink, rateLimitGuard } from '../../http/pipeline/rate-limit.ts';
import { type ApiError, forbidden, invalidField, unauthorized } from '../../lib/errors.ts';
import { PROGRAM } from '../../lib/executable.ts';
import type { IsTrustedProxy } from '../../lib/ip-address.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { bitOf, type KeyScope, presets } from '../../lib/scopes.ts';
import type { SharedAccess } from './access.ts';
import type { KeyAccess } from './key.access.ts';
import { isKey, type KeyPrincipal, type Role, type UserPrincipal } from './principal.ts';
import { currentToken } from './session.cookies.ts';
import { sessionGuard } from './session.guard.ts';

const isInPreset = (scope: KeyScope) => (presets.read_write as readonly KeyScope[]).includes(scope);

const hintFor = (scopes: string) =>
  `Create one with \`${PROGRAM} key create --name NAME --scope ${scopes}\` or in Settings → API keys.`;

const missingScope = (scope: KeyScope): ApiError =>
  forbidden(
    `This API key does not have the scope ${scope}. Use a key with ${isInPreset(scope) ? `the scope ${scope} or read_write` : 'this scope'}. ${hintFor(scope)}`,
    { required_scope: scope },
  );

export const assertScope = ({ scopes }: Pick<KeyPrincipal, 'scopes'>, scope: KeyScope): void => {
  if (!(scopes & bitOf(scope))) throw missingScope(scope);
};

/** Rejects an API key without one of the scopes that a request needs besides that of its route. Users have no scopes: their role decides. */
export const assertAlso = (caller: object, ...required: readonly KeyScope[]): void => {
  if (!isKey(caller)) return;
  const missing = required.find((scope) => !(caller.scopes & bitOf(scope)));
  if (missing === undefined) return;
  const scopes = required.length === 1 ? 'both scopes' : 'all required scopes';
  throw forbidden(
    `This request also requires the scope ${missing}. Use a key with ${scopes}. ${hintFor(`SCOPE,${missing}`)}`,
    { required_scope: missing },
  );
};

const bothCredentials = () =>
  invalidField(
    'Authorization',
    'must not be sent with the cookie of a session. Send one of them: the API key, or the cookie of a signed-in user.',
  );

const assertRole = (principal: UserPrincipal, role: Role): UserPrincipal => {
  if (role === 'member' || principal.role === 'owner') return principal;
  throw forbidden('Owner access required.');
};

/** The guards of API keys and of signed-in users. */
export const accessGuards = (
  { identify }: Pick<KeyAccess, 'identify'>,
  storage: Pick<Storage, 'run' | 'consumeQuota'>,
  isTrustedProxy: IsTrustedProxy,
): Guards => {
  const limitRate = rateLimitGuard<KeyPrincipal>(storage.consumeQuota);
  const signedIn = sessionGuard(storage, isTrustedProxy);

  const key = (request: IncomingMessage, response: HeaderSink): MaybePromise<KeyPrincipal> => {
    const token = bearerOf(request);
    if (token === undefined) throw unauthorized();
    return chain(identify(token), (principal) => {
      if (principal === undefined) throw unauthorized();
      return limitRate(principal, response);
    });
  };

  const withRole =
    (role: Role): Guard =>
    async (request) =>
      assertRole(await signedIn(request), role);

  /** Each caller has one credential, so that no request depends on which of two would count. */
  const shared: Guard = (request, _, response, access) => {
    const { scope, bit, also, role } = access as SharedAccess;
    if (request.headers.cookie !== undefined && currentToken(request.headers) !== '') {
      if (isBearer(request)) throw bothCredentials();
      return signedIn(request).then((principal) => assertRole(principal, role));
    }
    return chain(key(request, response), (principal) => {
      if (!(principal.scopes & bit)) throw missingScope(scope);
      if (also.length > 0) assertAlso(principal, ...also);
      return principal;
    });
  };

  return {
    key: (request, _, response) => key(request, response),
    shared,
    member: withRole('member'),
    owner: withRole('owner'),
  };
};
