import type { Contact } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';

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
  api: t('API'),
  import: t('Import'),
  manual: t('Added manually'),
  inbound: t('Inbound'),
  webhook: t('Webhook'),
};
