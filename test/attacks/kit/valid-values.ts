import type { Random } from '../../kit/random.ts';
import type { Json } from '../../kit/service/test-service.ts';
import { type Operation, referencedKind } from './operations.ts';

/** Returns the id for a kind of record. */
export type Ids = (kind: string) => string;

/** A fictional number that newPhone does not generate. */
export const randomPhone = (random: Random): string =>
  `+1${300 + random.below(600)}5550${100 + random.below(100)}`;

const BY_NAME: Readonly<Record<string, (random: Random) => unknown>> = {
  phone_number: randomPhone,
  number: randomPhone,
  address: randomPhone,
  email: (random) => `${random.letters(12)}@example.com`,
  password: (random) => random.letters(14),
  new_password: (random) => random.letters(14),
  platform_secret: (random) => random.letters(32),
  provider_id: (random) => random.letters(16),
  mapping: () => '{}',
  create_fields: () => '{}',
  query: () => 'sort=name',
  country: () => 'US',
  default_country: () => 'US',
  time_zone: () => 'Europe/Berlin',
  expires_at: () => '2099-01-31T09:30:00Z',
  from: () => 'v1',
  at: () => '2026-01-31T09:30:00Z',
  since: () => '2026-01-31T09:30:00Z',
  // No program listens there.
  url: () => 'http://127.0.0.1:9/',
  recording_url: () => 'https://example.com/recordings/7',
  // The call settings of these values define it.
  disposition: () => 'booked',
  started_at: () => '2026-01-31T09:30:00Z',
  ended_at: () => '2026-01-31T09:31:00Z',
};

/** Operations of a batch, of every kind. */
const operationsOf = (random: Random, ids: Ids) =>
  Array.from({ length: 1 + random.below(5) }, () => {
    const op = random.pick(['create', 'upsert', 'update', 'delete']);
    const number = { op, phone_number: randomPhone(random) };
    if (op === 'delete') return random.chance(0.9) ? number : { op, id: ids('contact') };
    return {
      ...(op === 'update' && random.chance(0.5) ? { op, id: ids('contact') } : number),
      notes: random.letters(9),
    };
  });

/** A valid value of a field, by its schema, and by its name where the schema is not precise. */
export const validValue = (name: string, schema: Json, random: Random, ids: Ids): unknown => {
  const named = referencedKind(name);
  const [type] = [schema.type].flat();
  if (name === 'operations') return operationsOf(random, ids);
  // Of no contact: a job must not delete what the next request needs.
  if (name === 'selection') return { filter: { tag: random.letters(9) } };
  if (name === 'cost') return { amount: random.below(100) / 8, currency: 'EUR' };
  if (name === 'turns') return [{ speaker: 'caller', text: random.letters(9), at: null }];
  if (name === 'dispositions') return [{ key: 'booked', label: random.letters(9) }];
  if (name === 'field_rules') return [{ data: random.letters(9), field: 'notes', mode: 'overwrite' }];
  if (name === 'variables' && type === 'array') return [{ name: 'slot' }];
  if (type === 'array') {
    const item = () => (named ? ids(named) : validValue('', schema.items, random, ids));
    return Array.from({ length: 1 + random.below(3) }, item);
  }
  if (named) return ids(named);
  if ('const' in schema) return schema.const;
  // Only this kind of identity takes any value.
  if (schema.enum?.includes('external')) return 'external';
  if (schema.enum) return random.pick(schema.enum);
  if (name === 'config') return { model: { name: random.letters(9), temperature: random.below(3) } };
  if (name === 'schema') return { type: 'object', title: random.letters(9) };
  if (type === 'object') return {};
  if (BY_NAME[name]) return BY_NAME[name](random);
  if (type === 'boolean') return random.chance(0.5);
  if (type === 'integer') {
    const { minimum = 0, maximum = 100 } = schema;
    return minimum + random.below(Math.min(maximum - minimum, 50) + 1);
  }
  return random.letters((schema.minLength ?? 0) + 1 + random.below(10));
};

/** Valid bodies: one with the required fields only, and one more for each optional field. */
export const bodiesOf = ({ body }: Operation, random: Random, ids: Ids): (Json | undefined)[] => {
  if (!body) return [undefined];
  const value = (name: string) => [name, validValue(name, body.properties[name], random, ids)];
  const required: string[] = body.required ?? [];
  const others = Object.keys(body.properties).filter((name) => !required.includes(name));
  const with_ = (...names: string[]) => Object.fromEntries([...required, ...names].map(value));
  return [with_(), ...others.map((name) => with_(name))];
};
