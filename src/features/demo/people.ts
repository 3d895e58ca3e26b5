import { fold } from '../../lib/text.ts';
import type { ContactCreate } from '../contacts/contact.schema.ts';
import type { Dice } from './dice.ts';

/** Given and family names from many countries. Any resemblance to a living person is coincidental. */
const GIVEN = `Aisha Anders Arjun Astrid Beatriz Bilal Björn Camille Chidi Chloé Diego Ebba Elena Elif Fatima Felix Freya
  Giulia Hana Hiro Ines Jia Joaquín Kofi Leila Linh Lucía Maeve Mateo Nadia Noor Omar Owen Priya Renée Saoirse Theo Wei`;
const FAMILY = `Abara Almeida Aydın Benali Bergström Bianchi Chandra Chen Delacroix Diallo Eriksen Fenwick Gallagher Gärtner
  Haddad Hashimoto Ibarra Kaminski Kapoor Kimani Lindqvist Mahmoud Mbeki Moreau Müller Nwosu Oakes Ortega Osei Sørensen`;
const [givenNames, familyNames] = [GIVEN, FAMILY].map((names) => names.split(/\s+/)) as [string[], string[]];

/** Cafés, restaurants, hotels and offices that a roaster could supply. */
const COMPANIES = [
  'Anchor & Oak', 'Bakehouse Nine', 'Basil Court Hotel', 'Blue Door Bistro', 'Copper Kettle', 'Early Bird Café',
  'Harbour View Inn', 'Juniper Works', 'Little Atlas Travel', 'Marigold Nursery', 'Morning Ferry', 'Oatfield Foods',
  'Riverbend School', 'Rosehip Tea Room', 'Saltmarsh Grill', 'Tin Roof Diner', 'Two Rivers Law', 'Yellow Bicycle',
]; // biome-ignore format: a table

/** Tags and how common they are. */
const TAGS = {
  café: 40, office: 26, restaurant: 18, hotel: 9, wholesale: 30, 'repair plan': 22, newsletter: 34, decaf: 7,
  'oat milk': 9, 'trade fair': 14, trial: 12, vip: 6, overdue: 5, 'machine on loan': 8, 'prefers WhatsApp': 10,
  'do not call before 10': 4,
}; // biome-ignore format: a table

const NOTES = [
  'Opens at six. Deliveries through the side door; the code is with the driver.',
  'Wants the same roast as last month unless the blend changes. Call before swapping anything.',
  'Moving to a second site in spring and asked for a quote for two grinders.',
];

export type Person = Omit<ContactCreate, 'phone_number'>;

export const emailOf = ({ first_name, last_name, company }: Person): string => {
  const plain = (text: string | null = '') => fold(text ?? '').replace(/[^a-z0-9]+/g, '-');
  return `${plain(first_name)}.${plain(last_name)}@${company ? plain(company) : 'home'}.example`;
};

/** Returns a generator of people. */
export const createPeople =
  (dice: Dice): (() => Person) =>
  () => {
    const [first_name, last_name] = [dice.pick(givenNames), dice.pick(familyNames)];
    const company = dice.chance(0.82) ? dice.pick(COMPANIES) : null;
    const tags = new Set(Array.from({ length: dice.between(0, 4) }, () => dice.weighted(TAGS)));
    return {
      first_name,
      last_name,
      display_name: dice.chance(0.1) ? `${first_name} (${company ?? 'at home'})` : null,
      email: dice.chance(0.76) ? emailOf({ first_name, last_name, company }) : null,
      company,
      notes: dice.chance(0.32) ? dice.pick(NOTES) : null,
      tags: [...tags],
    };
  };

/** Prefixes of the numbers that countries reserve for fiction; the digits 100 to 199 of all of them are free. */
const PREFIXES = [
  ...[206, 212, 303, 305, 312, 404, 415, 503, 512, 617].map((area) => `+1${area}5550`),
  ...['+442079460', '+441632960', '+447700900', '+493023125', '+496990009', '+494066969', '+498999998'],
];

/** Returns a generator of unique fictional phone numbers, except those in `taken`. */
export const createNumbers = (dice: Dice, taken: readonly string[]): (() => string) => {
  const known = new Set(taken);
  return () => {
    for (;;) {
      const number = `${dice.pick(PREFIXES)}${dice.between(100, 199)}`;
      if (known.size < known.add(number).size) return number;
    }
  };
};

/** +14155550132 becomes (415) 555-0132. */
export const nationalFormat = (number: string): string =>
  number.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3');
