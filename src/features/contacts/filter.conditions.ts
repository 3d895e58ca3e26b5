import { invalid, MAX_PROBLEMS, type Problem } from '../../lib/errors.ts';
import type { KeyScope } from '../../lib/scopes.ts';
import { lowerAscii } from '../../lib/text.ts';
import type { Condition, Filter } from '../../records/list.declaration.ts';
import type { Definitions, FieldDefinition } from '../fields/field.values.ts';
import { sources } from './contact.schema.ts';
import {
  type Attribute,
  type AttributeCondition,
  addValues,
  attributeNamed,
  fieldKeyOf,
  type Op,
  type Operand,
  readOperand,
  type Scalar,
  valueCheck,
} from './filter.attributes.ts';
import { boundsOf, type Now } from './filter.times.ts';
import type { FilterTree } from './filter.tree.ts';
import { contactList } from './list.store.ts';

/* Trees of conditions become conditions of the list of contacts. */

/** A filter of another feature. */
interface AddedFilter {
  readonly where: Filter;
  /** The stored form of a value. */
  readonly parse?: (value: string) => string;
  /** A filter that reveals records of its feature needs their scope, too, like the timeline. */
  readonly scope?: KeyScope;
}

const added = new Map<string, AddedFilter>();

addValues('source', sources);

/** Adds a filter that attributes name (see filter.attributes.ts). */
export const addContactFilter = (name: string, filter: AddedFilter): void => {
  added.set(name, filter);
  contactList.addFilter(name, filter.where);
};

/** The scope that an attribute needs besides that of contacts. */
export const scopeOf = (attribute: string): KeyScope | undefined =>
  Object.values(attributeNamed(attribute)?.filters ?? {})
    .map((name) => added.get(name)?.scope)
    .find(Boolean);

/** What a tree's conditions depend on besides their values. */
export interface FilterContext extends Now {
  readonly fields: Definitions;
  /** Whether the caller may know which fields there are. */
  readonly namesFields?: boolean;
}

/** An attribute of the workspace, and how the names of its comparisons begin. */
interface Known extends Attribute {
  readonly prefix: string;
}

const knownField = ({ key, type, options }: FieldDefinition): Known => {
  const kind = type === 'number' || type === 'boolean' ? type : 'text';
  const prefix = `fields.${key}:${kind}`;
  return {
    type: type === 'enum' ? 'choice' : type === 'url' ? 'text' : type,
    prefix,
    isText: kind === 'text',
    filters: kind === 'text' ? {} : { is_set: `${prefix}:exists` },
    ...(options && { check: valueCheck(options) }),
  };
};

/** The attribute of a field, or why there is none. */
const fieldNamed = (key: string, { fields, namesFields }: FilterContext): Known | string => {
  const field = fields.get(key);
  if (field?.filterable && field.archived_at === null) return knownField(field);
  if (field?.archived_at === null)
    return 'names a field that is not filterable. Change the field to "filterable": true first.';
  const others = [...fields.values()].filter((each) => each.filterable && each.archived_at === null);
  const names = others.map((each) => `fields.${each.key}`).join(', ');
  const hint = namesFields ? ` ${names ? `Filterable fields: ${names}.` : 'No field is filterable.'}` : '';
  return `names a field that ${field ? 'was archived' : 'does not exist'}.${hint}`;
};

/** `gte` a text between a time and the next one is `gt`: all stored times have one length. */
const justAfter = (time: Operand): string => `${time}~`;

const likePattern = (op: Op, text: string): string =>
  `${op === 'contains' ? '%' : ''}${lowerAscii(text).replace(/[\\%_]/g, '\\$&')}%`;

const conditionOf = (known: Known, op: Op, value: Operand, now: Now): Condition => {
  const { type, prefix, isText, filters = {} } = known;
  const other = (name: Op, operand: Operand = value) => conditionOf(known, name, operand, now);
  if (op === 'ne') return { not: other('eq') };
  if (op === 'in' && (isText || type === 'number'))
    return { filter: `${prefix}:in`, value: JSON.stringify(value) };
  if (op === 'in') {
    const any = (value as readonly Scalar[]).map((each) => other('eq', each));
    return any.length === 1 ? (any[0] as Condition) : { any };
  }
  if (op === 'is_set' || type === 'flag') {
    const condition = { filter: filters[op] ?? `${prefix}:is_set` };
    return value === true ? condition : { not: condition };
  }
  if (op === 'contains' || op === 'starts_with')
    return { filter: `${prefix}:like`, value: likePattern(op, String(value)) };
  if (op === 'within_last' || op === 'within_next') {
    const how = { isDay: type === 'date', isNext: op === 'within_next' };
    const [first, last] = boundsOf(String(value), now, how);
    return { all: [other('gte', first), other('lte', last)] };
  }
  if (type === 'datetime' && !isText) {
    // A built-in time has filters for two operators, which bound ranges as well.
    if (op === 'gt') return other('gte', justAfter(value));
    if (op === 'lte') return other('lt', justAfter(value));
    if (op === 'eq') return { all: [other('gte'), other('lte')] };
  }
  const filter = filters[op] ?? `${prefix}:${op}`;
  const stored = known.stored ?? added.get(filter)?.parse;
  if (stored) return { filter, value: stored(String(value)) };
  return { filter, value: typeof value === 'boolean' ? String(value) : (value as string | number) };
};

/** Conditions that must all hold, without groups, so that an index range can apply one of them. */
const flat = (condition: Condition): Condition[] => {
  if ('all' in condition) return condition.all.flatMap(flat);
  if ('any' in condition && condition.any.length === 1) return condition.any.flatMap(flat);
  return 'not' in condition && 'not' in condition.not ? flat(condition.not.not) : [condition];
};

/** The conditions of a tree, all of which a contact must meet. Throws a 400 error for a field that cannot be filtered by; `path` is
 *  where the request has the tree. */
export const conditionsOfTree = (tree: FilterTree, context: FilterContext, path = 'filter'): Condition[] => {
  const problems: Problem[] = [];
  const ofField = (leaf: AttributeCondition, key: string, at: string): Condition => {
    const known = fieldNamed(key, context);
    if (typeof known === 'string') {
      problems.push({ field: `${at}.attribute`, message: known });
      return { all: [] };
    }
    const before = problems.length;
    const { op, value } = readOperand(leaf, at, problems, known);
    return problems.length > before ? { all: [] } : conditionOf(known, op, value, context);
  };
  const compile = (node: FilterTree, at: string): Condition => {
    const each = (name: string, some: readonly FilterTree[]) =>
      some.map((one, index) => compile(one, `${at}.${name}[${index}]`));
    if ('all' in node) return { all: each('all', node.all) };
    if ('any' in node) return { any: each('any', node.any) };
    if ('not' in node) return { not: compile(node.not, `${at}.not`) };
    const key = fieldKeyOf(node.attribute);
    if (key !== undefined) return ofField(node, key, at);
    const known = { ...(attributeNamed(node.attribute) as Attribute), prefix: node.attribute };
    return conditionOf(known, node.op, node.value, context);
  };
  const conditions = flat(compile(tree, path));
  if (problems.length > 0) throw invalid(problems.slice(0, MAX_PROBLEMS));
  return conditions;
};
