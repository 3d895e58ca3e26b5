import type { Contact } from '../../api/types.gen.ts';

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
