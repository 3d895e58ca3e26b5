import { forbidden } from '../../lib/errors.ts';
import { type ScopeSet, scopesIn } from '../../lib/scopes.ts';
import type { Actor } from '../../records/change.ts';
import type { KeyPrincipal } from './principal.ts';

/** An API key grants only scopes that it has itself, to another key or to a user. */
export const assertMayGrant = (
  who: Actor & Partial<Pick<KeyPrincipal, 'scopes'>>,
  wanted: ScopeSet,
  rule = 'An API key can only grant scopes that it has.',
): void => {
  if (who.scopes === undefined) return;
  const missing = scopesIn(wanted & ~who.scopes);
  if (missing.length === 0) return;
  throw forbidden(`${rule} This key does not have ${missing.join(', ')}.`, {
    required_scope: missing.join(' '),
  });
};
