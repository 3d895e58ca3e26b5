import type { Json } from './service/test-service.ts';

/* A second implementation of filters of contacts, and random filters for it. */

/** A contact as its columns have it, with what other tables say about it. */
export interface FilteredContact {
  readonly row: Json;
  readonly fields: Record<string, string | number | boolean>;
  readonly tags: readonly string[];
  readonly calls: readonly { status: string; started_at: string }[];
  readonly campaigns: readonly string[];
}

export interface Moment {
  readonly now: string;
  readonly zone: string;
}

const CODES: Record<string, string> = { US: '+1', GB: '+44', DE: '+49' };
const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** What an attribute is compared with: a value, or null. Sets are compared one by one. */
const valuesOf = ({ row, fields, tags, calls, campaigns }: FilteredContact, attribute: string): unknown[] => {
  const own: Record<string, () => unknown[]> = {
    phone_number: () => [row.phone_identity ?? row.phone_number],
    name: () => [row.display_name || [row.first_name, row.last_name].filter(Boolean).join(' ')],
    tag: () => [...tags],
    campaign: () => [...campaigns],
    call_status: () => calls.map(({ status }) => status),
    last_activity_at: () => [
      calls
        .map(({ started_at }) => started_at)
        .sort()
        .at(-1),
    ],
    has_email: () => [row.email !== null],
    has_name: () => [Boolean(row.display_name || row.first_name || row.last_name)],
    in_campaign: () => [campaigns.length > 0],
    called: () => [calls.length > 0],
  };
  if (attribute.startsWith('fields.')) return [fields[attribute.slice(7)]];
  return own[attribute]?.() ?? [row[attribute]];
};

const isSet = (value: unknown) => value !== undefined && value !== null && value !== '';

/** The first and the last time or day within a duration. */
const within = (text: string, { now, zone }: Moment, isDay: boolean, isNext: boolean): [string, string] => {
  const start = Temporal.Instant.from(now).toZonedDateTimeISO(zone);
  const end = isNext ? start.add(text) : start.subtract(text);
  const write = (time: Temporal.ZonedDateTime) =>
    isDay ? time.toPlainDate().toString() : time.toInstant().toString({ fractionalSecondDigits: 3 });
  return isNext ? [write(start), write(end)] : [write(end), write(start)];
};

const DAY = /^\d{4}-\d\d-\d\d$/;

const compare = (value: unknown, op: string, wanted: never, attribute: string, at: Moment): boolean => {
  if (!isSet(value)) return false;
  const fold = attribute === 'email' ? lower : (text: string) => text;
  const same = (other: unknown) =>
    typeof value === 'string' && typeof other === 'string' ? fold(value) === fold(other) : value === other;
  if (op === 'eq' && attribute === 'phone_country')
    return String(value).startsWith(CODES[wanted as string] as string);
  if (op === 'eq') return same(wanted);
  if (op === 'in')
    return (wanted as unknown[]).some((each) => compare(value, 'eq', each as never, attribute, at));
  if (op === 'contains') return lower(String(value)).includes(lower(wanted));
  if (op === 'starts_with') return lower(String(value)).startsWith(lower(wanted));
  const known = value as never;
  if (op === 'lt') return known < wanted;
  if (op === 'lte') return known <= wanted;
  if (op === 'gt') return known > wanted;
  if (op === 'gte') return known >= wanted;
  const [first, last] = within(wanted, at, DAY.test(String(value)), op === 'within_next');
  return String(value) >= first && String(value) <= last;
};

export const matches = (tree: Json, contact: FilteredContact, at: Moment): boolean => {
  if (tree.all) return tree.all.every((each: Json) => matches(each, contact, at));
  if (tree.any) return tree.any.some((each: Json) => matches(each, contact, at));
  if (tree.not) return !matches(tree.not, contact, at);
  const { attribute, op, value } = tree;
  const values = valuesOf(contact, attribute === 'phone_country' ? 'phone_identity' : attribute);
  if (op === 'is_set') return values.some(isSet) === (value ?? true);
  const met = values.some((each) => compare(each, op === 'ne' ? 'eq' : op, value as never, attribute, at));
  return op === 'ne' ? !met : met;
};

/** A generator of numbers below a limit, which are the same for the same seed. */
export const randomFrom = (seed: number) => {
  let state = seed >>> 0;
  return (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
};
export type Random = ReturnType<typeof randomFrom>;

const OPS = {
  text: ['eq', 'ne', 'in', 'contains', 'starts_with', 'is_set'],
  choice: ['eq', 'ne', 'in', 'is_set'],
  flag: ['eq', 'ne'],
  boolean: ['eq', 'ne', 'is_set'],
  number: ['eq', 'ne', 'in', 'lt', 'lte', 'gt', 'gte', 'is_set'],
  date: ['eq', 'ne', 'in', 'lt', 'lte', 'gt', 'gte', 'is_set', 'within_last', 'within_next'],
  datetime: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'is_set', 'within_last', 'within_next'],
};

/** The type of an attribute, and values to ask for. */
export type Askable = Record<string, readonly [type: keyof typeof OPS, values: readonly unknown[]]>;

const DATES = ['P0D', 'P1D', 'P7D', 'P2W', 'P1M', 'P1Y2M', 'P30D'];
const DURATIONS = [...DATES, 'PT1H', 'PT36H', 'P1DT30M', 'PT1S'];

/** The attributes by which contacts are found. Half of all conditions have one, so that many filters have several. */
const INDEXED = /^tag$|^phone_country$|^fields\./;

/** A random filter with at most five levels of groups. */
export const randomTree = (random: Random, askable: Askable, depth = 0): Json => {
  const pick = <T>(some: readonly T[]): T => some[random(some.length)] as T;
  const kind = depth >= 5 ? 3 : random(6);
  const each = (least: number) =>
    Array.from({ length: least + random(depth === 0 ? 4 : 3) }, () => randomTree(random, askable, depth + 1));
  if (kind === 0 || (kind >= 4 && depth === 0)) return { all: each(0) };
  if (kind === 1) return { any: each(1) };
  if (kind === 2) return { not: randomTree(random, askable, depth + 1) };
  const names = Object.keys(askable);
  const attribute = pick(random(2) ? names : names.filter((name) => INDEXED.test(name)));
  const [type, values] = askable[attribute] as Askable[string];
  const op = pick(OPS[type]);
  if (op === 'is_set') return random(2) ? { attribute, op } : { attribute, op, value: random(2) === 1 };
  if (op.startsWith('within')) return { attribute, op, value: pick(type === 'date' ? DATES : DURATIONS) };
  if (op === 'in') return { attribute, op, value: Array.from({ length: 1 + random(4) }, () => pick(values)) };
  const value = pick(values);
  if (op !== 'contains' && op !== 'starts_with') return { attribute, op, value };
  const letters = [...String(value)];
  const from = op === 'contains' ? random(letters.length) : 0;
  const part = letters.slice(from, from + 1 + random(4)).join('');
  return { attribute, op, value: random(2) ? part : part.toUpperCase() };
};
