import { MAX_PROBLEMS, type Problem } from '../../lib/errors.ts';
import type * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import {
  type AttributeCondition,
  attributeNames,
  FIELD_PATTERN,
  ops,
  problemOfAttribute,
  readOperand,
} from './filter.attributes.ts';

/* The filters of contacts: a tree of conditions. A request's form is checked here; a field's condition is checked again where its
 * definition is known (see filter.conditions.ts). */

/** It is plain data and can be stored. */
export type FilterTree =
  | AttributeCondition
  | { readonly all: readonly FilterTree[] }
  | { readonly any: readonly FilterTree[] }
  | { readonly not: FilterTree };

const MAX_CONDITIONS = 50;
const MAX_DEPTH = 5;
const MEMBERS = ['all', 'any', 'not', 'attribute'] as const;
const EXAMPLE = '{"attribute": "tag", "op": "eq", "value": "vip"}';

/** Whether a filter in a body is a tree, and not an object of parameters. */
export const isTree = (value: unknown): value is FilterTree =>
  v.isObject(value) && [...MEMBERS, 'op', 'value'].some((name) => Object.hasOwn(value, name));

/** Every condition of a tree. */
export const leavesOf = (tree: FilterTree): AttributeCondition[] => {
  if ('all' in tree) return tree.all.flatMap(leavesOf);
  if ('any' in tree) return tree.any.flatMap(leavesOf);
  return 'not' in tree ? leavesOf(tree.not) : [tree];
};

/** Whether contacts can come to match a tree without an event. The rows of an import expire. */
export const dependsOnTime = (tree: FilterTree): boolean =>
  leavesOf(tree).some(
    ({ attribute, op }) => op === 'within_last' || op === 'within_next' || attribute === 'import',
  );

/** What is read so far, over the whole tree. */
interface Reading {
  readonly problems: Problem[];
  conditions: number;
}

const NONE: FilterTree = { all: [] };

const readCondition = (
  { attribute, op, value }: Record<string, unknown>,
  path: string,
  reading: Reading,
): FilterTree => {
  const { problems } = reading;
  reading.conditions++;
  if (reading.conditions === MAX_CONDITIONS + 1)
    problems.push({
      field: path,
      message: `is one condition too many: a filter has at most ${MAX_CONDITIONS}.`,
    });
  const problem = problemOfAttribute(attribute);
  if (problem) problems.push({ field: `${path}.attribute`, message: problem });
  else if (reading.conditions <= MAX_CONDITIONS)
    return readOperand({ attribute: attribute as string, op, value }, path, problems);
  return NONE;
};

const readTree = (value: unknown, path: string, depth: number, reading: Reading): FilterTree => {
  const refuse = (message: string, field = path) => {
    reading.problems.push({ field, message });
    return NONE;
  };
  if (!v.isObject(value)) return refuse(`must be a condition or a group, for example ${EXAMPLE}.`);
  const kinds = MEMBERS.filter((name) => Object.hasOwn(value, name));
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1)
    return refuse(`must have exactly one of all, any, not and attribute, for example ${EXAMPLE}.`);
  const known: readonly string[] = kind === 'attribute' ? ['attribute', 'op', 'value'] : [kind];
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) return refuse(`must not have other members than ${known.join(', ')}.`);
  if (kind === 'attribute') return readCondition(value, path, reading);
  if (depth > MAX_DEPTH) return refuse(`is nested too deeply: groups have at most ${MAX_DEPTH} levels.`);
  if (kind === 'not') return { not: readTree(value.not, `${path}.not`, depth + 1, reading) };
  const items = value[kind];
  if (!Array.isArray(items)) return refuse('must be an array of conditions and groups.', `${path}.${kind}`);
  if (items.length === 0 && kind === 'any')
    return refuse('must have at least one entry. Send {"all": []} for all contacts.', `${path}.any`);
  if (items.length > MAX_CONDITIONS)
    return refuse(
      `must have at most ${MAX_CONDITIONS} entries; this has ${items.length}.`,
      `${path}.${kind}`,
    );
  const read = items.map((item, at) => readTree(item, `${path}.${kind}[${at}]`, depth + 1, reading));
  return kind === 'all' ? { all: read } : { any: read };
};
const TITLE = 'ContactFilterTree';
/** In the OpenAPI document, which has every schema with a title as a component. */
const nestedSchema: s.JsonSchema = { $ref: `#/components/schemas/${TITLE}` };
const group = (name: string, schema: s.JsonSchema): s.JsonSchema => ({
  type: 'object',
  required: [name],
  properties: { [name]: schema },
  additionalProperties: false,
});
const listSchema = { type: 'array', items: nestedSchema, maxItems: MAX_CONDITIONS };
const valueSchema = { type: ['string', 'number', 'boolean'] };

const treeSchema: s.JsonSchema = {
  title: TITLE,
  description: `Conditions in groups: at most ${MAX_CONDITIONS} conditions and ${MAX_DEPTH} levels of groups. See docs/filters.md.`,
  examples: [
    {
      all: [
        { attribute: 'tag', op: 'eq', value: 'vip' },
        { attribute: 'last_activity_at', op: 'within_last', value: 'P30D' },
      ],
    },
  ],
  oneOf: [
    {
      type: 'object',
      required: ['attribute', 'op'],
      properties: {
        attribute: {
          anyOf: [
            { type: 'string', enum: attributeNames },
            { type: 'string', pattern: FIELD_PATTERN },
          ],
          description: 'An attribute of contacts, or `fields.` and the key of a field that is filterable.',
        },
        op: { type: 'string', enum: ops, description: "The attribute's type decides which of them it has." },
        value: {
          anyOf: [valueSchema, { type: 'array', items: valueSchema, minItems: 1, maxItems: 100 }],
          description:
            'An array for `in`; a duration such as `P30D` for `within_last` and `within_next`; `true` (default) or `false` for `is_set`.',
        },
      },
      additionalProperties: false,
    },
    group('all', { ...listSchema, description: 'All of them must match. `[]` matches every contact.' }),
    group('any', { ...listSchema, minItems: 1, description: 'At least one of them must match.' }),
    group('not', nestedSchema),
  ],
};

/** A filter in a body. */
export const filterTree: v.Field<FilterTree> = {
  schema: treeSchema,
  read: (value, field, problems) => {
    const reading: Reading = { problems: [], conditions: 0 };
    const tree = readTree(value, field, 1, reading);
    problems.push(...reading.problems.slice(0, MAX_PROBLEMS));
    return tree;
  },
};

/** A filter as the argument of a tool: without references, and with all that a model needs to know to write one. */
export const filterArgument: s.JsonSchema = {
  type: 'object',
  description: `A condition {"attribute", "op", "value"}, or a group {"all": […]}, {"any": […]} or {"not": {…}}, at most ${MAX_DEPTH} levels deep. Attributes: ${attributeNames.join(', ')}, and fields.KEY for the workspace's filterable fields. Operators: ${ops.join(', ')}; the last two take a duration such as P30D.`,
  examples: treeSchema.examples,
};

/** A filter in a query: JSON. An empty value counts as absent. */
export const filterParameter: v.Field<FilterTree | undefined> = {
  schema: {
    type: 'string',
    description:
      'A filter as JSON: conditions `{"attribute", "op", "value"}` in groups `{"all": […]}`, `{"any": […]}` and `{"not": {…}}`. Contacts must match it and all other parameters. See docs/filters.md.',
    examples: ['{"attribute":"tag","op":"eq","value":"vip"}'],
  },
  read: (value, field, problems) => {
    if (value === '') return undefined;
    // The arguments of a tool are JSON already.
    if (v.isObject(value)) return filterTree.read(value, field, problems);
    try {
      return filterTree.read(JSON.parse(String(value)), field, problems);
    } catch {
      problems.push({ field, message: `must be JSON, for example ${EXAMPLE}, encoded for the URL.` });
      return undefined;
    }
  },
};
