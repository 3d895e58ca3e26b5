import { hash } from 'node:crypto';
import { fold } from '../../lib/text.ts';
import { nameOf } from '../contacts/contact.schema.ts';
import type { ComparedContact } from '../contacts/contact.store.ts';
import { variantsOf } from '../contacts/phone.variants.ts';

/* What contacts have in common with others who are likely the same person. Two contacts with the same key are such. */

/** Why contacts are likely the same person, and how the keys of the reason begin. */
const REASONS = {
  variant_numbers: { prefix: 'v', strength: 'strong' },
  same_email: { prefix: 'e', strength: 'strong' },
  same_external_id: { prefix: 'x', strength: 'strong' },
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

/** The keys of a contact. Numbers without variants have none: they are unique. */
export const keysOf = ({
  phone_identity: number,
  email,
  company,
  crm_ids,
  ...names
}: ComparedContact): string[] => {
  const keys: string[] = [];
  const variants = number === null ? [] : variantsOf(number);
  if (number !== null && variants.length > 0)
    keys.push(keyOf('variant_numbers', [number, ...variants].sort()[0] as string));
  if (email) keys.push(keyOf('same_email', email.toLowerCase()));
  const [name, firm] = [plain(nameOf(names)), plain(company)];
  if (name && firm) keys.push(keyOf('same_name_and_company', name, firm));
  for (const each of Object.entries(JSON.parse(crm_ids) as Record<string, string>))
    keys.push(keyOf('same_external_id', ...each));
  return keys;
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
]);
