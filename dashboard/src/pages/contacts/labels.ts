import type { Contact } from '../../api/types.gen.ts';

/** What a contact is called: the chosen name, the first and last one, or the number. */
export const nameOf = (
  contact: Pick<Contact, 'display_name' | 'first_name' | 'last_name' | 'phone_number'>,
): string =>
  contact.display_name ||
  [contact.first_name, contact.last_name].filter(Boolean).join(' ') ||
  contact.phone_number;

/** Whether there was a call or a message. The times of contact are never empty: they start at the moment of creation and
 *  move with calls. An inbound contact was created by one. */
export const hasActivity = ({
  source,
  created_at,
  first_contact_at,
  last_contact_at,
}: Pick<Contact, 'source' | 'created_at' | 'first_contact_at' | 'last_contact_at'>): boolean =>
  source === 'inbound' || first_contact_at !== created_at || last_contact_at !== created_at;

export const sourceLabels: Record<Contact['source'], string> = {
  api: 'API',
  import: 'Import',
  manual: 'Added manually',
  inbound: 'Inbound',
  webhook: 'Webhook',
};
