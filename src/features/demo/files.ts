import type { ContactCreate } from '../contacts/contact.schema.ts';
import type { Dice } from './dice.ts';
import { createNumbers, emailOf, nationalFormat, type Person } from './people.ts';

type Row = Partial<Pick<ContactCreate, 'first_name' | 'last_name' | 'company' | 'email'>>;

const lineOf = (phone: string, person: Row, more: string): string =>
  [person.first_name, person.last_name, person.company, phone, person.email, more]
    .map((cell) => cell ?? '')
    .join();

/** Numbers as they were displayed, with the normalized form. The first two disagree. */
const LEGACY = [
  ['+14155550132', '+14155550182'],
  ['+12125550147', '+19175550147'],
  ['+13035550171', '+13035550171'],
] as const;

const CUSTOMERS = 122;

/** The customers of the system before: most numbers are international, some are as someone typed them. */
export const customersFile = (dice: Dice, person: () => Person) => {
  const number = createNumbers(dice, LEGACY.flat());
  const numbers = Array.from({ length: CUSTOMERS }, number);
  const rows = [
    ...LEGACY.map(([displayed, identity]) => lineOf(nationalFormat(displayed), person(), identity)),
    ...numbers.map((each) => lineOf(each, person(), '')),
  ];
  const text = ['First name,Last name,Company,Phone,E-mail,Normalized phone', ...rows, ''].join('\n');
  return { name: 'customers.csv', legacy: true, text, taken: [...LEGACY.flat(), ...numbers] };
};

const FAIR = 40;

interface FairContents {
  person: () => Person;
  number: () => string;
  known: readonly ContactCreate[];
}

/** A file as from a trade fair: new people, two known contacts, a number that is too short, and a duplicate row. */
export const fairFile = ({ person, number, known }: FairContents) => {
  const tag = 'trade fair';
  const rows = Array.from({ length: FAIR }, () => lineOf(nationalFormat(number()), person(), tag));
  const filled = known.filter(({ email }) => email === null).slice(0, 2);
  const lines = [
    ...rows,
    lineOf('555-01', person(), tag),
    ...filled.map(({ phone_number, ...contact }) => {
      const email = emailOf(contact.first_name ?? '', contact.last_name ?? '', contact.company ?? null);
      return lineOf(phone_number, { ...contact, email }, tag);
    }),
    rows[3],
  ];
  const text = ['First name,Last name,Company,Phone,E-mail,Tags', ...lines, ''].join('\n');
  return { name: 'trade-fair.csv', legacy: false, text };
};
