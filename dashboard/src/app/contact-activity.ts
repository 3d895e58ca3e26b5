import type { Contact } from '../api/types.gen.ts';

/** Whether there was a call or a message. The times of contact are never empty: they start at the moment of creation and
 *  move with calls. An inbound contact was created by one. */
export const hasActivity = ({
  source,
  created_at,
  first_contact_at,
  last_contact_at,
}: Pick<Contact, 'source' | 'created_at' | 'first_contact_at' | 'last_contact_at'>): boolean =>
  source === 'inbound' || first_contact_at !== created_at || last_contact_at !== created_at;
