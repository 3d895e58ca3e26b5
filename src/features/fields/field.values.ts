import { invalid, invalidField, MAX_PROBLEMS, type Problem } from '../../lib/errors.ts';
import { shortHash } from '../../lib/etag.ts';
import { countCharacters, isLongerThan, isStorable, listSome } from '../../lib/text.ts';
import { parseDay, parseTime } from '../../lib/time.ts';

export const fieldTypes = ['text', 'number', 'boolean', 'date', 'datetime', 'enum', 'url'] as const;
export type FieldType = (typeof fieldTypes)[number];

export interface FieldDefinition {
  readonly key: string;
  readonly label: string;
  readonly type: FieldType;
  /** Only of an enum. */
  readonly options: readonly string[] | null;
  readonly filterable: boolean;
  /** Whether an index range finds all contacts with a value. */
  readonly indexed: boolean;
  readonly archived_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** What a contact can have in a field. No value is null. A `date` is `2026-11-18`, and a `datetime` is in UTC. */
export type FieldValue = string | number | boolean;
export type FieldValues = Readonly<Record<string, FieldValue>>;

export const KEY = /^[a-z][a-z0-9_]{0,39}$/;
export const KEY_PATTERN = KEY.source;
export const MAX_TEXT = 2_000;

/** Every whole number up to here is exact. */
const MAX_NUMBER = 1e15;

type Read = { readonly value: FieldValue } | { readonly problem: string };

export const isWebUrl = (text: string): boolean => /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text);

const readText = (value: unknown, check: (text: string) => string | undefined = () => undefined): Read => {
  if (typeof value !== 'string') return { problem: 'must be a string.' };
  if (!isStorable(value)) return { problem: 'must not contain U+0000 or half of a surrogate pair.' };
  if (isLongerThan(value, MAX_TEXT))
    return { problem: `must have at most ${MAX_TEXT} characters; this has ${countCharacters(value)}.` };
  const problem = check(value);
  return problem === undefined ? { value } : { problem };
};

/** A field's type, and the options of an enum. */
type Typed = Pick<FieldDefinition, 'type'> & Partial<FieldDefinition>;

const readers: Readonly<Record<FieldType, (value: unknown, field: Typed) => Read>> = {
  text: (value) => readText(value),
  url: (value) =>
    readText(value, (text) =>
      isWebUrl(text) ? undefined : 'must be a web address, for example https://example.com/account/7.',
    ),
  enum: (value, { options }) =>
    typeof value === 'string' && options?.includes(value)
      ? { value }
      : { problem: `must be one of ${listSome(options ?? [], 20)}.` },
  number: (value) =>
    typeof value === 'number' && Math.abs(value) <= MAX_NUMBER
      ? { value: value === 0 ? 0 : value }
      : { problem: 'must be a number from -10^15 to 10^15, for example 12.5.' },
  boolean: (value) => (typeof value === 'boolean' ? { value } : { problem: 'must be true or false.' }),
  date: (value) =>
    typeof value === 'string' && parseDay(value)
      ? { value }
      : { problem: 'must be a date, for example 2026-01-31.' },
  datetime: (value) => {
    const time = typeof value === 'string' ? parseTime(value) : undefined;
    return time === undefined
      ? { problem: 'must be a date and time with a time zone, for example 2026-01-31T09:30:00Z.' }
      : { value: time };
  },
};

/** The stored form of a value, or what is wrong with it. */
export const readValue = (field: Typed, value: unknown): Read => readers[field.type](value, field);

/** A longer value is found by its beginning and its hash: an index entry has a maximum size. */
const MAX_INDEXED = 200;

const indexedNumber = (value: number): string => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value === 0 ? 0 : value);
  const isNegative = value < 0;
  for (let at = 0; at < 8; at++) bytes[at] = (bytes[at] ?? 0) ^ (isNegative ? 255 : at === 0 ? 128 : 0);
  return bytes.toString('hex');
};

/** A value as text whose order of bytes is the order of the values of its type. */
export const indexedValue = (value: FieldValue): string => {
  if (typeof value === 'number') return indexedNumber(value);
  if (typeof value === 'boolean') return String(value);
  return value.length <= MAX_INDEXED
    ? value
    : `${value.slice(0, MAX_INDEXED).toWellFormed()}…${shortHash(value)}`;
};

/** Values by key; null clears one. */
export type SentValues = Readonly<Record<string, FieldValue | null>>;
export type Definitions = ReadonlyMap<string, FieldDefinition>;

/** Most bytes of a contact's values as JSON, which every page and event with them contains. */
const MAX_BYTES = 65_536;

/** A column of values, as a map. */
export const valuesIn = (json: string): Map<string, FieldValue> =>
  new Map(json === '{}' ? [] : Object.entries(JSON.parse(json) as FieldValues));

const unknownKey = (definitions: Definitions): string => {
  const keys = [...definitions.values()].flatMap((each) => (each.archived_at === null ? [each.key] : []));
  return keys.length === 0
    ? 'is not a field of this workspace. Create it with POST /v1/fields.'
    : `is not a field of this workspace. Its fields: ${listSome(keys, 20)}.`;
};

const problemOf = (key: string, value: FieldValue | null, definitions: Definitions): Read => {
  const field = definitions.get(key);
  if (!field) return { problem: unknownKey(definitions) };
  if (field.archived_at !== null)
    return { problem: 'is archived. Unarchive the field first, or leave it out.' };
  return value === null ? { value: '' } : readValue(field, value);
};

/** A column of values after others were set, unchecked. */
export const withValues = (json: string, sent: SentValues): string => {
  const values = { ...(JSON.parse(json) as FieldValues), ...sent };
  const sorted: Record<string, FieldValue> = {};
  for (const key of Object.keys(values).sort()) {
    const value = values[key] ?? null;
    if (value !== null) sorted[key] = value;
  }
  return JSON.stringify(sorted);
};

/** Why values, as JSON, are too many for a contact; undefined if they are not. */
export const sizeProblem = (json: string): string | undefined => {
  // A character takes at most three bytes.
  const bytes = json.length * 3 <= MAX_BYTES ? 0 : Buffer.byteLength(json);
  if (bytes <= MAX_BYTES) return undefined;
  return `must have at most ${MAX_BYTES} bytes in a contact; with these it would have ${bytes}.`;
};

/** A column of values after those that a request sends. Throws a 400 error that names each wrong key. */
export const mergeValues = (
  json: string,
  sent: SentValues,
  definitions: Definitions,
  name = 'fields',
): string => {
  const values: Record<string, FieldValue | null> = {};
  const problems: Problem[] = [];
  for (const [key, value] of Object.entries(sent)) {
    const read = problemOf(key, value, definitions);
    if ('problem' in read) problems.push({ field: `${name}.${key}`, message: read.problem });
    else values[key] = value === null ? null : read.value;
  }
  if (problems.length > 0) throw invalid(problems.slice(0, MAX_PROBLEMS));
  const merged = withValues(json, values);
  const message = sizeProblem(merged);
  if (message === undefined) return merged;
  throw invalidField(name, message);
};

interface ValueChange {
  readonly key: string;
  readonly before: FieldValue | undefined;
  readonly after: FieldValue | undefined;
}

/** The values that differ between two columns. */
export const changedValues = (before: string, after: string): ValueChange[] => {
  if (before === after) return [];
  // They are sorted already.
  if (before === '{}')
    return Object.entries(JSON.parse(after) as FieldValues).map(([key, value]) => ({
      key,
      before: undefined,
      after: value,
    }));
  const [old, current] = [valuesIn(before), valuesIn(after)];
  return [...new Set([...old.keys(), ...current.keys()])]
    .map((key) => ({ key, before: old.get(key), after: current.get(key) }))
    .filter((each) => each.before !== each.after)
    .sort((one, other) => (one.key < other.key ? -1 : 1));
};

/** What events, audit entries and timelines call a field. */
export const nameOfField = ({ key }: { readonly key: string }): string => `fields.${key}`;

/** The counter of contacts with a value. */
export const fieldCounter = ({ key }: { readonly key: string }): string => `fields:${key}`;
