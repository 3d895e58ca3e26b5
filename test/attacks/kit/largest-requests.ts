import { Random } from '../../kit/random.ts';
import type { Json } from '../../kit/service/test-service.ts';
import { type Operation, referencedKind } from './operations.ts';
import { type Ids, randomPhone } from './valid-values.ts';

const MIB = 1_048_576;

/** Texts that are expensive for a naive reader: normalization, escapes, patterns, lines. */
const HOSTILE = ['{{', 'e\u0301\u0316', '\n', '\\"', ' ', '😀', 'ß', 'a@', '\u0130'] as const;

const repeated = (unit: string, length: number) =>
  unit
    .repeat(Math.ceil(length / unit.length))
    .slice(0, length)
    .toWellFormed();

const BY_NAME: Readonly<Record<string, (random: Random) => unknown>> = {
  phone_number: randomPhone,
  number: randomPhone,
  address: randomPhone,
  email: (random) => `${random.letters(64)}@${`${random.letters(60)}.`.repeat(3)}com`,
  mapping: () => '{}',
  create_fields: () => '{}',
  country: () => 'US',
  default_country: () => 'US',
  time_zone: () => 'America/Argentina/ComodRivadavia',
};

/** The largest value that a field accepts, by its schema. */
const largest = (name: string, schema: Json, random: Random, ids: Ids): unknown => {
  const named = referencedKind(name);
  const [type] = [schema.type].flat();
  if (type === 'array') {
    const { maxItems = 50, items } = schema;
    return Array.from({ length: maxItems }, (_, at) =>
      named && at === 0 ? ids(named) : random.letters(items.maxLength ?? 64),
    );
  }
  if (named) return ids(named);
  if (schema.enum) return schema.enum.at(-1);
  if (type === 'object') {
    const { maxProperties = 50 } = schema;
    return Object.fromEntries(
      Array.from({ length: maxProperties }, () => [random.letters(64), random.letters(255)]),
    );
  }
  if (BY_NAME[name]) return BY_NAME[name](random);
  if (schema.format === 'date-time') return '2026-01-31T09:30:00Z';
  if (type === 'boolean') return true;
  if (type === 'integer') return schema.maximum ?? 100;
  return repeated(random.pick(HOSTILE), schema.maxLength ?? 2_000);
};

const fields = (schemas: Readonly<Record<string, Json>>, random: Random, ids: Ids) =>
  Object.entries(schemas).map(([name, schema]) => [name, largest(name, schema, random, ids)] as const);

/** A body with every field as large as it may be. */
export const largestBody = ({ body }: Operation, seed: string, ids: Ids): Json | undefined =>
  body && Object.fromEntries(fields(body.properties, new Random(seed), ids));

/** A query with every parameter as large as the headers allow. */
export const largestQuery = ({ query }: Operation, seed: string, ids: Ids): string | undefined => {
  if (query.length === 0) return undefined;
  const random = new Random(seed);
  const given = new URLSearchParams();
  for (const { name, schema } of query) {
    const limited = schema.type === 'string' && !schema.enum ? { maxLength: 400, ...schema } : schema;
    given.set(name, String(largest(name, limited, random, ids)));
  }
  return String(given);
};

/** Bodies of the maximum size, which are rejected or accepted in part. */
export const hostileBodies = (name: string, size = MIB): readonly (readonly [string, string])[] => {
  const key = JSON.stringify(name);
  const filled = (unit: string) => {
    const written = JSON.stringify(unit).slice(1, -1);
    return `{${key}:"${written.repeat(Math.floor((size - 100) / Buffer.byteLength(written)))}"}`;
  };
  return [
    ...HOSTILE.map((unit) => [`a mebibyte of ${JSON.stringify(unit)}`, filled(unit)] as const),
    ['many numbers', `{${key}:[${'1,'.repeat(size / 2 - 50)}1]}`],
    ['many texts', `{${key}:[${'"",'.repeat(size / 3 - 50)}""]}`],
    [
      'many different texts',
      `{${key}:[${Array.from({ length: size / 10 }, (_, at) => `"${at}"`).join(',')}]}`,
    ],
    ['many objects', `{${key}:[${'{},'.repeat(size / 3 - 50)}{}]}`],
    ['many keys', `{${Array.from({ length: size / 12 }, (_, at) => `"k${at}":1`).join(',')}}`],
    [
      'many keys within',
      `{${key}:{${Array.from({ length: size / 12 }, (_, at) => `"k${at}":1`).join(',')}}}`,
    ],
    [
      'as many long keys as are taken',
      `{${Array.from({ length: 9_900 }, (_, at) => `"${String(at).padStart(Math.floor(size / 9_900) - 6, 'k')}":1`).join(',')}}`,
    ],
    ['deep arrays', `{${key}:${'['.repeat(size / 2 - 50)}${']'.repeat(size / 2 - 50)}}`],
    ['wide and deep', `{${key}:[${`${'['.repeat(28)}${']'.repeat(28)},`.repeat(size / 57 - 10)}1]}`],
  ];
};

/** Files whose cells are expensive to read. */
export const hostileFiles = (size = MIB): readonly (readonly [string, string])[] => {
  const rows = (row: string, header = 'Phone,Notes,Email,Tags\n') =>
    header + row.repeat(Math.max(1, Math.floor((size - header.length) / Buffer.byteLength(row))));
  return [
    ['blanks in a number', rows(`1${' '.repeat(32_000)}x,n,e,t\n`)],
    ['tabs and numbers', rows(`${'\t1'.repeat(15_000)},n,e,t\n`)],
    ['commas in a number', rows(`"${'1,'.repeat(16_000)}x",n,e,t\n`)],
    ['quotes', rows(`+12025550142,"${'""'.repeat(16_000)}",e,t\n`)],
    ['an unclosed quote', `"${'x\n'.repeat(size / 2 - 10)}`],
    ['short rows', rows('1,\n')],
    ['columns', `${'c,'.repeat(199)}c\n${`${'1,'.repeat(199)}1\n`.repeat(size / 400)}`],
    ['delimiters', rows(`${';,|\t'.repeat(8_000)}\n`)],
    ['tags', rows(`+12025550142,n,e,"${'a;b|'.repeat(8_000)}"\n`)],
    ['addresses', rows(`+12025550142,n,${'a@b.'.repeat(8_000)},t\n`)],
    ['marks', rows(`+12025550142,${'e\u0301\u0316'.repeat(6_000)},e,t\n`)],
    ['dates', rows('2026-01-31T00:00:00,1E5,01/02/2026,-\n')],
  ];
};
