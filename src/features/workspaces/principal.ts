import type { Rate } from '../../lib/rate-limit.ts';

export const scopes = ['read', 'read_write'] as const;
export type Scope = (typeof scopes)[number];

export const roles = ['owner', 'member'] as const;
export type Role = (typeof roles)[number];

/** The authenticated caller: the workspace that limits every statement, and the actor in the audit log. */
export interface Principal {
  readonly workspace: number;
  /** The id of a key, user, channel or integration. */
  readonly actor: string;
  /** The id of the request, unless it only reads. */
  readonly request?: string | undefined;
}

/** A caller who is not authenticated yet. */
export type Caller = Pick<Principal, 'request'>;

export interface KeyPrincipal extends Principal {
  readonly scope: Scope;
  readonly rate?: Rate | undefined;
}

/** A signed-in user. */
export interface UserPrincipal extends Principal {
  readonly email: string;
  readonly role: Role;
  /** The digest of the session's token. */
  readonly session: string;
}
