import type { Access } from '../../http/pipeline/route.ts';
import { type KeyScope, memberScopes } from '../../lib/scopes.ts';
import type { KeyPrincipal, Principal, Role, UserPrincipal } from './principal.ts';

/** The access of an operation that API keys and signed-in users share. */
export interface SharedAccess extends Access<Principal> {
  readonly kind: 'shared';
  readonly scope: KeyScope;
  /** Scopes that a key needs besides. */
  readonly also: readonly KeyScope[];
  readonly role: Role;
}

const inWords = (scopes: readonly string[]): string => {
  const quoted = scopes.map((scope) => `\`${scope}\``);
  return quoted.length === 1
    ? `scope ${quoted}`
    : `scopes ${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`;
};

/** An API key with the scope, or a user: every one if members have the scope, otherwise an owner. `also` names the scopes that a key needs
 *  besides, because the response, or a secret in it, gives access to their records. */
export const needs = (
  scope: KeyScope,
  { role = memberScopes.includes(scope) ? 'member' : 'owner', also = [] }: Partial<SharedAccess> = {},
): SharedAccess => ({
  kind: 'shared',
  scope,
  also,
  role,
  schemes: ['key', 'session'],
  note: `Requires the ${inWords([scope, ...also])}.`,
  extensions: { 'x-required-scopes': [scope, ...also], 'x-required-role': role },
  isRateLimited: true,
});

/** Any API key. */
export const anyKey: Access<KeyPrincipal> = { kind: 'key', schemes: ['key'], isRateLimited: true };

const signedIn = (kind: Role, note: string): Access<UserPrincipal> => ({ kind, schemes: ['session'], note });
export const member = signedIn('member', 'For every signed-in user.');
export const owner = signedIn('owner', 'For owners.');

/** The secret of the record in the path, or a signature with it. Each of the schemes is enough. */
export const hookAccess = <W = Principal>(kind: string, ...schemes: readonly string[]): Access<W> => ({
  kind,
  schemes,
  isRateLimited: true,
  isHook: true,
});
