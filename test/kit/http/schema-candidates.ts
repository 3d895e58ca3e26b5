import type { Json } from '../service/test-service.ts';

/** Texts at the edges of what a request may contain. Every string field is tried with all of them. */
const TEXTS = [
  ...[
    '',
    ' ',
    'a',
    'é',
    '👍',
    '👍👍',
    'Ada Lovelace',
    ' padded ',
    'line\nbreak',
    '\t',
    '\u007f',
    '\u00a0',
    '\ufeff',
  ],
  ...['\u0000', 'a\u0000b', '\ud800', 'a\udfffb', '\udfff\ud800'],
  ...[
    'null',
    'true',
    'false',
    '0',
    '1',
    '-1',
    '1.5',
    '1e3',
    '{}',
    '[]',
    '{"0":"phone_number"}',
    '{"0":7}',
    '{"0":',
  ],
  'a,b,,c',
  'a,b,c,d,e,f,g,h,i,j,k',
  // Emails
  ...['ada@example.com', 'ADA@EXAMPLE.COM', 'a@b.co', 'a@b', 'a@b.c', 'a@@b.co', '@b.co', 'a@', 'a b@c.de'],
  ...['.a@b.co', 'a.@b.co', 'a..b@c.de', 'a.b@c.de', 'a@-b.co', 'a@b-.co', 'a@b-c.co', 'a@.b.co', 'a@b..co'],
  ...[
    '"a b"@c.de',
    'a+b@c.de',
    "o'neil@c.de",
    'zoë@münchen.de',
    'a@例え.jp',
    'a@b.co ',
    '\na@b.co',
    'a@b.co\n',
  ],
  ...[
    'a@[127.0.0.1]',
    '<a@b.co>',
    'a,b@c.de',
    'a@b.c👍',
    'a@b.👍👍',
    `${'a'.repeat(64)}@${'b'.repeat(185)}.com`,
  ],
  // Phone numbers
  ...[
    '+14155550100',
    '+1 415 555 0100',
    '14155550100',
    '+1415555',
    '+141555',
    '+999123456789',
    '+4402079460018',
  ],
  ...['+442079460018', '+390612345678', `+1${'2'.repeat(14)}`, `+1${'2'.repeat(15)}`, '+', '++14155550100'],
  ...['+1415555010x', '+１４１５５５５０１００', '(415) 555-0100', '+14155550100 ', '+14155550100\n'],
  // Times
  ...['2026-01-31T09:30:00Z', '2026-02-28T23:59:59.999Z', '2026-02-29T00:00:00Z', '2026-02-30T00:00:00Z'],
  ...['2024-02-29T00:00:00Z', '2100-02-29T00:00:00Z', '2026-13-01T00:00:00Z', '2026-00-10T00:00:00Z'],
  ...['2026-04-31T00:00:00Z', '2026-01-00T00:00:00Z', '2026-01-31T24:00:00Z', '2026-01-31T23:60:00Z'],
  ...[
    '2016-12-31T23:59:60Z',
    '2026-01-31T09:30:00',
    '2026-01-31',
    '2026-01-31 09:30:00Z',
    '2026-01-31t09:30:00z',
  ],
  ...[
    '2026-01-31T09:30:00+02:00',
    '2026-01-31T09:30:00+0200',
    '2026-01-31T09:30:00+02',
    '2026-01-31T09:30:00-23:59',
  ],
  ...['2026-01-31T09:30:00+24:00', '2026-01-31T09:30:00+02:60', '2026-01-31T09:30Z', '2026-01-31T09:30:00.Z'],
  ...['2026-01-31T09:30:00.123456789Z', '2026-01-31T09:30:00.1234567890Z', '0000-01-01T00:00:00+01:00'],
  ...[
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59-01:00',
    '10000-01-01T00:00:00Z',
  ],
  ...['+002026-01-31T00:00:00Z', '２０２６-01-31T00:00:00Z', 'Sat, 31 Jan 2026 09:30:00 GMT'],
  // Ids
  ...['01890a5d-ac96-774b-bcce-b302099a8057', '01890A5D-AC96-774B-BCCE-B302099A8057'],
  ...['urn:uuid:01890a5d-ac96-774b-bcce-b302099a8057', '01890a5dac96774bbcceb302099a8057'],
  ...['{01890a5d-ac96-774b-bcce-b302099a8057}', '00000000-0000-0000-0000-000000000000'],
  ...['contact_01h455vb4pex5vsknk084sn02q', 'contact_01H455VB4PEX5VSKNK084SN02Q'],
  // Countries and rates
  ...['US', 'us', 'XX', 'GB', 'UK', 'DE ', 'USA', '001', 'AQ'],
  ...[
    '600/1m',
    '0/1m',
    '1000000/1h',
    '1000001/1h',
    '1/24h',
    '1/25h',
    '1/0s',
    '1/86400s',
    '1/86401s',
    '600/1d',
    '600',
  ],
];

const OTHERS = [null, true, false, 0, -1, 1.5, 7, 1e21, [], {}, [null], ['a'], { a: 1 }];

const longText = (length: number, character = 'a') => character.repeat(Math.max(0, length));

const textCandidates = ({
  minLength = 0,
  maxLength,
  enum: values,
  examples = [],
  default: usual,
}: Json): unknown[] => [
  ...(values ?? []),
  ...examples,
  ...(usual === undefined ? [] : [usual]),
  ...[minLength - 1, minLength].flatMap((length) => [longText(length), longText(length, '👍')]),
  ...(maxLength === undefined
    ? []
    : [maxLength, maxLength + 1].flatMap((length) => [longText(length), longText(length, '👍')])),
  ...TEXTS,
];

const numberCandidates = ({ minimum = 0, maximum = 1_000 }: Json): unknown[] => [
  ...[minimum - 1, minimum, minimum + 0.5, minimum + 1, maximum - 1, maximum, maximum + 1, -0],
  ...[Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, '1', ''],
];

/** Resolves the references of a schema within its document. */
export type Resolve = (schema: Json) => Json;

const MAX_DEPTH = 4;

/** Values at and beyond the limits of a schema: some valid, most not. New keywords of the documents belong here. */
export const candidatesOf = (given: Json, resolve: Resolve, depth = 0): unknown[] => {
  const schema = resolve(given);
  const types = [schema.type].flat();
  const own: unknown[] = [];
  for (const branch of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) {
    if (depth < MAX_DEPTH && resolve(branch).type !== undefined && !schema.type)
      own.push(...candidatesOf(branch, resolve, depth + 1));
  }
  if ('const' in schema) own.push(schema.const);
  if (types.includes('string')) own.push(...textCandidates(schema));
  if (types.includes('integer') || types.includes('number')) own.push(...numberCandidates(schema));
  if (types.includes('array')) own.push(...arrayCandidates(schema, resolve, depth));
  if (types.includes('object')) own.push(...objectCandidates(schema, resolve, depth));
  return [...own, ...OTHERS];
};

const arrayCandidates = ({ items = {}, maxItems }: Json, resolve: Resolve, depth: number): unknown[] => {
  const inner = depth < MAX_DEPTH ? candidatesOf(items, resolve, depth + 1) : [];
  const valid = sampleOf(items, resolve);
  const distinct = (count: number) => Array.from({ length: count }, (_, at) => `${at}`);
  return [
    [],
    [valid],
    [valid, valid],
    ...inner.map((each) => [each]),
    ...inner.map((each) => [valid, each]),
    ...[50, 51, 100, 101].map(distinct),
    ...(maxItems === undefined ? [] : [maxItems, maxItems + 1].map((count) => Array(count).fill(valid))),
  ];
};

const objectCandidates = (schema: Json, resolve: Resolve, depth: number): unknown[] => {
  const { properties = {}, required = [], additionalProperties, maxProperties } = schema;
  const base = sampleOf(schema, resolve) as Record<string, unknown>;
  const complete = Object.fromEntries(
    Object.keys(properties).map((name) => [name, sampleOf(properties[name], resolve)]),
  );
  const result: unknown[] = [base, complete, { ...base, unknown_field: 1 }, { ...base, __proto: 1 }];
  for (const name of required) {
    const { [name]: _, ...rest } = base;
    result.push(rest);
  }
  for (const [name, property] of Object.entries<Json>(properties)) {
    const values = depth < MAX_DEPTH ? candidatesOf(property, resolve, depth + 1) : [];
    for (const value of values) result.push({ ...base, [name]: value });
    result.push({ ...complete, [name]: sampleOf(property, resolve) }, { ...base, [name.toUpperCase()]: 1 });
    for (const other of Object.keys(properties))
      result.push({ ...base, [name]: complete[name], [other]: complete[other] });
  }
  if (typeof additionalProperties === 'object') {
    const values = depth < MAX_DEPTH ? candidatesOf(additionalProperties, resolve, depth + 1) : [];
    for (const value of values) result.push({ some: value });
    for (const name of TEXTS) result.push({ [name]: sampleOf(additionalProperties, resolve) });
    for (const length of [64, 65, 255, 256])
      result.push({ [longText(length)]: sampleOf(additionalProperties, resolve) });
    for (const count of [maxProperties ?? 0, (maxProperties ?? 0) + 1]) {
      const entries = Array.from({ length: count }, (_, at) => [
        `${at}`,
        sampleOf(additionalProperties, resolve),
      ]);
      result.push(Object.fromEntries(entries));
    }
  }
  return result;
};

const sampleText = ({ enum: values, examples, pattern, minLength = 0, maxLength }: Json): string => {
  if (examples?.length) return examples[0];
  if (values) return values.find((each: unknown) => each !== null);
  const fits = (text: string) =>
    text.length >= minLength &&
    (maxLength === undefined || text.length <= maxLength) &&
    (!pattern || new RegExp(pattern, 'u').test(text));
  const preferred = ['sample', '2026-01-31T09:30:00Z', 'ada@example.com', 'US', '600/1m'];
  return [...preferred, ...TEXTS, longText(minLength)].find(fits) ?? '';
};

/** One value that the schema accepts, without optional properties. */
export const sampleOf = (given: Json, resolve: Resolve): unknown => {
  const schema = resolve(given);
  if ('const' in schema) return schema.const;
  if (schema.oneOf && !schema.type) return sampleOf(schema.oneOf[0], resolve);
  if (schema.anyOf && !schema.type) return sampleOf(schema.anyOf[0], resolve);
  const [type] = [schema.type].flat();
  if (type === 'string') return sampleText(schema);
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0;
  if (type === 'boolean') return true;
  if (type === 'array') return [sampleOf(schema.items ?? {}, resolve)];
  if (type !== 'object') return null;
  const names = schema.required ?? [];
  const sample = Object.fromEntries(
    names.map((name: string) => [name, sampleOf(schema.properties?.[name] ?? {}, resolve)]),
  );
  const missing = Object.keys(schema.properties ?? {}).find((name) => !(name in sample));
  const branch =
    schema.anyOf?.[0]?.required?.[0] ?? (schema.minProperties > names.length ? missing : undefined);
  return branch ? { ...sample, [branch]: sampleOf(schema.properties[branch], resolve) } : sample;
};
