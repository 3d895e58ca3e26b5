import { conflict, forbidden } from '../../lib/errors.ts';
import type { Rate } from '../../lib/rate-limit.ts';
import { bitOf, type KeyScope, type ScopeSet, scopesIn } from '../../lib/scopes.ts';
import { listSome } from '../../lib/text.ts';
import type { Actor } from '../../records/change.ts';

export const roles = ['owner', 'member'] as const;
export type Role = (typeof roles)[number];

/** The authenticated caller, who is the actor in the audit log. */
export type Principal = Actor;

/** The input of an operation about one record. */
export type ById = { readonly id: string };

/** A caller who is not authenticated yet. */
export type Caller = Pick<Principal, 'request'>;

export interface KeyPrincipal extends Principal {
  readonly scopes: ScopeSet;
  readonly rate?: Rate | undefined;
}

/** A signed-in user. */
export interface UserPrincipal extends Principal {
  readonly email: string;
  readonly role: Role;
  /** The digest of the session's token. */
  readonly session: string;
}

/** Whether a change is made with an API key. */
export const isKey = (who: object): who is KeyPrincipal => 'scopes' in who && who.scopes !== undefined;

/** Whether the caller is an API key that does not have a scope. */
export const isKeyWithout = (principal: Principal, scope: KeyScope): boolean =>
  isKey(principal) && !(principal.scopes & bitOf(scope));

/** Refuses to change what agents or campaigns use. It names them to callers who may read them. */
export const assertUnused = (
  principal: Principal,
  kind: 'agents' | 'campaigns',
  users: readonly { readonly id: string; readonly name: string }[],
  message: (names: string) => string,
): void => {
  if (users.length === 0) return;
  const number = users.length === 1 ? `one of the ${kind}` : `${users.length} ${kind}`;
  if (isKeyWithout(principal, `${kind}:read`)) throw conflict(message(number));
  const ids = users.map(({ id }) => id).join(',');
  throw conflict(message(listSome(users.map(({ name }) => name))), { [kind]: ids });
};

/** An API key grants only scopes that it has itself, to another key or to a user. */
export const assertMayGrant = (
  who: Actor,
  wanted: ScopeSet,
  rule = 'An API key can only grant scopes that it has.',
): void => {
  if (!isKey(who)) return;
  const missing = scopesIn(wanted & ~who.scopes);
  if (missing.length === 0) return;
  throw forbidden(`${rule} This key does not have ${missing.join(', ')}.`, {
    required_scope: missing.join(' '),
  });
};
