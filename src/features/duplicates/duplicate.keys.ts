import { hash } from 'node:crypto';
import { fold } from '../../lib/text.ts';
import { nameOf } from '../contacts/contact.schema.ts';
import type { ComparedContact } from '../contacts/contact.store.ts';
import { phonesOf, secondaryOf } from '../contacts/identity.column.ts';
import { variantsOf } from '../contacts/phone.variants.ts';

/* What contacts have in common with others who are likely the same person. Two contacts with the same key are such. */

/** Why contacts are likely the same person, and how the keys of the reason begin. */
const REASONS = {
  variant_numbers: { prefix: 'v', strength: 'strong' },
  same_email: { prefix: 'e', strength: 'strong' },
  same_external_id: { prefix: 'x', strength: 'strong' },
  attested_identity: { prefix: 'a', strength: 'strong' },
  same_name_and_company: { prefix: 'n', strength: 'weak' },
} as const;
export type DuplicateReason = keyof typeof REASONS;
export const duplicateReasons = Object.keys(REASONS) as DuplicateReason[];
export const strengths = ['strong', 'weak'] as const;
export type Strength = (typeof strengths)[number];

export const strengthOf = (reason: DuplicateReason): Strength => REASONS[reason].strength;

const PREFIX = 1;
export const reasonOf = (key: string): DuplicateReason =>
  duplicateReasons.find((reason) => REASONS[reason].prefix === key.slice(0, PREFIX)) as DuplicateReason;

/** 128 bits of a hash: two contacts with the same key have the same value. */
const LENGTH = 22;

const keyOf = (reason: DuplicateReason, ...values: string[]): string =>
  REASONS[reason].prefix + hash('sha256', JSON.stringify(values), 'base64url').slice(0, LENGTH);

/** Without case, accents and needless spaces. */
const plain = (text: string | null): string => (text === null ? '' : fold(text).trim().replace(/\s+/g, ' '));

/** The key of contacts of which reports attested one identity. */
export const attestedKey = (identity: string): string => keyOf('attested_identity', identity);

const numberKeys = (number: string): string[] => {
  const variants = variantsOf(number);
  // Numbers without variants have no key: they are unique.
  return variants.length === 0 ? [] : [keyOf('variant_numbers', [number, ...variants].sort()[0] as string)];
};

/** The keys of a contact, by what is stored in its row. */
export const keysOf = (contact: ComparedContact): string[] => {
  const { email, company, crm_ids } = contact;
  const addresses = secondaryOf(contact).flatMap(({ kind, value }) =>
    kind === 'email_address' ? value : [],
  );
  const emails = email ? [email, ...addresses] : addresses;
  const [name, firm] = [plain(nameOf(contact)), plain(company)];
  const crms = Object.entries(JSON.parse(crm_ids) as Record<string, string>);
  return [
    ...new Set([
      ...phonesOf(contact).flatMap(numberKeys),
      ...emails.map((each) => keyOf('same_email', each.toLowerCase())),
      ...(name && firm ? [keyOf('same_name_and_company', name, firm)] : []),
      ...crms.map((each) => keyOf('same_external_id', ...each)),
    ]),
  ];
};

/** The fields of contacts by which they are compared. */
export const COMPARED_FIELDS: ReadonlySet<string> = new Set([
  'phone_number',
  'email',
  'first_name',
  'last_name',
  'display_name',
  'company',
  'crm_ids',
  'identities',
]);
