import type { Rate } from '../../lib/rate-limit.ts';

export const scopes = ['read', 'read_write'] as const;
export type Scope = (typeof scopes)[number];

export const roles = ['owner', 'member'] as const;
export type Role = (typeof roles)[number];

/** Who asks: the workspace that every statement names, and the name under which what is done is recorded. */
export interface Principal {
  readonly workspace: number;
  /** The id of a key, of a user, of a channel or of an integration. */
  readonly actor: string;
  /** The id of the request, where it may change something. */
  readonly request?: string | undefined;
}

/** Somebody of whom nothing is known yet but the request. */
export type Caller = Pick<Principal, 'request'>;

/** A program with an API key. */
export interface KeyPrincipal extends Principal {
  readonly scope: Scope;
  readonly rate?: Rate | undefined;
}

/** A person who has signed in. */
export interface UserPrincipal extends Principal {
  readonly email: string;
  readonly role: Role;
  /** The digest of the session's token. */
  readonly session: string;
}
