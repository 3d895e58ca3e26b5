import type { ContactCreate } from '../contacts/contact.schema.ts';
import { emailOf, nationalFormat, type Person } from './people.ts';

const lineOf = (phone: string, { first_name, last_name, company, email }: Person, normalized = ''): string =>
  [first_name, last_name, company, phone, email, 'trade fair', normalized].join();

/** Numbers as they were displayed, with the normalized form. The first two disagree. */
export const LEGACY = [
  ['+14155550132', '+14155550182'],
  ['+12125550147', '+19175550147'],
  ['+13035550171', '+13035550171'],
] as const;

/** A CSV file as from a trade fair: new people, two known contacts, a row without a number, and a duplicate row. Most numbers are
 *  international, some are as someone typed them. */
export const fairFile = (person: () => Person, number: () => string, known: readonly ContactCreate[]) => {
  const rows = [
    ...LEGACY.map(([displayed, identity]) => lineOf(nationalFormat(displayed), person(), identity)),
    ...Array.from({ length: 37 }, () => lineOf(number(), person())),
  ];
  const updates = known
    .filter(({ email }) => email === null)
    .slice(0, 2)
    .map((each) => lineOf(each.phone_number, { ...each, email: emailOf(each) }));
  const [first = ''] = rows;
  const lines = [...rows, lineOf('', person()), ...updates, first];
  return ['First name,Last name,Company,Phone,E-mail,Tags,Normalized phone', ...lines, ''].join('\n');
};
