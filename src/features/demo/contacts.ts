import type { Source } from '../contacts/contact.schema.ts';
import { contactId } from '../contacts/contact.service.ts';
import { type Calendar, iso } from './calendar.ts';
import { type Dice, uuidAt } from './dice.ts';
import { nationalFormat } from './numbers.ts';
import type { Person } from './people.ts';

export interface SampleContact extends Omit<Person, 'first_name' | 'last_name'> {
  id: string;
  first_name: string | null;
  last_name: string | null;
  phone_number: string;
  phone_identity: string;
  phone_conflict: number;
  source: Source;
  /** When it was created. */
  at: number;
  created_at: string;
  updated_at: string;
  crm_ids: Record<string, string>;
}

/** How many contacts of each source were created over how many days; a batch was created within one minute. */
const ARRIVALS: readonly { source: Source; count: number; days?: number; batch?: number }[] = [
  { source: 'import', count: 72, batch: 74 },
  { source: 'import', count: 50, batch: 41 },
  { source: 'api', count: 130, days: 110 },
  { source: 'manual', count: 70, days: 115 },
  { source: 'webhook', count: 60, days: 95 },
  { source: 'inbound', count: 75, days: 59 },
];

const NO_PROFILE: Pick<
  SampleContact,
  'first_name' | 'last_name' | 'display_name' | 'email' | 'company' | 'notes' | 'tags'
> = {
  first_name: null,
  last_name: null,
  display_name: null,
  email: null,
  company: null,
  notes: null,
  tags: [],
};

/** Legacy numbers. The first two conflict with their identity. */
const LEGACY = [
  { displayed: '+14155550132', identity: '+14155550182' },
  { displayed: '+12125550147', identity: '+19175550147' },
  { displayed: '+13035550171', identity: '+13035550171' },
];

export const legacyNumbers: readonly string[] = LEGACY.flatMap(({ displayed, identity }) => [
  displayed,
  identity,
]);

interface Makers {
  readonly dice: Dice;
  readonly calendar: Calendar;
  readonly number: () => string;
  readonly person: () => Person;
}

const contactAt = ({ dice, calendar, number, person }: Makers, source: Source, at: number): SampleContact => {
  // A first-time caller is only a number; some get a name later.
  const isKnown = source !== 'inbound' || dice.chance(0.45);
  const isEdited = dice.chance(0.3);
  const phone = number();
  return {
    id: contactId.parse(uuidAt(dice, at)) ?? '',
    ...(isKnown ? person() : NO_PROFILE),
    phone_number: phone,
    phone_identity: phone,
    phone_conflict: 0,
    source,
    at,
    created_at: iso(at),
    updated_at: iso(isEdited ? at + dice.roll() * (calendar.now - at) : at),
    crm_ids: source === 'webhook' ? { 'customer database': String(dice.between(10_000, 99_999)) } : {},
  };
};

const legacyContacts = (makers: Makers): SampleContact[] =>
  LEGACY.map(({ displayed, identity }, place) => ({
    ...contactAt(makers, 'import', makers.calendar.on(118 - place)),
    phone_number: nationalFormat(displayed),
    phone_identity: identity,
    phone_conflict: displayed === identity ? 0 : 1,
  }));

/** Oldest first. */
export const sampleContacts = (makers: Makers): SampleContact[] => {
  const { dice, calendar } = makers;
  const arrived = ARRIVALS.flatMap(({ source, count, days = 0, batch }) => {
    const begun = batch === undefined ? 0 : calendar.on(batch);
    const moment = () => (batch === undefined ? calendar.within(days) : begun + dice.between(0, 40_000));
    return Array.from({ length: count }, () => contactAt(makers, source, moment()));
  });
  return [...legacyContacts(makers), ...arrived].sort((one, other) => one.at - other.at);
};
