import type { Rate } from '../../lib/rate-limit.ts';
import { bitOf, type KeyScope, type ScopeSet } from '../../lib/scopes.ts';

export const roles = ['owner', 'member'] as const;
export type Role = (typeof roles)[number];

/** The authenticated caller: the workspace that limits every statement, and the actor in the audit log. */
export interface Principal {
  readonly workspace: number;
  /** The id of a key, user, channel or integration. */
  readonly actor: string;
  /** The id of the request, unless it only reads. */
  readonly request?: string | undefined;
  /** The interface of a change that is not one of the API, the dashboard or the command line. */
  readonly via?: 'mcp' | undefined;
}

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
