import type { Contact } from '../api/types.gen.ts';

/** What a contact is called: the chosen name, the first and last one, or the number. */
export const nameOf = (
  contact: Pick<Contact, 'display_name' | 'first_name' | 'last_name' | 'phone_number'>,
): string =>
  contact.display_name ||
  [contact.first_name, contact.last_name].filter(Boolean).join(' ') ||
  contact.phone_number;
