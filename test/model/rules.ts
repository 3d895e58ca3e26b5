/** The API's rules for single values, implemented a second time and as simply as possible. Nothing is imported from
 *  the service, so that an error in one of them shows as a difference. */

type Fields = Record<string, unknown>;

const isText = (value: unknown, max: number, min = 0) =>
  typeof value === 'string' &&
  [...value].length >= min &&
  [...value].length <= max &&
  !value.includes('\0') &&
  value.isWellFormed();

const isTextOrNull = (value: unknown, max: number) => value === null || isText(value, max);

const isEmail = (value: unknown) =>
  isText(value, 254) && /^[^\s@]+@([^\s@.]+\.)+[^\s@.]{2,}$/.test(value as string);

/** Covers only the numbers of these tests, whose only assigned country code is 1. */
export const isInternational = (value: string): boolean => /^\+1\d{6,14}$/.test(value);

const tagProblems = (value: unknown): string[] => {
  if (!Array.isArray(value)) return ['tags'];
  const problems = value.flatMap((tag, at) => (isText(tag, 64, 1) ? [] : [`tags[${at}]`]));
  return new Set(value).size > 50 ? [...problems, 'tags'] : problems;
};

const profileProblems = (field: string, value: unknown): string[] | undefined => {
  const isValid = {
    first_name: () => isTextOrNull(value, 100),
    last_name: () => isTextOrNull(value, 100),
    display_name: () => isTextOrNull(value, 200),
    company: () => isTextOrNull(value, 200),
    notes: () => isTextOrNull(value, 2000),
    email: () => value === null || isEmail(value),
  }[field];
  if (isValid) return isValid() ? [] : [field];
  return field === 'tags' ? tagProblems(value) : undefined;
};

const OWNED_BY_CONTACTS = /^(id|source|first_contact_at|last_contact_at|created_at|updated_at|crm_ids)$/;
const OWNED_BY_AGENTS = /^(id|created_at|updated_at|deployed_version|versions)$/;

/** The invalid fields of a new contact. */
export const createProblems = (body: Fields): string[] => [
  ...('phone_number' in body ? [] : ['phone_number']),
  ...Object.entries(body).flatMap(([field, value]) => {
    if (field === 'phone_number')
      return typeof value === 'string' && isInternational(value) ? [] : ['phone_number'];
    return profileProblems(field, value) ?? (OWNED_BY_CONTACTS.test(field) ? [] : [field]);
  }),
];

/** The fields of an update that are invalid for any contact. Whether a phone number is valid depends on the contact. */
export const updateProblems = (body: Fields): string[] =>
  Object.entries(body).flatMap(([field, value]) => {
    if (field === 'phone_number') return typeof value === 'string' ? [] : ['phone_number'];
    if (field === 'confirm_phone_change') return typeof value === 'boolean' ? [] : [field];
    return profileProblems(field, value) ?? (OWNED_BY_CONTACTS.test(field) ? [] : [field]);
  });

export const agentProblems = (body: Fields, required: readonly string[]): string[] => [
  ...required.filter((field) => !(field in body)),
  ...Object.entries(body).flatMap(([field, value]) => {
    if (field === 'name') return isText(value, 100, 1) ? [] : ['name'];
    if (field === 'description') return isTextOrNull(value, 500) ? [] : ['description'];
    if (field === 'instructions') return isText(value, 50_000) ? [] : ['instructions'];
    return OWNED_BY_AGENTS.test(field) ? [] : [field];
  }),
];

/** The invalid fields of a list's query. */
export const windowProblems = ({ limit, offset }: Record<string, string>): string[] => [
  ...(limit === undefined || (/^\d{1,3}$/.test(limit) && +limit >= 1 && +limit <= 100) ? [] : ['limit']),
  ...(offset === undefined || /^\d{1,15}$/.test(offset) ? [] : ['offset']),
];

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const digitsOf = (text: string) => text.replace(/\D/g, '');

export interface Findable {
  phone_number: string;
  first_name: string | null;
  last_name: string | null;
  display_name: string | null;
  email: string | null;
}

/** Whether a search finds a contact. */
export const isFoundBy = (contact: Findable, search: string): boolean => {
  const { phone_number, first_name, last_name, display_name, email } = contact;
  const both = first_name === null || last_name === null ? null : `${first_name} ${last_name}`;
  const texts = [phone_number, first_name, last_name, both, display_name, email];
  if (texts.some((text) => text !== null && plain(text).includes(plain(search)))) return true;
  const digits = /^[\d\s+().-]+$/.test(search) ? digitsOf(search) : '';
  return digits !== '' && digitsOf(phone_number).includes(digits);
};

/** The UUID that a contact's id encodes. */
export const uuidOf = (token: string): string => {
  let bits = 0n;
  for (const digit of token.replace('contact_', '')) {
    bits = bits * 32n + BigInt('0123456789abcdefghjkmnpqrstvwxyz'.indexOf(digit));
  }
  return bits
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};
