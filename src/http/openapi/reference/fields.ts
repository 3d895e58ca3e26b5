import type { Schema, Variants } from './schema.ts';

/** One line of a table of fields. `limits` and `description` mark code with backticks. */
export interface FieldLine {
  /** The prefix of a nested field, such as `versions[].`. */
  readonly owner: string;
  readonly name: string;
  readonly required: boolean;
  readonly type: string;
  readonly nullable: boolean;
  readonly limits: readonly string[];
  readonly description: string | undefined;
}

const FORMATS: Record<string, string> = {
  'date-time': 'timestamp',
  date: 'date',
  uuid: 'UUID',
  email: 'email address',
  uri: 'URL',
};

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];
const isNull = ({ type, const: only }: Schema) => type === 'null' || only === null;
const code = (value: unknown) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
const kindOf = (value: unknown) => (value === null ? 'null' : typeof value);

const typeOfOne = (variants: Variants, schema: Schema): string => {
  const { type, format, items, properties, additionalProperties } = schema;
  if (format && FORMATS[format]) return FORMATS[format];
  if (type === 'array' || items !== undefined) return `array of ${typeOf(variants, items)}`;
  if (typeof additionalProperties === 'object' && !properties)
    return `map of ${typeOf(variants, additionalProperties)}`;
  if (typeof type === 'string') return type;
  if (schema.const !== undefined) return kindOf(schema.const);
  if (schema.enum) return distinct(schema.enum.map(kindOf)).join(' or ');
  return properties ? 'object' : 'any';
};

/** The type in words, without null. */
export const typeOf = (variants: Variants, schema: Schema | boolean | undefined): string => {
  const names = variants(schema)
    .filter((each) => !isNull(each))
    .map((each) => typeOfOne(variants, each));
  return distinct(names).join(' or ') || 'null';
};

const counted = (count: number, unit: string) =>
  unit === '' ? count.toLocaleString('en') : `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`;

const range = (min: number | undefined, max: number | undefined, unit = ''): string | undefined => {
  const lower = unit !== '' && min === 0 ? undefined : min;
  const upper = max === Number.MAX_SAFE_INTEGER ? undefined : max;
  if (lower !== undefined && lower === upper) return `exactly ${counted(lower, unit)}`;
  if (lower !== undefined && upper !== undefined) return `${counted(lower, '')} to ${counted(upper, unit)}`;
  if (upper !== undefined) return `at most ${counted(upper, unit)}`;
  return lower === undefined ? undefined : `at least ${counted(lower, unit)}`;
};

const listOf = (values: readonly unknown[]) =>
  values.length === 1 ? `always ${code(values[0])}` : `one of ${values.map(code).join(', ')}`;

const limitsOfOne = (variants: Variants, schema: Schema): string[] => {
  const limits = [
    schema.const !== undefined && `always ${code(schema.const)}`,
    schema.enum && listOf(schema.enum.filter((value) => value !== null)),
    range(schema.minLength, schema.maxLength, 'character'),
    range(schema.minimum, schema.maximum),
    schema.exclusiveMinimum !== undefined && `more than ${schema.exclusiveMinimum}`,
    schema.exclusiveMaximum !== undefined && `less than ${schema.exclusiveMaximum}`,
    schema.multipleOf !== undefined && schema.multipleOf !== 1 && `a multiple of ${schema.multipleOf}`,
    schema.pattern && `matches ${code(schema.pattern)}`,
    schema.minItems !== 0 && range(schema.minItems, schema.maxItems, 'item'),
    ...(schema.items === undefined ? [] : limitsOf(variants, schema.items).map((limit) => `each ${limit}`)),
  ];
  return limits.filter((limit) => typeof limit === 'string');
};

/** The limits of a value in words. */
export const limitsOf = (variants: Variants, schema: Schema | boolean): string[] => {
  const each = variants(schema).filter((variant) => !isNull(variant));
  const fallback = each.find((variant) => variant.default !== undefined)?.default;
  const given = each.find((variant) => variant.examples?.length)?.examples?.[0];
  return distinct([
    ...each.flatMap((variant) => limitsOfOne(variants, variant)),
    ...(fallback === undefined ? [] : [`default ${code(fallback)}`]),
    ...(given === undefined ? [] : [`for example ${code(given)}`]),
  ]);
};

export const fieldLine = (
  variants: Variants,
  schema: Schema,
  { owner = '', name, required }: { owner?: string; name: string; required: boolean },
): FieldLine => ({
  owner,
  name,
  required,
  type: typeOf(variants, schema),
  nullable: variants(schema).some((each) => isNull(each) || each.enum?.includes(null)),
  limits: limitsOf(variants, schema),
  description: schema.description ?? variants(schema)[0]?.description,
});

const MAX_DEPTH = 6;

/** Every field of an object, with nested ones. If a value may be one of several objects, lists the fields of all of them; a
 *  field is required if all require it. */
export const fieldLines = (
  variants: Variants,
  schema: Schema | boolean,
  owner = '',
  trail: readonly unknown[] = [],
): FieldLine[] => {
  if (trail.length > MAX_DEPTH) return [];
  const each = variants(schema);
  const objects = each.flatMap(({ properties, required }) =>
    properties && !trail.includes(properties) ? [{ properties, required }] : [],
  );
  const names = distinct(objects.flatMap(({ properties }) => Object.keys(properties)));
  const within = owner === '' ? '' : `${owner}.`;
  const own = names.flatMap((name) => {
    const found = objects.flatMap(({ properties }) => properties[name] ?? []);
    const [first = {}] = found;
    const field = found.length === 1 ? first : { oneOf: found };
    const required = objects.every((object) => object.required?.includes(name));
    const seen = [...trail, ...objects.map(({ properties }) => properties)];
    return [
      fieldLine(variants, field, { owner: within, name, required }),
      ...fieldLines(variants, field, within + name, seen),
    ];
  });
  const nested = each.flatMap(({ items, additionalProperties }) => [
    ...(typeof items === 'object' ? fieldLines(variants, items, `${owner}[]`, trail) : []),
    ...(typeof additionalProperties === 'object'
      ? fieldLines(variants, additionalProperties, `${owner}.*`, trail)
      : []),
  ]);
  return [...own, ...nested];
};
