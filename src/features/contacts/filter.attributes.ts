import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max';
import type { Problem } from '../../lib/errors.ts';
import { listSome, lowerAscii } from '../../lib/text.ts';
import { countriesOf } from '../../lib/trunk-prefix.ts';
import * as v from '../../lib/validation.ts';
import { KEY_PATTERN, readValue } from '../fields/field.values.ts';
import { durationProblem } from './filter.times.ts';

/* What filters can ask for: the built-in attributes of contacts, and the operators and values of each type. */

export type Scalar = string | number | boolean;
export type Operand = Scalar | readonly Scalar[];

export interface AttributeCondition {
  readonly attribute: string;
  readonly op: Op;
  readonly value: Operand;
}

const ordered = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'is_set'] as const;
const times = [...ordered, 'within_last', 'within_next'] as const;
const opsOf = {
  text: ['eq', 'ne', 'in', 'contains', 'starts_with', 'is_set'],
  choice: ['eq', 'ne', 'in', 'is_set'],
  flag: ['eq', 'ne'],
  boolean: ['eq', 'ne', 'is_set'],
  number: [...ordered, 'in'],
  date: [...times, 'in'],
  datetime: times,
} as const;
type AttributeType = keyof typeof opsOf;
export type Op = (typeof opsOf)[AttributeType][number];
export const ops: readonly Op[] = [...new Set(Object.values(opsOf).flat())];

export interface Attribute {
  readonly type: AttributeType;
  /** The list's filters for some operators; those of others are the attribute's name, a colon and the operator. */
  readonly filters?: Partial<Record<Op, string>>;
  /** Whether the list compares it as text with any value of a list. */
  readonly isText?: boolean;
  /** What is wrong with a value, besides its type. */
  readonly check?: (value: string) => string | undefined;
  /** The stored form of a value. */
  readonly stored?: (value: string) => string;
}

/** The calling code of a country. Several countries can share one; only the main one can be asked for, or a filter for another
 *  would find the numbers of all of them. */
const callingCodeOf = (country: string): string | undefined => {
  const known = getCountries().find((each) => each === country);
  return known && getCountryCallingCode(known);
};
const countryProblem = (country: string): string | undefined => {
  const code = callingCodeOf(country);
  if (code === undefined) return 'must be a two-letter country code, for example US.';
  const [main = country, ...others] = countriesOf(code) ?? [];
  return main === country
    ? undefined
    : `shares the calling code +${code} with ${[main, ...others].slice(0, 3).join(', ')}… Send ${main} to find all numbers with +${code}, or use phone_number with starts_with.`;
};

type Filters = NonNullable<Attribute['filters']>;
const text = (filters: Filters = {}): Attribute => ({ type: 'text', filters, isText: true });
const choice = (filters: Filters): Attribute => ({ type: 'choice', filters });
const time = (filters: Filters = {}): Attribute => ({ type: 'datetime', filters });
const flag = (eq: string): Attribute => ({ type: 'flag', filters: { eq } });

/** The built-in attributes (see docs/filters.md). Some filters read tables of later features, which add them (see
 *  filter.conditions.ts). */
const attributes = {
  phone_number: text(),
  phone_country: {
    ...choice({ eq: 'phone_country:like' }),
    check: countryProblem,
    stored: (country) => `+${callingCodeOf(country)}%`,
  },
  name: text(),
  first_name: text(),
  last_name: text(),
  display_name: text(),
  email: { type: 'text', filters: { eq: 'email', is_set: 'has_email' }, stored: lowerAscii },
  company: text({ eq: 'company' }),
  notes: text(),
  tag: choice({ eq: 'tag', is_set: 'tagged' }),
  source: choice({ eq: 'source' }),
  created_at: time({ gte: 'created_since', lt: 'created_before' }),
  updated_at: time({ gte: 'updated_since' }),
  first_contact_at: time(),
  last_contact_at: time({ gte: 'last_contact_since', lt: 'last_contact_before' }),
  has_email: flag('has_email'),
  has_name: flag('has_name'),
  in_campaign: flag('in_campaign'),
  campaign: choice({ eq: 'campaign', is_set: 'in_campaign' }),
  called: flag('called'),
  last_activity_at: time({ gte: 'last_activity_since', lt: 'last_activity_before', is_set: 'called' }),
  call_status: choice({ eq: 'call_status', is_set: 'called' }),
  import: choice({ eq: 'import', is_set: 'imported' }),
} as const satisfies Record<string, Attribute>;
export type AttributeName = keyof typeof attributes;
export const attributeNames = Object.keys(attributes) as AttributeName[];

const builtIn = new Map<string, Attribute>(Object.entries(attributes));
export const attributeNamed = (name: string): Attribute | undefined => builtIn.get(name);

export const valueCheck = (values: readonly string[]) => (value: string) =>
  values.includes(value) ? undefined : `must be one of ${listSome(values, 20)}.`;

/** Gives an attribute the values that there are, which a later feature knows. */
export const addValues = (name: AttributeName, values: readonly string[]): void => {
  builtIn.set(name, { ...attributes[name], check: valueCheck(values) });
};

export const FIELD_PATTERN = String.raw`^fields\.(${KEY_PATTERN.slice(1, -1)})$`;
const FIELD = new RegExp(FIELD_PATTERN);
/** The key of the field that an attribute names. */
export const fieldKeyOf = (attribute: string): string | undefined => FIELD.exec(attribute)?.[1];

export const problemOfAttribute = (name: unknown): string | undefined => {
  if (typeof name === 'string' && (builtIn.has(name) || fieldKeyOf(name) !== undefined)) return undefined;
  return `must be one of ${attributeNames.join(', ')}, or fields. and the key of a field.`;
};

const MAX_VALUES = 100;

type Reader = v.Field<Scalar>['read'];

const readerOf =
  (type: AttributeType): Reader =>
  (value, field, problems) => {
    const isText = type === 'text' || type === 'choice';
    const read = readValue({ type: type === 'flag' ? 'boolean' : isText ? 'text' : type }, value);
    const problem =
      isText && value === ''
        ? 'must not be empty. To find contacts without a value, send {"op": "is_set", "value": false}.'
        : 'problem' in read && read.problem;
    if (problem) problems.push({ field, message: problem });
    return 'value' in read ? read.value : '';
  };
/** For a field, whose type is not known yet. */
const anyScalar = v.checked<Scalar>({}, (value) =>
  ['string', 'number', 'boolean'].includes(typeof value)
    ? undefined
    : 'must be a string, a number, true or false.',
).read;

const readList = (value: unknown, field: string, problems: Problem[], read: Reader): Scalar[] => {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_VALUES) {
    problems.push({ field, message: `must be an array of 1 to ${MAX_VALUES} values.` });
    return [];
  }
  return [...new Set(value.map((each, at) => read(each, `${field}[${at}]`, problems)))];
};

type UnreadCondition = { attribute: string; op: unknown; value: unknown };

/** Reads a condition's operator and value. Without `known`, the attribute may be a field whose definition is not known yet. */
export const readOperand = (
  { attribute, op, value }: UnreadCondition,
  path: string,
  problems: Problem[],
  known: Attribute | undefined = attributeNamed(attribute),
): AttributeCondition => {
  const allowed: readonly Op[] = known ? opsOf[known.type] : ops;
  const field = `${path}.value`;
  const condition = (read: Operand): AttributeCondition => ({ attribute, op: op as Op, value: read });
  if (!allowed.includes(op as Op)) {
    const of = known ? ` for ${attribute}` : '';
    problems.push({ field: `${path}.op`, message: `must be one of ${allowed.join(', ')}${of}.` });
    return condition('');
  }
  const report = (message: string | undefined) => message && problems.push({ field, message });
  if (op === 'is_set')
    return condition(value === undefined ? true : readerOf('flag')(value, field, problems));
  if (value === undefined) {
    report('is required.');
    return condition('');
  }
  if (op === 'within_last' || op === 'within_next') {
    report(durationProblem(value, known?.type === 'date'));
    return condition(value as string);
  }
  const readOne: Reader = (each, name, found) => {
    const before = found.length;
    const read = (known ? readerOf(known.type) : anyScalar)(each, name, found);
    const problem = found.length === before && known?.check?.(String(read));
    if (problem) found.push({ field: name, message: problem });
    return read;
  };
  return condition(op === 'in' ? readList(value, field, problems, readOne) : readOne(value, field, problems));
};
