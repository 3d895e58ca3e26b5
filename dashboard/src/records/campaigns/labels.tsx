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
  blocked: t('Blocked'),
  skipped: t('Skipped'),
};

export const enrollmentTones: Record<Enrollment['status'], Tone> = {
  pending: 'plain',
  in_progress: 'info',
  completed: 'good',
  failed: 'danger',
  blocked: 'warn',
  skipped: 'plain',
};

/** Within a sentence. */
export const enrollmentStatusWords: Record<Enrollment['status'], string> = {
  pending: t('pending'),
  in_progress: t('in progress'),
  completed: t('completed'),
  failed: t('failed'),
  blocked: t('blocked'),
  skipped: t('skipped'),
};

/** Whether a person can set a status. The others are results of the service. */
export const isSettable = (status: Enrollment['status']): status is SettableStatus =>
  status !== 'blocked' && status !== 'skipped';
export type SettableStatus = Exclude<Enrollment['status'], 'blocked' | 'skipped'>;

/** The statuses that a person can set, and the current one. */
export const enrollmentOptions = (current: Enrollment['status']) =>
  Object.entries(enrollmentStatusLabels)
    .filter(([value]) => value === current || isSettable(value as Enrollment['status']))
    .map(([value, label]) => ({ value, label }));

/** Why an enrollment is blocked or skipped. */
export const reasonText = ({ code, holes }: NonNullable<Enrollment['reason']>): string =>
  code === 'missing_values'
    ? t('Missing: {names}', { names: holes.join(', ') })
    : t('No longer in the audience');

/** How many enrolled contacts are completed, failed or skipped. */
export const enrolledDone = ({ completed = 0, failed = 0, skipped = 0 }: Campaign['enrolled']): number =>
  completed + failed + skipped;

export const enrolledTotal = (enrolled: Campaign['enrolled']): number =>
  Object.values(enrolled).reduce((sum, count) => sum + count, 0);
