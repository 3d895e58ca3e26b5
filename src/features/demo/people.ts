import { fold } from '../../lib/text.ts';
import type { ContactCreate } from '../contacts/contact.schema.ts';

let state = 1;

/** The next random number from 0 to 1, exclusive (MINSTD). The sample data of a process is the same every time. */
export const roll = (): number => {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
};
const pick = <T>(list: readonly T[]): T => list[Math.floor(roll() * list.length)] as T;

/** A name, with a probability proportional to its weight, which is an integer. */
export const weighted = <T extends string>(weights: Readonly<Partial<Record<T, number>>>): T =>
  pick((Object.keys(weights) as T[]).flatMap((name) => Array<T>(weights[name] ?? 0).fill(name)));

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
  café: 40, office: 26, restaurant: 18, hotel: 9, wholesale: 30, 'repair plan': 22, newsletter: 34, decaf: 7, 'oat milk': 9,
  'trade fair': 14, trial: 12, vip: 6, overdue: 5, 'machine on loan': 8, 'prefers WhatsApp': 10, 'call after ten': 4,
}; // biome-ignore format: a table

const NOTES = [
  'Opens at six. Deliveries through the side door; the code is with the driver.',
  'Wants the same roast as last month unless the blend changes. Call before swapping anything.',
  'Moving to a second site in spring and asked for a quote for two grinders.',
];

export const createPerson = (): Omit<ContactCreate, 'phone_number'> => {
  const [first_name, last_name] = [pick(givenNames), pick(familyNames)];
  const mailbox = fold(`${first_name}.${last_name}`).replace(/[^a-z.]/g, '');
  const tags = Array.from({ length: Math.floor(5 * roll()) }, () => weighted(TAGS));
  return {
    first_name,
    last_name,
    display_name: roll() < 0.1 ? `${first_name} (at home)` : null,
    email: roll() < 0.76 ? `${mailbox}@mail.example` : null,
    company: roll() < 0.82 ? pick(COMPANIES) : null,
    notes: roll() < 0.32 ? pick(NOTES) : null,
    tags: [...new Set(tags)],
  };
};

/** Prefixes of the numbers that countries reserve for fiction; the digits 100 to 199 of all of them are free. */
const PREFIXES = [
  ...[206, 212, 303, 305, 312, 404, 415, 503, 512, 617].map((area) => `+1${area}5550`),
  ...['+442079460', '+441632960', '+447700900', '+493023125', '+496990009', '+494066969', '+498999998'],
];

/** Fictional phone numbers. The first 800 end below 150. */
export const createNumbers = (length: number): string[] =>
  Array.from({ length }, (_, at) => {
    const digits = 101 + Math.floor(at / PREFIXES.length);
    return `${PREFIXES[at % PREFIXES.length]}${digits}`;
  });

/** Numbers as they were displayed, with the normalized form. The first two disagree. */
const LEGACY = [
  ['(415) 555-0182', '+14155550183'],
  ['(212) 555-0187', '+19175550187'],
  ['(303) 555-0171', '+13035550171'],
];

/** A CSV file as from a trade fair: new people, two known contacts, a row without a number, and a duplicate row. */
export const fairFile = (added: readonly string[], known: readonly string[]): string => {
  const rows = [...LEGACY, ...[...added, ...known.slice(0, 2), ''].map((phone) => [phone])];
  const lines = rows.map(([phone, normalized]) => {
    const { first_name, last_name, company, email } = createPerson();
    return [first_name, last_name, company, phone, email, 'spring fair', normalized].join();
  });
  return ['First name,Last name,Company,Phone,E-mail,Tags,Normalized phone', ...lines, lines[0]].join('\n');
};
