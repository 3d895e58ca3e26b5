import { fold } from '../../lib/text.ts';
import type { Dice } from './dice.ts';

/** Given and family names from many countries. Any resemblance to a living person is coincidental. */
const GIVEN =
  `Aisha Amara Anders Anika Arjun Asha Astrid Beatriz Bilal Björn Camille Carmen Chidi Chloé Dalia Daniel
  Diego Ebba Efua Elena Elif Emeka Erik Fatima Felix Fiona Freya Gabriel Giulia Grace Hana Harper Hiro Ines Ingrid
  Isaac Ivy Jamal Jasper Jia Joaquín José Jun Kaia Kofi Lars Leila Liam Lina Linh Lucía Luka Maeve Magda Malik Marisol
  Mateo Maya Mei Mina Nadia Naoki Nia Noor Olga Omar Owen Paloma Priya Quentin Rafael Ravi Renée Rosa Ruth Salma Samir
  Sanjay Saoirse Selin Siobhán Soren Stella Tariq Tessa Thandi Theo Uma Viktor Wei Yara Yusuf Zofia Zuri`
    .trim()
    .split(/\s+/);

const FAMILY =
  `Abara Achterberg Almeida Andersson Aydın Bakshi Bellweather Benali Bergström Bianchi Brannigan Castellano
  Chandra Chaudhry Chen Dahlgren Delacroix Devereux Diallo Dimitrov Ekström Eriksen Farouk Fenwick Ferreira Fitzroy
  Fontaine Gallagher Gärtner Ghosh Goldblum Greenhalgh Haddad Halloran Hartmann Hashimoto Holloway Ibarra Iyer Jansen
  Kaminski Kapoor Karlsson Kimani Kowalczyk Kurosawa Laurent Lindqvist Lombardi Mahmoud Marchetti Mbeki Mendoza Moreau
  Müller Nakamura Nwosu Oakes Obi Okonkwo Olsen Ortega Osei Papadakis Pellegrini Petrov Quispe Rahman Ramanathan
  Rasmussen Reyes Rojas Rosenthal Sandoval Sato Schreiber Sethi Sokolov Sørensen Tanaka Thorne Vasquez Villanueva
  Wanjiru Weiss Whitlock Yamamoto Yilmaz Zapata Zhang`
    .trim()
    .split(/\s+/);

/** Cafés, restaurants, hotels and offices that a roaster could supply. */
const COMPANIES = [
  'Anchor & Oak', 'Bakehouse Nine', 'Basil Court Hotel', 'Blue Door Bistro', 'Brightwater Books', 'Cardamom House',
  'Cedar Lane Bakery', 'Copper Kettle', 'Corner Table', 'Crane Street Studio', 'Dovecote Deli', 'Early Bird Café',
  'Fable & Fern', 'Fieldnote Architects', 'Foxglove Kitchen', 'Garden Gate Café', 'Gaslight Cinema', 'Harbour View Inn',
  'Hearth & Rye', 'Hollow Tree Toys', 'Juniper Works', 'Kiln Lane Pottery', 'Lantern Yard', 'Larkspur Clinic',
  'Little Atlas Travel', 'Longshore Logistics', 'Marigold Nursery', 'Milestone Cycles', 'Mill Pond Hotel',
  'Morning Ferry', 'Nightingale Theatre', 'Oatfield Foods', 'Old Post Office Café', 'Paperboat Press', 'Pepper & Plum',
  'Quiet Corner', 'Quayside Market', 'Red Bench Café', 'Riverbend School', 'Rosehip Tea Room', 'Saltmarsh Grill',
  'Second Cup Society', 'Signal Box Café', 'Silver Birch Dental', 'Slow Train', 'Station Yard', 'Sunday Parlour',
  'Thistle & Thread', 'Three Rooks', 'Tin Roof Diner', 'Two Rivers Law', 'Velvet Spoon', 'Waypoint Software',
  'Whistling Kettle', 'Window Seat', 'Yellow Bicycle',
]; // biome-ignore format: a table

/** Tags and how common they are. */
const TAGS: Record<string, number> = {
  café: 40,
  office: 26,
  restaurant: 18,
  hotel: 9,
  wholesale: 30,
  'repair plan': 22,
  newsletter: 34,
  decaf: 7,
  'oat milk': 9,
  'trade fair': 14,
  trial: 12,
  vip: 6,
  overdue: 5,
  'machine on loan': 8,
  'prefers WhatsApp': 10,
  'do not call before 10': 4,
};

const NOTES = [
  'Opens at six. Deliveries through the side door; the code is with the driver.',
  'Wants the same roast as last month unless the blend changes. Call before swapping anything.',
  'Moving to a second site in spring and asked for a quote for two grinders.',
  'Paid late twice, always within the week. Be kind about it.',
  'Asked whether the decaf is water processed. Sent the sheet.',
  'Very happy with the barista course. Might want it again for new staff.',
  'Machine on loan until the new one arrives. Serial number is in the service log.',
  'Prefers messages to calls. Answers within minutes.',
  'Cups two samples every quarter; sends scores by email.',
  'Works nights. Do not call before ten.',
  'Changed the billing address in March. Old invoices went to the wrong desk.',
  'Complained about a leaking group head. Seal replaced, no charge.',
  'Buys for a co-operative of four cafés. The order comes from the person on shift.',
  'Tried the new season espresso and found it too bright. Offer the house blend first.',
  'Has the annual service in the plan. Next visit to be agreed.',
  'Came to the stand at the trade fair, asked about compostable bags.',
  'Uses the small van entrance. The lift is out of order until further notice.',
  'Wants invoices on the first of the month, in one file.',
];

export interface Person {
  first_name: string;
  last_name: string;
  display_name: string | null;
  email: string | null;
  company: string | null;
  notes: string | null;
  tags: string[];
}

const host = (company: string) =>
  `${fold(company)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')}.example`;

export const emailOf = (first: string, last: string, company: string | null): string =>
  `${fold(first)}.${fold(last).replace(/[^a-z]/g, '')}@${company === null ? 'example.com' : host(company)}`;

/** Returns a generator of people with unique names. */
export const createPeople = (dice: Dice): (() => Person) => {
  const known = new Set<string>();
  const names = (): [string, string] => {
    for (;;) {
      const [first, last] = [dice.pick(GIVEN), dice.pick(FAMILY)];
      if (known.has(`${first} ${last}`)) continue;
      known.add(`${first} ${last}`);
      return [first, last];
    }
  };
  return () => {
    const [first_name, last_name] = names();
    const company = dice.chance(0.82) ? dice.pick(COMPANIES) : null;
    const tags = new Set(Array.from({ length: dice.between(0, 4) }, () => dice.weighted(TAGS)));
    return {
      first_name,
      last_name,
      display_name: dice.chance(0.1) ? `${first_name} (${company ?? 'at home'})` : null,
      email: dice.chance(0.76) ? emailOf(first_name, last_name, company) : null,
      company,
      notes: dice.chance(0.32) ? dice.pick(NOTES) : null,
      tags: [...tags],
    };
  };
};
