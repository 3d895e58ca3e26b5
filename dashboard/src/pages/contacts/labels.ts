import type { Contact } from '../../api/types.gen.ts';

/** The display name, the first and last name, or the phone number. */
export const nameOf = (
  contact: Pick<Contact, 'display_name' | 'first_name' | 'last_name' | 'phone_number'>,
): string =>
  contact.display_name ||
  [contact.first_name, contact.last_name].filter(Boolean).join(' ') ||
  contact.phone_number;

/** Whether the contact has had a call or message. The contact times start as the creation time and change with
 *  calls; an inbound contact was created by a call. */
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
