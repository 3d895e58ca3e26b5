import type { NewFacts } from '../test/kit/fixtures/insert-contacts.ts';

/** The contacts of the benchmark, always the same ones, so that every run sends the same requests. */

const FIRST = [
  'Ada', 'Alan', 'Barbara', 'Donald', 'Edsger', 'Émile', 'Frances', 'Grace',
  'Ida', 'Jean', 'Katherine', 'Margaret', 'Noor', 'Radia', 'Tim', 'Zoë',
]; // biome-ignore format: a table
const NAME_STARTS = [
  'Ash', 'Black', 'Brad', 'Carl', 'Clay', 'East', 'Fair', 'Green',
  'Hart', 'Lang', 'Marl', 'North', 'Oak', 'Stan', 'West', 'Wood',
]; // biome-ignore format: a table
const NAME_ENDINGS = [
  'borough', 'bridge', 'burn', 'bury', 'combe', 'dale', 'field', 'ford',
  'ham', 'hurst', 'ley', 'more', 'stead', 'ton', 'well', 'worth',
]; // biome-ignore format: a table

/** All full names. One contact in 4,096 has each. */
export const fullNames: readonly string[] = FIRST.flatMap((first) =>
  NAME_STARTS.flatMap((beginning) => NAME_ENDINGS.map((ending) => `${first} ${beginning}${ending}`)),
);

/** One contact in 256 has this name. */
export const COMMON_NAME = 'Ashford';
/** The number of contacts with this name, for every size of the workspace. Many other names have the same first
 *  letters. */
export const RARE_NAME = 'Marlquist';
export const RARE_COUNT = 50;
/** One contact in ten has this tag. */
export const TAG = 'vip';

const pick = (from: readonly string[], at: number) => from[at % from.length] as string;

/** Distributes consecutive numbers, so that names do not appear in sequence. */
const mixed = (at: number) => Math.imul(at + 1, 2_654_435_761) >>> 8;

/** The number belongs to no one: the country code 1 has no area code that begins with 0. */
export const phoneAt = (at: number): string => `+10${String(at).padStart(9, '0')}`;

/** The contact at a position among a number of contacts. */
export const contactAt = (at: number, count: number): NewFacts => {
  const mix = mixed(at);
  const first_name = pick(FIRST, mix);
  const isRare = at % Math.floor(count / RARE_COUNT) === 0 && at < count - (count % RARE_COUNT);
  const last_name = isRare ? RARE_NAME : pick(NAME_STARTS, mix >>> 4) + pick(NAME_ENDINGS, mix >>> 8);
  const phone_number = phoneAt(at);
  return {
    phone_number,
    phone_identity: phone_number,
    phone_conflict: 0,
    first_name,
    last_name,
    email: `${last_name.toLowerCase()}.${at}@example.com`,
    company: `Company ${mix % 5_000}`,
    notes: at % 4 === 0 ? `Met at fair ${mix % 40}, asked for a call in the afternoon.` : null,
    tags: ['customer', `region ${mix % 40}`, ...(at % 10 === 0 ? [TAG] : [])],
  };
};

/** The fields of contacts that are filtered. */
export const FILTERABLE = [
  { key: 'plan', label: 'Plan', type: 'enum' as const, options: ['gold', 'silver'] },
  { key: 'renewal', label: 'Renewal', type: 'date' as const },
];

const DAY_MS = 86_400_000;
/** Numbers for fiction. */
const RARE_COUNTRY = '+441632960';

/** The contact at a position with values of fields: two of 2,000 are `gold`, of which one has the tag, all others `silver`. One of 100
 *  has a renewal within a year, and one of 10,000 a number of another country. */
export const personalAt = (at: number, count: number): NewFacts => {
  const contact = contactAt(at, count);
  const number = at % 10_000 === 0 ? `${RARE_COUNTRY}${String(at / 10_000).padStart(3, '0')}` : undefined;
  const renewal = new Date(Date.now() + (mixed(at) % 365) * DAY_MS).toISOString().slice(0, 10);
  return {
    ...contact,
    ...(number && { phone_number: number, phone_identity: number }),
    values: {
      plan: at % 2_000 === 10 || at % 2_000 === 1_007 ? 'gold' : 'silver',
      ...(at % 100 === 3 && { renewal }),
    },
  };
};

/** The instructions of an agent, of a typical length. */
export const instructionsOf = (version: number): string =>
  `You answer the telephone for a repair shop. This is revision ${version}.\n`.concat(
    'Greet the caller, ask for the name and the number of the order, and say when the work will be done. '.repeat(
      10,
    ),
  );
