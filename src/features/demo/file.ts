import type { SampleContact } from './contacts.ts';
import { nationalFormat } from './numbers.ts';
import { emailOf, type Person } from './people.ts';

const HEADER = 'First name,Last name,Company,Phone,E-mail,Tags';

const ROWS = 40;

interface Makers {
  readonly number: () => string;
  readonly person: () => Person;
  readonly contacts: readonly SampleContact[];
}

const lineOf = (
  phone: string,
  person: Pick<SampleContact, 'first_name' | 'last_name' | 'company' | 'email'>,
  tags: string,
) =>
  [person.first_name, person.last_name, person.company, phone, person.email, tags]
    .map((cell) => cell ?? '')
    .join();

/** A file as from a trade fair: new people, some known contacts, a number that is too short, and a duplicate row. */
export const sampleFile = ({ number, person, contacts }: Makers): string => {
  const lines = Array.from({ length: ROWS }, () => {
    const phone = number();
    return lineOf(phone.startsWith('+1') ? nationalFormat(phone) : phone, person(), 'trade fair');
  });
  const withoutEmail = contacts.filter(
    (contact) => contact.last_name !== null && contact.email === null && contact.phone_conflict === 0,
  );
  const filled = withoutEmail.slice(0, 2).map((contact) => {
    const email = emailOf(contact.first_name ?? '', contact.last_name ?? '', contact.company);
    return lineOf(contact.phone_identity, { ...contact, email }, 'trade fair');
  });
  const short = lineOf('555-01', person(), 'trade fair');
  return [HEADER, ...lines.slice(0, 25), short, ...filled, ...lines.slice(25), lines[3], ''].join('\n');
};
