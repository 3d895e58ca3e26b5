import type { Step } from '../../../lib/json-text.ts';

/* What a JSON Schema (draft 2020-12) allows at a path, to offer it. The service decides what is valid. */

export type SchemaObject = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 20;
const MAX_SCHEMAS = 200;

const isObject = (value: unknown): value is SchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const own = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** The schema that a reference within the root names. */
const resolve = (root: SchemaObject, ref: unknown): unknown => {
  if (typeof ref !== 'string' || !ref.startsWith('#')) return undefined;
  let steps: string[];
  try {
    steps = decodeURIComponent(ref.slice(1)).split('/').slice(1);
  } catch {
    return undefined;
  }
  return steps
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, step) => (Array.isArray(at) ? at[Number(step)] : own(at, step)), root);
};

const PARTS = ['allOf', 'anyOf', 'oneOf'] as const;

/** A schema and those that apply with it, also the alternatives. */
const expand = (root: SchemaObject, schema: unknown, found: Set<SchemaObject>, depth = 0): void => {
  if (!isObject(schema) || found.has(schema) || depth > MAX_DEPTH || found.size > MAX_SCHEMAS) return;
  found.add(schema);
  const parts = [resolve(root, schema.$ref), schema.if, schema.then, schema.else];
  for (const part of [...parts, ...PARTS.flatMap((name) => listOf(schema[name]))])
    expand(root, part, found, depth + 1);
};

const expanded = (root: SchemaObject, schemas: readonly unknown[]): SchemaObject[] => {
  const found = new Set<SchemaObject>();
  for (const schema of schemas) expand(root, schema, found);
  return [...found];
};

const matches = (pattern: string, name: string): boolean => {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return false;
  }
};

/** The schemas of a member. */
const childrenOf = (schema: SchemaObject, step: Step): unknown[] => {
  if (typeof step === 'number') return [listOf(schema.prefixItems)[step] ?? schema.items];
  const named = own(schema.properties, step);
  const patterns = Object.entries(isObject(schema.patternProperties) ? schema.patternProperties : {});
  const fitting = patterns.filter(([pattern]) => matches(pattern, step)).map(([, each]) => each);
  return named === undefined && fitting.length === 0 ? [schema.additionalProperties] : [named, ...fitting];
};

/** The schemas that apply to the value at a path. */
export const schemasAt = (root: unknown, path: readonly Step[]): SchemaObject[] => {
  if (!isObject(root)) return [];
  return path.reduce<SchemaObject[]>(
    (schemas, step) =>
      expanded(
        root,
        schemas.flatMap((each) => childrenOf(each, step)),
      ),
    expanded(root, [root]),
  );
};

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value ? value : undefined;

export interface Property {
  readonly name: string;
  /** Its types, such as `string`. */
  readonly types: readonly string[];
  readonly description: string | undefined;
  readonly isRequired: boolean;
  /** There are values to choose from. */
  readonly hasValues: boolean;
}

const typesOf = (schemas: readonly SchemaObject[]): string[] => [
  ...new Set(
    schemas.flatMap(({ type }) => (Array.isArray(type) ? type : [type])).filter((each) => textOf(each)),
  ),
];

const describe = (schemas: readonly SchemaObject[]): string | undefined =>
  schemas.map(({ description, title }) => textOf(description) ?? textOf(title)).find(Boolean);

/** The properties that an object can have, required ones first. */
export const propertiesAt = (root: unknown, path: readonly Step[]): Property[] => {
  const schemas = schemasAt(root, path);
  const names = new Set(
    schemas.flatMap(({ properties }) => Object.keys(isObject(properties) ? properties : {})),
  );
  const required = new Set(schemas.flatMap(({ required }) => listOf(required)));
  const properties = [...names].map((name): Property => {
    const own = schemasAt(root, [...path, name]);
    return {
      name,
      types: typesOf(own),
      description: describe(own),
      isRequired: required.has(name),
      hasValues: valuesIn(own).length > 0,
    };
  });
  return properties.sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
};

export interface OfferedValue {
  /** As JSON. */
  readonly json: string;
  readonly isDefault: boolean;
}

const valuesIn = (schemas: readonly SchemaObject[]): OfferedValue[] => {
  const defaults = new Set(
    schemas.filter((each) => 'default' in each).map((each) => JSON.stringify(each.default)),
  );
  const chosen = schemas.flatMap((each) => [...listOf(each.enum), ...('const' in each ? [each.const] : [])]);
  const types = typesOf(schemas);
  const all = [
    ...chosen,
    ...(types.includes('boolean') && chosen.length === 0 ? [true, false] : []),
    ...schemas.flatMap((each) => listOf(each.examples)),
  ].map((value) => JSON.stringify(value));
  const values = [...new Set([...all, ...defaults, ...(types.includes('null') ? ['null'] : [])])];
  return values.map((json) => ({ json, isDefault: defaults.has(json) }));
};

/** The values that a schema names at a path: those of `enum` and `const`, its examples and its default. */
export const valuesAt = (root: unknown, path: readonly Step[]): OfferedValue[] =>
  valuesIn(schemasAt(root, path));

/** How a value of these types begins, and how many characters the caret is before its end. */
export const emptyValue = (types: readonly string[]): readonly [text: string, back: number] => {
  if (types.length !== 1) return ['', 0];
  return (
    ({ string: ['""', 1], object: ['{}', 1], array: ['[]', 1] } as const)[types[0] as 'string'] ?? ['', 0]
  );
};
