import type { ContactCreate } from '../contacts/contact.schema.ts';
import type { Dice } from './dice.ts';
import { createNumbers, emailOf, nationalFormat, type Person } from './people.ts';

const lineOf = (phone: string, { first_name, last_name, company, email }: Person, last: string): string =>
  [first_name, last_name, company, phone, email, last].join();

/** A CSV file whose last column has the given name. */
const fileOf = (name: string, column: string, rows: readonly string[]) => ({
  name,
  legacy: column === 'Normalized phone',
  text: [`First name,Last name,Company,Phone,E-mail,${column}`, ...rows, ''].join('\n'),
});

/** Numbers as they were displayed, with the normalized form. The first two disagree. */
const LEGACY = [
  ['+14155550132', '+14155550182'],
  ['+12125550147', '+19175550147'],
  ['+13035550171', '+13035550171'],
] as const;

/** The customers of the system before: most numbers are international, some are as someone typed them. */
export const customersFile = (dice: Dice, person: () => Person) => {
  const numbers = Array.from({ length: 122 }, createNumbers(dice, LEGACY.flat()));
  const rows = [
    ...LEGACY.map(([displayed, identity]) => lineOf(nationalFormat(displayed), person(), identity)),
    ...numbers.map((each) => lineOf(each, person(), '')),
  ];
  return { ...fileOf('customers.csv', 'Normalized phone', rows), taken: [...LEGACY.flat(), ...numbers] };
};

/** A file as from a trade fair: new people, two known contacts, a number that is too short, and a duplicate row. */
export const fairFile = (person: () => Person, number: () => string, known: readonly ContactCreate[]) => {
  const rows = Array.from({ length: 40 }, () => lineOf(nationalFormat(number()), person(), 'trade fair'));
  const updates = known
    .filter(({ email }) => email === null)
    .slice(0, 2)
    .map((each) => lineOf(each.phone_number, { ...each, email: emailOf(each) }, 'trade fair'));
  const [first = ''] = rows;
  return fileOf('trade-fair.csv', 'Tags', [...rows, lineOf('555-01', person(), ''), ...updates, first]);
};
