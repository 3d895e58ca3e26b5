import type { Campaign, Enrollment } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';

export const campaignStatusLabels: Record<Campaign['status'], string> = {
  draft: t('Draft'),
  active: t('Active'),
  paused: t('Paused'),
  finished: t('Finished'),
};
/** Within a sentence. */
export const campaignStatusWords: Record<Campaign['status'], string> = {
  draft: t('draft'),
  active: t('active'),
  paused: t('paused'),
  finished: t('finished'),
};

const tones: Record<Campaign['status'], Tone> = {
  draft: 'plain',
  active: 'good',
  paused: 'warn',
  finished: 'plain',
};

export const CampaignStatus = ({ status }: { readonly status: Campaign['status'] }) => (
  <Badge tone={tones[status]} dot={status === 'active'}>
    {campaignStatusLabels[status]}
  </Badge>
);

export const enrollmentStatusLabels: Record<Enrollment['status'], string> = {
  pending: t('Pending'),
  in_progress: t('In progress'),
  completed: t('Completed'),
  failed: t('Failed'),
};

/** Within a sentence. */
export const enrollmentStatusWords: Record<Enrollment['status'], string> = {
  pending: t('pending'),
  in_progress: t('in progress'),
  completed: t('completed'),
  failed: t('failed'),
};

export const enrollmentOptions = Object.entries(enrollmentStatusLabels).map(([value, label]) => ({
  value,
  label,
}));

export const enrolledTotal = (enrolled: Campaign['enrolled']): number =>
  Object.values(enrolled).reduce((sum, count) => sum + count, 0);
