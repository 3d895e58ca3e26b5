import { ApiError } from '../../lib/errors.ts';
import type { KeyScope } from '../../lib/scopes.ts';
import { isKeyWithout, type Principal } from '../workspaces/principal.ts';
import type { ContactFilter } from './contact.terms.ts';

/** Filters that reveal records of other features need the scope of these, too, like the timeline. */
const SCOPES = {
  campaign: 'campaigns:read',
  in_campaign: 'campaigns:read',
  called: 'calls:read',
  last_activity_since: 'calls:read',
  last_activity_before: 'calls:read',
} as const satisfies Partial<Record<keyof ContactFilter, KeyScope>>;

type ScopedFilter = keyof typeof SCOPES;

/** Rejects a filter for which the API key of the caller does not have the scope. An empty filter counts as absent. */
export const assertMayFilter = (principal: Principal, filter: ContactFilter): void => {
  for (const name of Object.keys(SCOPES) as ScopedFilter[]) {
    if (filter[name] === undefined || filter[name] === '') continue;
    const scope = SCOPES[name];
    if (!isKeyWithout(principal, scope)) continue;
    throw new ApiError(
      'FORBIDDEN',
      `The filter ${name} requires the scope ${scope}. Use a key with this scope, or leave the filter out.`,
      { required_scope: scope },
    );
  }
};
