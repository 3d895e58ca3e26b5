import { shortHash } from '../../lib/etag.ts';
import { countCharacters, isLongerThan, isStorable } from '../../lib/text.ts';
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

export const KEY_PATTERN = '^[a-z][a-z0-9_]{0,39}$';
export const MAX_TEXT = 2_000;

/** Every whole number up to here is exact. */
const MAX_NUMBER = 1e15;

type Read = { readonly value: FieldValue } | { readonly problem: string };

const isWebUrl = (text: string): boolean => /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text);

const readText = (value: unknown, check: (text: string) => string | undefined = () => undefined): Read => {
  if (typeof value !== 'string') return { problem: 'must be a string, or null to clear it.' };
  if (!isStorable(value)) return { problem: 'must not contain U+0000 or half of a surrogate pair.' };
  if (isLongerThan(value, MAX_TEXT))
    return { problem: `must have at most ${MAX_TEXT} characters; this has ${countCharacters(value)}.` };
  const problem = check(value);
  return problem === undefined ? { value } : { problem };
};

const readers: Readonly<Record<FieldType, (value: unknown, field: FieldDefinition) => Read>> = {
  text: (value) => readText(value),
  url: (value) =>
    readText(value, (text) =>
      isWebUrl(text) ? undefined : 'must be a web address, for example https://example.com/account/7.',
    ),
  enum: (value, { options }) =>
    readText(value, (text) =>
      options?.includes(text) ? undefined : `must be one of ${options?.join(', ')}.`,
    ),
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
export const readValue = (field: FieldDefinition, value: unknown): Read => readers[field.type](value, field);

/** A longer value is found by its beginning and its hash: an index entry has a maximum size. */
const MAX_INDEXED = 200;

const indexedNumber = (value: number): string => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
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
