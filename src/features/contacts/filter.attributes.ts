import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max';
import type { Problem } from '../../lib/errors.ts';
import { parseDay } from '../../lib/time.ts';
import { countriesOf } from '../../lib/trunk-prefix.ts';
import * as v from '../../lib/validation.ts';
import { KEY_PATTERN, MAX_NUMBER, MAX_TEXT } from '../fields/field.values.ts';
import { durationProblem } from './filter.times.ts';

/* What filters can ask for: the built-in attributes of contacts, and the operators and values of each type. */

export const ops = [
  'eq',
  'ne',
  'in',
  'lt',
  'lte',
  'gt',
  'gte',
  'contains',
  'starts_with',
  'is_set',
  'within_last',
  'within_next',
] as const;
export type Op = (typeof ops)[number];
export type Scalar = string | number | boolean;
export type Operand = Scalar | readonly Scalar[];

export interface AttributeCondition {
  readonly attribute: string;
  readonly op: Op;
  readonly value: Operand;
}

const ordered = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'is_set'] as const;
const times = [...ordered, 'within_last', 'within_next'] as const;
export const opsOf = {
  text: ['eq', 'ne', 'in', 'contains', 'starts_with', 'is_set'],
  choice: ['eq', 'ne', 'in', 'is_set'],
  flag: ['eq', 'ne'],
  boolean: ['eq', 'ne', 'is_set'],
  number: [...ordered, 'in'],
  date: [...times, 'in'],
  datetime: times,
} as const satisfies Record<string, readonly Op[]>;
export type AttributeType = keyof typeof opsOf;

export interface Attribute {
  readonly type: AttributeType;
  readonly description: string;
  /** The list's filters for some operators; those of others are the attribute's name, a colon and the operator. */
  readonly filters?: Partial<Record<Op, string>>;
  /** What is wrong with a value, besides its type. */
  readonly check?: (value: string) => string | undefined;
}

/** The calling code of a country. Several countries can share one; only the main one can be asked for, or a filter for another
 *  would find the numbers of all of them. */
export const callingCodeOf = (country: string): string | undefined => {
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

const text = (description: string, filters: Attribute['filters'] = {}): Attribute => ({
  type: 'text',
  description,
  filters,
});
const time = (description: string, gte?: string, lt?: string): Attribute => ({
  type: 'datetime',
  description,
  filters: { ...(gte && { gte }), ...(lt && { lt }) },
});
const flag = (name: string, description: string): Attribute => ({
  type: 'flag',
  description,
  filters: { eq: name },
});

/** The built-in attributes. Some filters read tables of later features, which add them (see contact.filters.ts). */
export const attributes = {
  phone_number: text('The number in E.164.'),
  phone_country: {
    type: 'choice',
    description: "The country of the number's calling code: `US`.",
    check: countryProblem,
  },
  name: text('The display name, or else the first and last name.'),
  first_name: text('The first name.'),
  last_name: text('The last name.'),
  display_name: text('The display name.'),
  email: text('The email address. Upper and lower case of A to Z are equal.', {
    eq: 'email',
    is_set: 'has_email',
  }),
  company: text('The company.', { eq: 'company' }),
  notes: text('The notes.'),
  tag: {
    type: 'choice',
    description: 'One of the tags. `ne`: the contact does not have the tag.',
    filters: { eq: 'tag', is_set: 'tagged' },
  },
  source: { type: 'choice', description: 'How the contact was created.', filters: { eq: 'source' } },
  created_at: time('When the contact was created.', 'created_since', 'created_before'),
  updated_at: time('When the contact was last updated.', 'updated_since'),
  first_contact_at: time('The first contact.'),
  last_contact_at: time(
    'The last contact, which may be the creation.',
    'last_contact_since',
    'last_contact_before',
  ),
  has_email: flag('has_email', 'Whether the contact has an email address.'),
  has_name: flag('has_name', 'Whether the contact has a name.'),
  in_campaign: flag('in_campaign', 'Whether the contact is enrolled in a campaign.'),
  campaign: {
    type: 'choice',
    description: 'The id of a campaign in which the contact is enrolled.',
    filters: { eq: 'campaign', is_set: 'in_campaign' },
  },
  called: flag('called', 'Whether the contact has a call or message.'),
  last_activity_at: {
    type: 'datetime',
    description: 'When the last call or message started.',
    filters: { gte: 'last_activity_since', lt: 'last_activity_before', is_set: 'called' },
  },
  call_status: {
    type: 'choice',
    description: 'The status of one of the calls and messages.',
    filters: { eq: 'call_status', is_set: 'called' },
  },
  import: {
    type: 'choice',
    description: 'The id of an import that has created or updated the contact.',
    filters: { eq: 'import', is_set: 'imported' },
  },
} as const satisfies Record<string, Attribute>;
export type AttributeName = keyof typeof attributes;
export const attributeNames = Object.keys(attributes) as AttributeName[];

const builtIn = new Map<string, Attribute>(Object.entries(attributes));
export const attributeNamed = (name: string): Attribute | undefined => builtIn.get(name);

/** Adds the check of a value that a later feature knows. */
export const addCheck = (name: AttributeName, check: (value: string) => string | undefined): void => {
  builtIn.set(name, { ...attributes[name], check });
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

const typedText = v.text({ min: 1, max: MAX_TEXT });
const readText: v.Field<string>['read'] = (value, field, problems) => {
  if (value === '')
    problems.push({
      field,
      message: 'must not be empty. To find contacts without a value, send {"op": "is_set", "value": false}.',
    });
  return value === '' ? '' : typedText.read(value, field, problems);
};
const flagField = v.boolean();
const readers: Readonly<Record<AttributeType, v.Field<Scalar>['read']>> = {
  text: readText,
  choice: readText,
  flag: flagField.read,
  boolean: flagField.read,
  number: v.checked<number>({}, (value) =>
    typeof value === 'number' && Math.abs(value) <= MAX_NUMBER
      ? undefined
      : 'must be a number from -10^15 to 10^15, for example 12.5.',
  ).read,
  date: v.checked<string>({}, (value) =>
    typeof value === 'string' && parseDay(value) ? undefined : 'must be a date, for example 2026-01-31.',
  ).read,
  datetime: v.dateTime().read,
};
/** For a field, whose type is not known yet. */
const anyScalar = v.checked<Scalar>({}, (value) =>
  ['string', 'number', 'boolean'].includes(typeof value)
    ? undefined
    : 'must be a string, a number, true or false.',
).read;

const readList = (
  value: unknown,
  field: string,
  problems: Problem[],
  read: v.Field<Scalar>['read'],
): Scalar[] => {
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
  if (op === 'is_set') return condition(value === undefined ? true : flagField.read(value, field, problems));
  if (value === undefined) {
    report('is required.');
    return condition('');
  }
  if (op === 'within_last' || op === 'within_next') {
    report(durationProblem(value, known?.type === 'date'));
    return condition(value as string);
  }
  const readOne: v.Field<Scalar>['read'] = (each, name, found) => {
    const before = found.length;
    const read = (known ? readers[known.type] : anyScalar)(each, name, found);
    const problem = found.length === before && known?.check?.(String(read));
    if (problem) found.push({ field: name, message: problem });
    return read;
  };
  return condition(op === 'in' ? readList(value, field, problems, readOne) : readOne(value, field, problems));
};
