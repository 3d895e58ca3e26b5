import fc from 'fast-check';

/** A call as plain data that shrinks well. Records are identified by their index among the existing ones, so that a
 *  sequence stays valid when calls are removed from it. */
export interface Command {
  readonly resource: 'contacts' | 'agents';
  readonly call: 'create' | 'get' | 'update' | 'echo' | 'delete' | 'list';
  readonly prefix: '/v1' | '/api/v1';
  readonly target: Target;
  readonly body: Record<string, unknown>;
  readonly query: Record<string, string>;
}

export interface Target {
  readonly kind: 'token' | 'uuid' | 'UUID' | 'deleted' | 'unknown';
  readonly place: number;
}

export const UNKNOWN_IDS = [
  'contact_01jz3y3yjdf1z9a8y7k5m4n3p2',
  '01985f1f-7a4d-7a11-8a3c-6f5e4d3c2b1a',
  'contact_01JZ3Y3YJDF1Z9A8Y7K5M4N3P2',
  'contact_',
  'nobody',
  'agent_01jz3y3yjdf1z9a8y7k5m4n3p2',
];

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);

/** Mostly valid values; the others are invalid in different ways. */
const mostly = <T>(
  valid: fc.Arbitrary<T>,
  invalid: fc.Arbitrary<unknown>,
  weight = 60,
): fc.Arbitrary<unknown> => fc.oneof({ weight, arbitrary: valid }, { weight: 1, arbitrary: invalid });

const invalidText = (max: number) => oneOf<unknown>('x'.repeat(max + 1), 7, ['a'], 'a\0b', '\ud83d');

const NAMES = [
  'Ada',
  'ADA',
  'Ádá',
  'Lovelace',
  "O'Brien",
  'Zoe\u0308',
  'Zoë',
  '100%',
  'a_b',
  '"A" \\',
  '',
  ' ada ',
];
const name = (max: number) => mostly(oneOf(...NAMES, '🙂'.repeat(max), null), invalidText(max));

const phone = mostly(
  fc.nat(9).map((at) => `+1${at % 2 ? 212 : 310}555010${at}`),
  oneOf<unknown>(
    '2125550100',
    '+1 212-555-0100',
    '',
    '+9995550100',
    '+155501',
    '+1212555010012345',
    null,
    12125550100,
  ),
  8,
);
const email = mostly(
  oneOf('ada@example.com', 'ÁDA@Example.com', "o'brien_x@mail.example.org", null),
  oneOf<unknown>('ada', '@example.com', 'ada@', 'ada@example', `${'a'.repeat(250)}@example.com`, 1),
);
const TAGS = ['vip', 'VIP', 'new', 'a b', 'é', "it's 100%", '🙂'.repeat(64)];
const tags = mostly(
  fc.oneof(
    { weight: 9, arbitrary: fc.array(oneOf('vip', 'new', ...TAGS), { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.constant([...Array.from({ length: 50 }, (_, at) => `tag ${at}`), 'tag 0']) },
  ),
  oneOf<unknown>(
    null,
    'vip',
    [''],
    ['vip', 'x'.repeat(65)],
    [3],
    Array.from({ length: 51 }, (_, at) => `${at}`),
  ),
);

const unknownField = { frist_name: fc.constant('Ada') };

/** Some of the fields, and sometimes an unknown one. */
const some = (fields: Record<string, fc.Arbitrary<unknown>>, always: string[] = []) =>
  fc.oneof(
    { weight: 40, arbitrary: fc.record(fields, { requiredKeys: always }) },
    { weight: 1, arbitrary: fc.record({ ...fields, ...unknownField }, { requiredKeys: ['frist_name'] }) },
  );

const profile = {
  first_name: name(100),
  last_name: name(100),
  display_name: name(200),
  email,
  company: name(200),
  notes: name(2000),
  tags,
};
const contactCreate = fc.oneof(
  { weight: 15, arbitrary: some({ phone_number: phone, ...profile }, ['phone_number']) },
  { weight: 1, arbitrary: some(profile) },
);
const contactUpdate = some({
  phone_number: phone,
  confirm_phone_change: mostly(fc.boolean(), oneOf<unknown>('yes', null)),
  ...profile,
});

const agentFields = {
  name: mostly(oneOf('Ada', 'Zoë', 'x', '🙂'.repeat(100)), oneOf<unknown>('', null, 'x'.repeat(101), 3)),
  description: mostly(oneOf('', 'Kind', null, '🙂'.repeat(500)), invalidText(500)),
  instructions: mostly(
    oneOf('', 'Be kind.', 'Say "hi"\n', 'é'.repeat(50_000)),
    oneOf<unknown>(null, 'x'.repeat(50_001)),
  ),
};
const agentCreate = fc.oneof(
  { weight: 12, arbitrary: some(agentFields, ['name', 'instructions']) },
  { weight: 1, arbitrary: some(agentFields) },
);

const SEARCHES = [
  ...[
    'ada',
    'ÁD',
    'a',
    'love',
    'ada love',
    'a l',
    "o'b",
    '"',
    '"a"',
    '\\',
    '%',
    '00%',
    '_',
    'a_b',
    'zoe',
    'ZOË',
    'e\u0308',
  ],
  ...[
    '555',
    '5550',
    '55',
    '+1',
    '+1212',
    '(212) 555',
    '212-555-01',
    '0102',
    '103',
    '5 5',
    '🙂',
    '🙂🙂🙂',
    '🙂🙂 🙂',
  ],
  ...['@example', 'EXAMPLE.COM', 'n_x@', ' ada', ' ', 'absent', 'kind', 'vip', ''],
];
const window = {
  limit: mostly(oneOf('1', '2', '3', '20', '100'), oneOf('0', '101', '-1', '1.5', 'ten', '')),
  offset: mostly(oneOf('0', '1', '2', '5', '2000'), oneOf('-1', '0.5', 'x', '')),
};
const search = { search: oneOf(...SEARCHES) };
const tag = {
  tag: fc.oneof(
    { weight: 3, arbitrary: oneOf('vip', 'new') },
    { weight: 2, arbitrary: oneOf(...TAGS, 'vi', 'E', '') },
  ),
};
const contactQuery = fc.oneof(
  ...[{}, search, search, tag, { ...search, ...tag }].map((filters) =>
    fc.record({ ...window, ...filters }, { requiredKeys: Object.keys(filters) as never[] }),
  ),
);

const target: fc.Arbitrary<Target> = fc.record({
  kind: fc.oneof(
    { weight: 12, arbitrary: oneOf<Target['kind']>('token', 'uuid', 'UUID') },
    { weight: 1, arbitrary: oneOf<Target['kind']>('deleted', 'unknown') },
  ),
  place: fc.nat(9),
});

const command = (
  resource: Command['resource'],
  call: Command['call'],
  parts: { target?: fc.Arbitrary<Target>; body?: fc.Arbitrary<object>; query?: fc.Arbitrary<object> },
): fc.Arbitrary<Command> =>
  fc.record({
    resource: fc.constant(resource),
    call: fc.constant(call),
    prefix: oneOf('/v1', '/api/v1'),
    target: parts.target ?? fc.constant({ kind: 'unknown', place: 0 }),
    body: parts.body ?? fc.constant({}),
    query: parts.query ?? fc.constant({}),
  }) as fc.Arbitrary<Command>;

/** Sequences of calls, weighted so that workspaces fill up, collide and are read. */
export const commands: fc.Arbitrary<Command[]> = fc.array(
  fc.oneof(
    { weight: 9, arbitrary: command('contacts', 'create', { body: contactCreate }) },
    { weight: 5, arbitrary: command('contacts', 'update', { target, body: contactUpdate }) },
    {
      weight: 1,
      arbitrary: command('contacts', 'echo', { target, body: some({ phone_number: phone, tags }) }),
    },
    { weight: 2, arbitrary: command('contacts', 'get', { target }) },
    { weight: 1, arbitrary: command('contacts', 'delete', { target }) },
    { weight: 7, arbitrary: command('contacts', 'list', { query: contactQuery }) },
    { weight: 2, arbitrary: command('agents', 'create', { body: agentCreate }) },
    { weight: 3, arbitrary: command('agents', 'update', { target, body: some(agentFields) }) },
    { weight: 1, arbitrary: command('agents', 'echo', { target, body: fc.constant({}) }) },
    { weight: 2, arbitrary: command('agents', 'get', { target }) },
    { weight: 1, arbitrary: command('agents', 'delete', { target }) },
    { weight: 2, arbitrary: command('agents', 'list', { query: fc.record(window, { requiredKeys: [] }) }) },
  ),
  { minLength: 1, maxLength: 60, size: 'max' },
);
