import { forbidden } from '../../lib/errors.ts';
import type { KeyScope } from '../../lib/scopes.ts';
import { lowerAscii } from '../../lib/text.ts';
import type { Condition, Filter } from '../../records/list.ts';
import { isKeyWithout, type Principal } from '../workspaces/principal.ts';
import { contactFilter } from './contact.schema.ts';
import type { ContactFilter } from './contact.terms.ts';
import { contactList } from './list.store.ts';

/** Handled separately. */
const OTHERS = ['search', 'tag', 'has_tag', 'has_tag_match'] as const;
type FilterName = Exclude<keyof ContactFilter, (typeof OTHERS)[number]>;
/** All filters besides `search` and those by tags. Later features add those that read their tables. */
const FILTERS = Object.keys(contactFilter.fields).filter(
  (name) => !OTHERS.some((each) => each === name),
) as FilterName[];

/** A filter of another feature. */
export interface AddedFilter {
  readonly where: Filter;
  /** The stored form of a value. */
  readonly parse?: (value: string) => string;
  /** A filter that reveals records of its feature needs their scope, too, like the timeline. */
  readonly scope?: KeyScope;
}

const added = new Map<FilterName, AddedFilter>();

export const addContactFilter = (name: FilterName, filter: AddedFilter): void => {
  added.set(name, filter);
  contactList.addFilter(name, filter.where);
};

const isGiven = (value: unknown): boolean => value !== undefined && value !== '';

/** Whether a list has filters besides `search` and `tag`. */
export const hasFilters = (filter: ContactFilter): boolean =>
  FILTERS.some((name) => isGiven(filter[name])) || (filter.has_tag ?? []).length > 0;

/** Rejects a filter for which the API key of the caller does not have the scope. An empty filter counts as absent. */
export const assertMayFilter = (principal: Principal, filter: ContactFilter): void => {
  for (const [name, { scope }] of added) {
    if (!isGiven(filter[name]) || !scope || !isKeyWithout(principal, scope)) continue;
    throw forbidden(
      `The filter ${name} requires the scope ${scope}. Use a key with this scope, or leave the filter out.`,
      { required_scope: scope },
    );
  }
};

const conditionOf = (name: FilterName, value: string | boolean): Condition => {
  if (value === true) return { filter: name };
  if (value === false) return { not: { filter: name } };
  const parse = name === 'email' ? lowerAscii : added.get(name)?.parse;
  return { filter: name, value: parse ? parse(value) : value };
};

/** Tags of which a contact must have all, and tags of which it must have any. */
const tagConditions = ({ tag = '', has_tag = [], has_tag_match = 'any' }: ContactFilter): Condition[] => {
  const isAll = has_tag_match === 'all' || has_tag.length < 2;
  const all = new Set([...(tag ? [tag] : []), ...(isAll ? has_tag : [])]);
  const conditionOfTag = (value: string) => ({ filter: 'tag', value });
  return [...[...all].map(conditionOfTag), ...(isAll ? [] : [{ any: has_tag.map(conditionOfTag) }])];
};

/** No call is later than the last contact, which may be the creation. */
const withLastContact = (filter: ContactFilter): ContactFilter => {
  const { last_contact_since = '', last_activity_since = '' } = filter;
  const latest = last_contact_since > last_activity_since ? last_contact_since : last_activity_since;
  return { ...filter, last_contact_since: latest };
};

/** The conditions of a filter, except for its search. */
export const conditionsOf = (filter: ContactFilter): Condition[] => {
  const values = withLastContact(filter);
  const conditions = FILTERS.flatMap((name) => {
    const value = values[name];
    return value === undefined || value === '' ? [] : [conditionOf(name, value)];
  });
  return [...conditions, ...tagConditions(filter)];
};
