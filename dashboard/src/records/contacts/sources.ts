import type { Contact } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';

export const sourceLabels: Record<Contact['source'], string> = {
  api: t('API'),
  import: t('Import'),
  manual: t('Added manually'),
  inbound: t('Inbound'),
  webhook: t('Webhook'),
};
