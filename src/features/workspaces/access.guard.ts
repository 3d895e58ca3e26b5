import type { IncomingMessage } from 'node:http';
import type { Storage } from '../../db/storage.ts';
import { bearerOf, type Guard, type Guards, isBearer } from '../../http/pipeline/credentials.ts';
import { type HeaderSink, rateLimitGuard } from '../../http/pipeline/rate-limit.ts';
import { forbidden, invalidField, unauthorized } from '../../lib/errors.ts';
import { PROGRAM } from '../../lib/executable.ts';
import type { IsTrustedProxy } from '../../lib/ip-address.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { bitOf, type KeyScope, presets, scopeSet, scopesIn } from '../../lib/scopes.ts';
import type { SharedAccess } from './access.ts';
import type { KeyAccess } from './key.access.ts';
import { isKey, type KeyPrincipal, type Role, type UserPrincipal } from './principal.ts';
import { currentToken } from './session.cookies.ts';
import { sessionGuard } from './session.guard.ts';

const isInPreset = (scope: KeyScope) => (presets.read_write as readonly KeyScope[]).includes(scope);

/** The scopes of a key never change, so the command creates one that has those of the caller, too. */
const hintFor = ({ scopes }: Pick<KeyPrincipal, 'scopes'>, missing: readonly KeyScope[]) => {
  const all = scopesIn(scopes | scopeSet(missing)).join();
  return `Create one with \`${PROGRAM} key create --name NAME --scope ${all}\` or in Settings → API keys.`;
};

/** Rejects a key without the scope of an operation, or without one that the operation needs besides. */
export const assertScope = (
  caller: Pick<KeyPrincipal, 'scopes'>,
  scope: KeyScope,
  also: readonly KeyScope[] = [],
): void => {
  if (caller.scopes & bitOf(scope)) {
    assertAlso(caller, ...also);
    return;
  }
  const needed = isInPreset(scope) ? `the scope ${scope} or read_write` : 'this scope';
  throw forbidden(
    `This API key does not have the scope ${scope}. Use a key with ${needed}. ${hintFor(caller, [scope, ...also])}`,
    { required_scope: scope },
  );
};

/** Rejects an API key without one of the scopes that a request needs besides that of its route. Users have no scopes: their role decides. */
export const assertAlso = (caller: object, ...required: readonly KeyScope[]): void => {
  if (!isKey(caller)) return;
  const missing = required.filter((scope) => !(caller.scopes & bitOf(scope)));
  const [required_scope] = missing;
  if (required_scope === undefined) return;
  const named = `${missing.length === 1 ? 'scope' : 'scopes'} ${missing.join(', ')}`;
  throw forbidden(
    `This request also requires the ${named}. Use a key with all required scopes. ${hintFor(caller, missing)}`,
    { required_scope },
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
    const { scope, also, role } = access as SharedAccess;
    if (request.headers.cookie !== undefined && currentToken(request.headers) !== '') {
      if (isBearer(request)) throw bothCredentials();
      return signedIn(request).then((principal) => assertRole(principal, role));
    }
    return chain(key(request, response), (principal) => {
      assertScope(principal, scope, also);
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
