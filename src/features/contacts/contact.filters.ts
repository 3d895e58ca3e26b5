import type { Db } from '../../db/db.ts';
import { longRead, read } from '../../db/operation.ts';
import { timestamp } from '../../lib/clock.ts';
import { forbidden } from '../../lib/errors.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import type { KeyScope } from '../../lib/scopes.ts';
import type { Condition } from '../../records/list.declaration.ts';
import { fieldsOf } from '../fields/field.store.ts';
import { isKeyWithout, type Principal } from '../workspaces/principal.ts';
import { timeZoneOf } from '../workspaces/settings.service.ts';
import { type ConditionParameter, conditionParameters, writtenFilter } from './contact.schema.ts';
import type { ContactFilter } from './contact.terms.ts';
import { fieldKeyOf, type Operand } from './filter.attributes.ts';
import { conditionsOfTree, type FilterContext, scopeOf } from './filter.conditions.ts';
import { fieldRangesOf } from './filter.ranges.ts';
import { dependsOnTime, type FilterTree, leavesOf } from './filter.tree.ts';
import { findVisible, treeOf } from './segment.store.ts';

/* The filters of requests: a tree of conditions, and today's parameters, which are one as well. */

const parameters = Object.keys(conditionParameters) as ConditionParameter[];

/** The parameters of a filter. An empty one counts as absent. */
const givenIn = (filter: ContactFilter): ConditionParameter[] =>
  parameters.filter((name) => filter[name] !== undefined && filter[name] !== '');

/** Whether a list has filters besides `search` and `tag`. */
export const hasFilters = (filter: ContactFilter): boolean =>
  givenIn(filter).some((name) => name !== 'tag') ||
  (filter.has_tag ?? []).length > 0 ||
  filter.filter !== undefined ||
  Boolean(filter.segment);

/** What in a filter needs a scope. */
const scopedIn = (filter: ContactFilter): (readonly [what: string, scope: KeyScope])[] =>
  [
    ...givenIn(filter).map((name) => [`filter ${name}`, conditionParameters[name].attribute] as const),
    ...(filter.filter ? leavesOf(filter.filter) : []).map(
      ({ attribute }) => [`attribute ${attribute}`, attribute] as const,
    ),
  ].flatMap(([what, attribute]) => {
    const scope = scopeOf(attribute);
    return scope ? [[what, scope] as const] : [];
  });

export const scopesOfFilter = (filter: ContactFilter): KeyScope[] =>
  scopedIn(filter).map(([, scope]) => scope);

/** Rejects a filter for which the API key of the caller does not have the scope. */
export const assertMayFilter = (principal: Principal, filter: ContactFilter): void => {
  for (const [what, scope] of scopedIn(filter)) {
    if (!isKeyWithout(principal, scope)) continue;
    const [kind] = what.split(' ');
    throw forbidden(
      `The ${what} requires the scope ${scope}. Use a key with this scope, or leave the ${kind} out.`,
      { required_scope: scope },
    );
  }
};

/** Work in the background has no key. */
type Caller = Pick<Principal, 'workspace'> & Partial<Principal>;

/** What a tree depends on: the workspace's time zone and fields are read only if it needs them. */
const contextOf = async (
  db: Db,
  principal: Caller,
  tree: FilterTree,
  now: string = timestamp(),
): Promise<FilterContext> => {
  const leaves = leavesOf(tree);
  const isOfField = leaves.some(({ attribute }) => fieldKeyOf(attribute) !== undefined);
  const zone = dependsOnTime(tree) ? await timeZoneOf(db, principal) : 'UTC';
  const fields = isOfField ? await fieldsOf(db, principal.workspace) : new Map();
  return { now, zone, fields, namesFields: !isKeyWithout(principal as Principal, 'contacts:read') };
};

/** The filter of a segment. A key needs the scopes of its attributes. */
const treeOfSegment = async (db: Db, principal: Principal, segment: string): Promise<FilterTree> => {
  const tree = treeOf(await findVisible(db, principal, segment));
  assertMayFilter(principal, { filter: tree });
  return tree;
};

/** A filter in which that of the segment replaces its id. */
export const withSegment = read(
  'withSegment',
  async (db, principal: Principal, { segment, ...filter }: ContactFilter): Promise<ContactFilter> => {
    if (!segment) return filter;
    const tree = await treeOfSegment(db, principal, segment);
    return { ...filter, filter: filter.filter ? { all: [filter.filter, tree] } : tree };
  },
);

/** A filter whose tree has become conditions. Every operation with a filter begins with it. `body` is the member of a body that has
 *  the filter; one in a query is in the parameters `filter` and `segment`. */
export const resolved = (
  db: Db,
  principal: Caller,
  filter: ContactFilter,
  body?: string,
): MaybePromise<ContactFilter> =>
  filter.filter || filter.segment ? withConditions(db, principal, filter, body) : filter;

const withConditions = async (
  db: Db,
  principal: Caller,
  filter: ContactFilter,
  body: string | undefined,
): Promise<ContactFilter> => {
  const { filter: tree, segment, now } = filter;
  const isWhole = body !== undefined && writtenFilter(filter) === tree;
  const at = (name: string) => (body === undefined ? name : `${body}.${name}`);
  const trees: [FilterTree, string][] = [];
  if (tree) trees.push([tree, isWhole ? body : at('filter')]);
  if (segment) trees.push([await treeOfSegment(db, principal as Principal, segment), at('segment')]);
  const context = await contextOf(db, principal, { all: trees.map(([each]) => each) }, now);
  const conditions = trees.flatMap(([each, path]) => conditionsOfTree(each, context, path));
  return { ...filter, conditions, ranges: fieldRangesOf(conditions, context.fields) };
};

/** Checks the filter of a request that runs several operations, for which relative times mean the same. */
export const checkFilter = longRead(
  'checkFilter',
  async (db, principal: Principal, { filter, body }: { filter: ContactFilter; body?: string }) => {
    await resolved(db, principal, filter, body);
    return { ...(await withSegment(db, principal, filter)), now: filter.now ?? timestamp() };
  },
);

/** The conditions of the parameters. */
const treesOf = (filter: ContactFilter): FilterTree[] => {
  const { has_tag = [], has_tag_match = 'any' } = filter;
  const isAll = has_tag_match === 'all' || has_tag.length < 2;
  const conditions = givenIn(filter).map((name) => {
    const { attribute, op } = conditionParameters[name];
    return { attribute, op, value: filter[name] as Operand };
  });
  const others = isAll ? has_tag.filter((tag) => tag !== filter.tag) : [];
  return [
    ...conditions,
    ...others.map((value) => ({ attribute: 'tag', op: 'eq', value }) as const),
    ...(isAll ? [] : [{ attribute: 'tag', op: 'in', value: has_tag } as const]),
  ];
};

const NO_CONTEXT: FilterContext = { now: '', zone: 'UTC', fields: new Map() };

/** No call is later than the last contact, which may be the creation. */
const withLastContact = (conditions: Condition[]): Condition[] => {
  const since = conditions.flatMap((each) =>
    'filter' in each && each.filter === 'last_activity_since' ? [String(each.value)] : [],
  );
  return [...conditions, ...since.map((value) => ({ filter: 'last_contact_since', value }))];
};

/** The conditions of a filter, except for its search. Its tree must have become conditions, or it would select all contacts. */
export const conditionsOf = (filter: ContactFilter): Condition[] => {
  if ((filter.filter || filter.segment) && !filter.conditions) throw new Error('A filter was not resolved.');
  const parameters = conditionsOfTree({ all: treesOf(filter) }, NO_CONTEXT);
  return withLastContact([...parameters, ...(filter.conditions ?? [])]);
};
