import type { ApiOperation, Parameter } from './model.ts';
import type { Schema, Variants } from './schema.ts';

/** Example values by field name, used if they match the schema. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  phone_number: '+14155550100',
  first_name: 'Ada',
  last_name: 'Moreau',
  display_name: 'Ada Moreau',
  email: 'ada@example.com',
  company: 'Moreau Ceramics',
  notes: 'Prefers to be called in the morning.',
  tags: ['customer', 'newsletter'],
  source: 'api',
  crm_ids: { example_crm: '003-18422' },
  name: 'Front desk',
  description: 'Answers callers outside opening hours.',
  instructions: 'You are the front desk of a pottery studio. Be brief and kind.',
  version_label: 'v1',
  deployment_status: 'deployed',
  search: 'ada',
  limit: 20,
  offset: 0,
  total: 1,
  has_more: false,
};

const TIME = '2026-01-15T09:30:00.000Z';
const TOKEN = '01h455vb4pex5vsknk084sn02q';
const MAX_OPTIONAL = 3;
const MAX_DEPTH = 12;

/** Values that differ in the response to an update. */
const CHANGED = { updated_at: '2026-01-16T14:05:12.480Z' };

/** A fixed UUIDv7 for each kind of record, so that an id is the same throughout an example. */
const uuidOf = (kind: string) => {
  const letters = kind.replace(/s$/, '').replace(/^.*_/, '');
  const sum = [...letters].reduce((total, letter) => (total * 31 + letter.charCodeAt(0)) % 65_536, 7);
  return `019bc0a4-5e40-7c41-b1d2-6f0a9c3e${sum.toString(16).padStart(4, '0')}`;
};

const textOf = ({ format, pattern }: Schema, name: string, owner: string): string => {
  if (format === 'date-time') return TIME;
  if (format === 'date') return TIME.slice(0, 10);
  if (format === 'uuid') return uuidOf(name === 'id' ? owner : name.replace(/_id$/, ''));
  if (format === 'email') return 'ada@example.com';
  if (format === 'uri') return 'https://example.com/hook';
  const prefix = /^\^(\w+_)\[0-7\]/.exec(pattern ?? '')?.[1];
  return prefix ? prefix + TOKEN : 'text';
};

const fits = (value: unknown, { type, enum: allowed }: Schema) => {
  if (value === undefined || (allowed && !allowed.includes(value))) return false;
  if (type === 'array') return Array.isArray(value);
  return type === 'integer' || type === 'number' ? typeof value === 'number' : typeof value === type;
};

interface Context {
  readonly name: string;
  /** The name of the field that contains the value. */
  readonly owner: string;
  /** The objects that contain the value, to detect a recursive schema. */
  readonly trail: readonly unknown[];
}

const exampleMaker = (variants: Variants, examples: Readonly<Record<string, unknown>>) => {
  const firstOf = (schema: Schema | boolean | undefined): Schema =>
    variants(schema).find(({ type }) => type !== 'null') ?? { type: 'null' };

  const objectOf = ({ properties = {}, additionalProperties }: Schema, { name, trail }: Context) => {
    const within = (each: Schema, key: string) =>
      exampleOf(each, { name: key, owner: name, trail: [...trail, properties] });
    if (typeof additionalProperties === 'object' && Object.keys(properties).length === 0)
      return { key: within(additionalProperties, '') };
    return Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, within(each, key)]));
  };

  const exampleOf = (schema: Schema | boolean | undefined, context: Context): unknown => {
    const one = firstOf(schema);
    const { name, owner, trail } = context;
    const [given] = one.examples ?? [];
    if (one.const !== undefined) return one.const;
    if (given !== undefined) return given;
    if (Object.hasOwn(examples, name) && fits(examples[name], one)) return examples[name];
    if (one.default !== undefined) return one.default;
    if (one.enum) return one.enum[0];
    if (one.type === 'string') return textOf(one, name, owner);
    if (one.type === 'boolean') return true;
    if (one.type === 'integer' || one.type === 'number') return one.minimum ?? 1;
    if (one.type === 'array') {
      const { properties } = firstOf(one.items);
      const ends = trail.length > MAX_DEPTH || (properties && trail.includes(properties));
      return ends ? [] : [exampleOf(one.items, { ...context, trail: [...trail, one] })];
    }
    if (one.type !== 'object' && !one.properties) return null;
    return trail.length > MAX_DEPTH || trail.includes(one.properties) ? {} : objectOf(one, context);
  };

  return (schema: Schema | boolean | undefined, name = '', owner = '') =>
    exampleOf(schema, { name, owner, trail: [] });
};

export const responseExample = (variants: Variants, { method }: ApiOperation, schema: Schema): unknown =>
  exampleMaker(
    variants,
    method === 'PATCH' || method === 'PUT' ? { ...EXAMPLES, ...CHANGED } : EXAMPLES,
  )(schema);

/** An example body with all required and some optional fields. */
export const bodyExample = (variants: Variants, { method }: ApiOperation, schema: Schema): unknown => {
  const value = exampleMaker(variants, EXAMPLES)(schema);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const required = new Set(variants(schema)[0]?.required ?? []);
  let optional = method === 'PATCH' ? MAX_OPTIONAL : Number.POSITIVE_INFINITY;
  return Object.fromEntries(
    Object.entries(value).filter(
      ([name, each]) => required.has(name) || (typeof each !== 'boolean' && optional-- > 0),
    ),
  );
};

/** The example of a path parameter is the id of its record. */
export const parameterExample = (variants: Variants, { name, schema, record }: Parameter): string => {
  const example = exampleMaker(variants, EXAMPLES);
  return String(record ? example(record, 'id', 'data') : example(schema, name));
};
