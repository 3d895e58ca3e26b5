import type { Campaign, CampaignSchedule, Enrollment } from '../../api/types.gen.ts';
import { locale, t } from '../../lib/i18n.ts';
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

/** A time in a time zone, which is that of the workspace. */
export const zonedText = (at: string, timeZone: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at));

/** The status of a campaign, and when it starts if that is scheduled. A scheduled draft is shown as scheduled. */
export const CampaignStatus = ({
  status,
  schedule,
}: {
  readonly status: Campaign['status'];
  readonly schedule?: CampaignSchedule | undefined;
}) => {
  const start =
    (status === 'draft' || status === 'paused') && schedule?.start_status === 'scheduled'
      ? schedule.starts_at
      : null;
  if (!schedule || !start)
    return (
      <Badge tone={tones[status]} dot={status === 'active'}>
        {campaignStatusLabels[status]}
      </Badge>
    );
  return (
    <Badge tone={status === 'draft' ? 'info' : tones[status]}>
      {t('{status} · starts {time}', {
        status: status === 'draft' ? t('Scheduled') : campaignStatusLabels[status],
        time: zonedText(start, schedule.time_zone),
      })}
    </Badge>
  );
};

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

/** How many enrolled contacts are completed or failed. */
export const enrolledDone = ({ completed = 0, failed = 0 }: Campaign['enrolled']): number =>
  completed + failed;

export const enrolledTotal = (enrolled: Campaign['enrolled']): number =>
  Object.values(enrolled).reduce((sum, count) => sum + count, 0);
