import type { Campaign, Enrollment } from '../../api/types.gen.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';

export const campaignStatusLabels: Record<Campaign['status'], string> = {
  draft: 'Draft',
  active: 'Active',
  paused: 'Paused',
  finished: 'Finished',
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
  pending: 'Pending',
  in_progress: 'In progress',
  completed: 'Completed',
  failed: 'Failed',
};

export const enrollmentOptions = Object.entries(enrollmentStatusLabels).map(([value, label]) => ({
  value,
  label,
}));

export const enrolledTotal = (enrolled: Campaign['enrolled']): number =>
  Object.values(enrolled).reduce((sum, count) => sum + count, 0);
