import type { Duplicate } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';
import type { Tone } from '../../ui/badge.tsx';

export const reasonLabels: Record<Duplicate['reason'], string> = {
  variant_numbers: t('One number in two forms'),
  same_email: t('Same email'),
  same_external_id: t('Same CRM ID'),
  attested_identity: t('Seen with the same identity'),
  same_name_and_company: t('Same name and company'),
};

export const strengthLabels: Record<Duplicate['strength'], { readonly label: string; readonly tone: Tone }> =
  {
    strong: { label: t('Very likely'), tone: 'good' },
    weak: { label: t('Possible'), tone: 'plain' },
  };
