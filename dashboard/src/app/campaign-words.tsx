import type { Campaign, Enrollment } from '../api/types.gen.ts';
import { Badge, type Tone } from '../ui/badge.tsx';

export const campaignNames: Record<Campaign['status'], string> = {
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
    {campaignNames[status]}
  </Badge>
);

export const enrollmentNames: Record<Enrollment['status'], string> = {
  pending: 'Pending',
  in_progress: 'In progress',
  completed: 'Completed',
  failed: 'Failed',
};

export const enrollmentOptions = Object.entries(enrollmentNames).map(([value, label]) => ({ value, label }));
