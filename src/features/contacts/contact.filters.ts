import type { Db } from '../../db/db.ts';
import type { MemberKind } from '../../db/dialect.ts';
import { longRead, read } from '../../db/operation.ts';
import { timestamp } from '../../lib/clock.ts';
import { forbidden, invalid, type Problem } from '../../lib/errors.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import type { KeyScope } from '../../lib/scopes.ts';
import { lowerAscii } from '../../lib/text.ts';
import { parseTime } from '../../lib/time.ts';
import type { Condition, Filter } from '../../records/list.ts';
import { fieldsOf } from '../fields/field.store.ts';
import type { FieldDefinition } from '../fields/field.values.ts';
import { isKeyWithout, type Principal } from '../workspaces/principal.ts';
import { timeZoneOf } from '../workspaces/settings.service.ts';

import { sources } from './contact.schema.ts';
import type { ContactFilter } from './contact.terms.ts';
import {
  type Attribute,
  type AttributeCondition,
  type AttributeName,
  addCheck,
  attributeNamed,
  callingCodeOf,
  fieldKeyOf,
  type Op,
  readOperand,
  type Scalar,
} from './filter.attributes.ts';
import { fieldRangesOf } from './filter.ranges.ts';
import { boundsOf, type Now } from './filter.times.ts';
import { type FilterTree, leavesOf } from './filter.tree.ts';
import { contactList } from './list.store.ts';
import { findVisible, treeOf } from './segment.find.ts';

/* Filters become conditions of the list of contacts: a tree of conditions, and today's parameters, which are one as well. */

/** The condition that each parameter is, besides `search` and `has_tag`. */
const PARAMETERS = {
  created_since: ['created_at', 'gte'],
  created_before: ['created_at', 'lt'],
  updated_since: ['updated_at', 'gte'],
  last_contact_since: ['last_contact_at', 'gte'],
  last_contact_before: ['last_contact_at', 'lt'],
  last_activity_since: ['last_activity_at', 'gte'],
  last_activity_before: ['last_activity_at', 'lt'],
  source: ['source', 'eq'],
  company: ['company', 'eq'],
  email: ['email', 'eq'],
  campaign: ['campaign', 'eq'],
  import: ['import', 'eq'],
  has_email: ['has_email', 'eq'],
  has_name: ['has_name', 'eq'],
  in_campaign: ['in_campaign', 'eq'],
  called: ['called', 'eq'],
  tag: ['tag', 'eq'],
} as const satisfies Partial<Record<keyof ContactFilter, readonly [AttributeName, Op]>>;
type Parameter = keyof typeof PARAMETERS;
const parameters = Object.keys(PARAMETERS) as Parameter[];

/** A filter of another feature. */
export interface AddedFilter {
  readonly where: Filter;
  /** The stored form of a value. */
  readonly parse?: (value: string) => string;
  /** The attribute whose values it checks, and the values that there are. */
  readonly values?: readonly [AttributeName, readonly string[]];
  /** A filter that reveals records of its feature needs their scope, too, like the timeline. */
  readonly scope?: KeyScope;
}

const added = new Map<string, AddedFilter>();

const valueCheck = (values: readonly string[]) => (value: string) =>
  values.includes(value) ? undefined : `must be one of ${values.join(', ')}.`;
addCheck('source', valueCheck(sources));

/** Adds a filter that attributes name (see filter.attributes.ts). */
export const addContactFilter = (name: string, filter: AddedFilter): void => {
  added.set(name, filter);
  contactList.addFilter(name, filter.where);
  if (filter.values) addCheck(filter.values[0], valueCheck(filter.values[1]));
};

const isGiven = (value: unknown): boolean => value !== undefined && value !== '';

/** Whether a list has filters besides `search` and `tag`. */
export const hasFilters = (filter: ContactFilter): boolean =>
  parameters.some((name) => name !== 'tag' && isGiven(filter[name])) ||
  (filter.has_tag ?? []).length > 0 ||
  filter.filter !== undefined ||
  isGiven(filter.segment);

const scopeOf = (attribute: string): KeyScope | undefined =>
  Object.values(attributeNamed(attribute)?.filters ?? {})
    .map((name) => added.get(name)?.scope)
    .find(Boolean);

/** Rejects a filter for which the API key of the caller does not have the scope. An empty filter counts as absent. */
export const assertMayFilter = (principal: Principal, filter: ContactFilter): void => {
  const given = parameters.filter((name) => isGiven(filter[name]));
  const asked = [
    ...given.map((name) => [`filter ${name}`, PARAMETERS[name][0]] as const),
    ...(filter.filter ? leavesOf(filter.filter) : []).map(
      ({ leaf: { attribute } }) => [`attribute ${attribute}`, attribute] as const,
    ),
  ];
  for (const [what, attribute] of asked) {
    const scope = scopeOf(attribute);
    if (!scope || !isKeyWithout(principal, scope)) continue;
    const [kind] = what.split(' ');
    throw forbidden(
      `The ${what} requires the scope ${scope}. Use a key with this scope, or leave the ${kind} out.`,
      { required_scope: scope },
    );
  }
};

/** What a tree's conditions depend on besides their values. */
export interface FilterContext extends Now {
  readonly fields: ReadonlyMap<string, FieldDefinition>;
}

/** `gte` a text between a time and the next one is `gt`: all stored times have one length. */
const justAfter = (time: string): string => `${time}~`;

const likePattern = (op: Op, text: string): string =>
  `${op === 'contains' ? '%' : ''}${lowerAscii(text).replace(/[\\%_]/g, '\\$&')}%`;

/** The condition of one operator and value. */
const compared = (attribute: string, op: Op, value: Scalar): Condition => {
  const filters: Partial<Record<Op, string>> = attributeNamed(attribute)?.filters ?? {};
  const named = filters[op];
  if (op === 'is_set' || typeof value === 'boolean') {
    const condition = { filter: named ?? `${attribute}:is_set` };
    return value === true ? condition : { not: condition };
  }
  if (op === 'contains' || op === 'starts_with')
    return { filter: `${attribute}:like`, value: likePattern(op, String(value)) };
  if (attribute === 'phone_country')
    return { filter: 'phone_country:like', value: `+${callingCodeOf(String(value))}%` };
  const parse = attribute === 'email' ? lowerAscii : added.get(named ?? '')?.parse;
  return { filter: named ?? `${attribute}:${op}`, value: parse ? parse(String(value)) : value };
};

/** A built-in time. */
const timeCondition = (attribute: string, op: Op, value: string, now: Now): Condition => {
  const since = (time: string) => compared(attribute, 'gte', time);
  const before = (time: string) => compared(attribute, 'lt', time);
  if (op === 'gt') return since(justAfter(value));
  if (op === 'lte') return before(justAfter(value));
  if (op === 'gte' || op === 'lt') return compared(attribute, op, value);
  const [first, last] =
    op === 'eq' ? [value, value] : boundsOf(value, now, { isDay: false, isNext: op === 'within_next' });
  return { all: [since(first), before(justAfter(last))] };
};

const conditionOf = (condition: AttributeCondition, context: FilterContext): Condition => {
  const { attribute, op, value } = condition;
  const definition = context.fields.get(fieldKeyOf(attribute) ?? '');
  if (definition) return fieldCondition(condition, definition, context);
  if (op === 'ne') return { not: conditionOf({ attribute, op: 'eq', value }, context) };
  if (op === 'in' && attributeNamed(attribute)?.type === 'text' && attribute !== 'email')
    return { filter: `${attribute}:in`, value: JSON.stringify(value) };
  if (op === 'in') {
    const any = (value as readonly Scalar[]).map((each) => compared(attribute, 'eq', each));
    return any.length === 1 ? (any[0] as Condition) : { any };
  }
  if (attributeNamed(attribute)?.type === 'datetime' && op !== 'is_set')
    return timeCondition(attribute, op, value as string, context);
  return compared(attribute, op, value as Scalar);
};

const treeCondition = (tree: FilterTree, context: FilterContext): Condition => {
  const each = (some: readonly FilterTree[]) => some.map((one) => treeCondition(one, context));
  if ('all' in tree) return { all: each(tree.all) };
  if ('any' in tree) return { any: each(tree.any) };
  return 'not' in tree ? { not: treeCondition(tree.not, context) } : conditionOf(tree, context);
};

/** Conditions that must all hold, without groups, so that an index range can apply one of them. */
const flat = (condition: Condition): Condition[] => {
  if ('all' in condition) return condition.all.flatMap(flat);
  if ('any' in condition && condition.any.length === 1) return condition.any.flatMap(flat);
  return 'not' in condition && 'not' in condition.not ? flat(condition.not.not) : [condition];
};

/** What filters know of a field, and the kind of its stored values. */
const attributeOf = ({ type, options }: FieldDefinition): Attribute & { kind: MemberKind } => {
  const kind = type === 'number' || type === 'boolean' ? type : 'text';
  if (type === 'enum') return { type: 'choice', description: '', kind, check: valueCheck(options ?? []) };
  return { type: type === 'url' ? 'text' : type, description: '', kind };
};

/** The problem of a condition, which may be about a field. */
const fieldProblems = (
  { leaf, path }: { leaf: AttributeCondition; path: string },
  fields: FilterContext['fields'],
): Problem[] => {
  const key = fieldKeyOf(leaf.attribute);
  if (key === undefined) return [];
  const refuse = (message: string) => [{ field: `${path}.attribute`, message }];
  const definition = fields.get(key);
  const names = [...fields.values()].filter(isFilterable).map((field) => `fields.${field.key}`);
  const others = names.length > 0 ? `Filterable fields: ${names.join(', ')}.` : 'No field is filterable.';
  if (!definition) return refuse(`names a field that does not exist. ${others}`);
  if (definition.archived_at !== null) return refuse(`names a field that was archived. ${others}`);
  if (!definition.filterable)
    return refuse(`names a field that is not filterable. Change the field to "filterable": true first.`);
  const problems: Problem[] = [];
  readOperand(leaf, path, problems, attributeOf(definition));
  return problems;
};
const isFilterable = ({ filterable, archived_at }: FieldDefinition) => filterable && archived_at === null;

/** The condition on a field's value. */
const fieldCondition = (
  { attribute, op, value }: AttributeCondition,
  definition: FieldDefinition,
  now: Now,
): Condition => {
  const { type, kind } = attributeOf(definition);
  const compare = (name: string, to?: Scalar): Condition => ({
    filter: `${attribute}:${kind}:${name}`,
    ...(to !== undefined && { value: typeof to === 'boolean' ? String(to) : to }),
  });
  if (op === 'ne') return { not: fieldCondition({ attribute, op: 'eq', value }, definition, now) };
  if (op === 'is_set') {
    const condition = compare(kind === 'text' ? 'is_set' : 'exists');
    return value === true ? condition : { not: condition };
  }
  if (op === 'in')
    return kind === 'text'
      ? compare('in', JSON.stringify(value))
      : { any: (value as readonly Scalar[]).map((each) => compare('eq', each)) };
  if (op === 'contains' || op === 'starts_with') return compare('like', likePattern(op, String(value)));
  if (op === 'within_last' || op === 'within_next') {
    const [first, last] = boundsOf(String(value), now, {
      isDay: type === 'date',
      isNext: op === 'within_next',
    });
    return { all: [compare('gte', first), compare('lte', last)] };
  }
  return compare(op, type === 'datetime' ? parseTime(String(value)) : (value as Scalar));
};

/** The conditions of a tree, all of which a contact must meet. Throws a 400 error for a field that cannot be filtered by; `path` is
 *  where the request has the tree. */
export const conditionsOfTree = (tree: FilterTree, context: FilterContext, path = 'filter'): Condition[] => {
  const problems = leavesOf(tree, path).flatMap((each) => fieldProblems(each, context.fields));
  if (problems.length > 0) throw invalid(problems.slice(0, 20));
  return flat(treeCondition(tree, context));
};

const isRelative = ({ op }: AttributeCondition): boolean => op === 'within_last' || op === 'within_next';
const isOfField = ({ attribute }: AttributeCondition): boolean => fieldKeyOf(attribute) !== undefined;

/** What a tree depends on: the workspace's time zone and fields are read only if it needs them. */
export const contextOfTree = async (
  db: Db,
  principal: Pick<Principal, 'workspace'>,
  tree: FilterTree,
  now: string = timestamp(),
): Promise<FilterContext> => {
  const leaves = leavesOf(tree).map(({ leaf }) => leaf);
  const zone = leaves.some(isRelative) ? await timeZoneOf(db, principal) : 'UTC';
  const fields = leaves.some(isOfField) ? await fieldsOf(db, principal.workspace) : new Map();
  return { now, zone, fields };
};

/** A filter in which that of the segment replaces its id. A key needs the scopes of its attributes. */
export const withSegment = read(
  'withSegment',
  async (db: Db, principal: Principal, { segment, ...filter }: ContactFilter): Promise<ContactFilter> => {
    if (!segment) return filter;
    const tree = treeOf(await findVisible(db, principal, segment));
    assertMayFilter(principal, { filter: tree });
    return { ...filter, filter: filter.filter ? { all: [filter.filter, tree] } : tree };
  },
);

/** A filter whose tree has become conditions. Every operation with a filter begins with it. */
export const resolved = (
  db: Db,
  principal: Pick<Principal, 'workspace'> & Partial<Principal>,
  filter: ContactFilter,
  path?: string,
): MaybePromise<ContactFilter> => {
  const { filter: tree, now, segment } = filter;
  if (segment)
    // First alone, so that its problems have its own path.
    return chain(resolved(db, principal, { ...filter, segment: undefined }, path), () =>
      chain(withSegment(db, principal as Principal, filter), (found) =>
        resolved(db, principal, found, 'segment'),
      ),
    );
  if (!tree) return filter;
  return chain(contextOfTree(db, principal, tree, now), (context) => {
    const conditions = conditionsOfTree(tree, context, path);
    return { ...filter, conditions, ranges: fieldRangesOf(conditions, context.fields) };
  });
};

/** Checks the filter of a request that runs several operations, for which relative times mean the same. */
export const checkFilter = longRead(
  'checkFilter',
  async (db: Db, principal: Principal, filter: ContactFilter): Promise<ContactFilter> => {
    await resolved(db, principal, filter);
    const found = await withSegment(db, principal, filter);
    return { ...found, now: found.now ?? timestamp() };
  },
);

/** The conditions of the parameters. An empty one counts as absent. */
const treesOf = (filter: ContactFilter): FilterTree[] => {
  const { has_tag = [], has_tag_match = 'any' } = filter;
  const isAll = has_tag_match === 'all' || has_tag.length < 2;
  const conditions = parameters.flatMap((name) => {
    const value = filter[name];
    const [attribute, op] = PARAMETERS[name];
    return value === undefined || value === '' ? [] : [{ attribute, op, value }];
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
