import { useQuery } from '@tanstack/react-query';
import { CalendarClock } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { loadChunk } from '../../../api/load-chunk.ts';
import { apiQuery } from '../../../api/query.ts';
import type { Campaign, CampaignSchedule } from '../../../api/types.gen.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { windowText } from '../../../records/campaigns/call-window.ts';
import { zonedText } from '../../../records/campaigns/labels.tsx';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { EditSchedule } from './lazy-dialogs.tsx';

export const scheduleQuery = (id: string) => apiQuery('/campaigns/{id}/schedule', { params: { id } });

const notStarted: Partial<Record<NonNullable<CampaignSchedule['start_status']>, string>> = {
  no_deployed_version: t(
    'The campaign did not start as scheduled, because its agent had no deployed version. Deploy one, then start it or set a new time.',
  ),
  agent_deleted: t(
    'The campaign did not start as scheduled, because its agent was deleted. Choose another one, then start it or set a new time.',
  ),
  end_passed: t(
    'The campaign did not start as scheduled, because Roster was not running until after its end. Set new times.',
  ),
};

const Fact = ({
  label,
  isWide = false,
  children,
}: {
  readonly label: string;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}) => (
  <div className={isWide ? 'min-w-0 min-[28rem]:col-span-2' : 'min-w-0'}>
    <dt className="text-[0.8125rem] text-muted">{label}</dt>
    <dd className="figure wrap-anywhere">{children}</dd>
  </div>
);

const startNote: Partial<Record<NonNullable<CampaignSchedule['start_status']>, string>> = {
  started: t('started'),
  changed_manually: t('status changed manually before'),
  no_deployed_version: t('not started'),
  agent_deleted: t('not started'),
  end_passed: t('not started'),
};

const RetryRules = lazy(() => loadChunk(() => import('./retry-rules-list.tsx')));

const Facts = ({ schedule }: { readonly schedule: CampaignSchedule }) => {
  const {
    starts_at,
    start_status,
    ends_at,
    call_window,
    max_attempts,
    min_retry_minutes,
    retry_rules,
    time_zone,
  } = schedule;
  const note = start_status && startNote[start_status];
  return (
    <dl className="grid flex-1 basis-full gap-x-6 gap-y-3 text-sm min-[28rem]:grid-cols-2 sm:basis-0 lg:grid-cols-4">
      {starts_at && (
        <Fact label={t('Start time')}>
          {zonedText(starts_at, time_zone)}
          {note && <span className="text-muted"> ({note})</span>}
        </Fact>
      )}
      {ends_at && <Fact label={t('End time')}>{zonedText(ends_at, time_zone)}</Fact>}
      {call_window && (
        <Fact label={t('Call window')}>
          {windowText(call_window)} <span className="text-muted">{t('local time')}</span>
        </Fact>
      )}
      {(max_attempts || min_retry_minutes) && (
        <Fact label={t('Attempts')}>
          {[
            max_attempts && plural(max_attempts, 'at most #', 'at most #'),
            min_retry_minutes && plural(min_retry_minutes, '# minute apart', '# minutes apart'),
          ]
            .filter(Boolean)
            .join(', ')}
        </Fact>
      )}
      {retry_rules && retry_rules.length > 0 && (
        <Fact label={t('By disposition')} isWide>
          <Suspense>
            <RetryRules rules={retry_rules} />
          </Suspense>
        </Fact>
      )}
    </dl>
  );
};

/** The schedule of a campaign, with the dialog to edit it. */
export const Schedule = ({
  campaign,
  isEditing,
  onEdit,
  onClose,
}: {
  readonly campaign: Campaign;
  readonly isEditing: boolean;
  readonly onEdit: () => void;
  readonly onClose: () => void;
}) => {
  const query = useQuery(scheduleQuery(campaign.id));
  const schedule = query.data?.data;
  if (!query.data || !schedule) return null;
  const { starts_at, ends_at, call_window, max_attempts, min_retry_minutes, start_status, time_zone } =
    schedule;
  const isEmpty =
    !starts_at &&
    !ends_at &&
    !call_window &&
    !max_attempts &&
    !min_retry_minutes &&
    !schedule.retry_rules?.length;
  const isOpen = campaign.status !== 'finished';
  const reason = campaign.status !== 'active' && start_status ? notStarted[start_status] : undefined;
  if (isEmpty && !isOpen) return null;
  return (
    <>
      {reason && isOpen && (
        <div className="mb-4">
          <Notice tone="warn">{reason}</Notice>
        </div>
      )}
      <section
        aria-label={t('Schedule')}
        className="card mb-4 flex flex-wrap items-center gap-x-6 gap-y-3 px-4 py-3 sm:px-5"
      >
        {isEmpty ? (
          <p className="flex-1 text-sm text-muted">
            {t('No schedule: start and finish manually, contacts are called at any time.')}
          </p>
        ) : (
          <Facts schedule={schedule} />
        )}
        {isOpen && (
          <Button size="small" onClick={onEdit}>
            <CalendarClock aria-hidden />
            {isEmpty ? t('Set schedule') : t('Edit schedule')}
          </Button>
        )}
        {(starts_at || ends_at) && (
          <p className="w-full text-[0.8125rem] text-muted">
            {t('Start and end are in the time zone {zone}.', { zone: time_zone })}
          </p>
        )}
      </section>
      {isEditing && isOpen && <EditSchedule loaded={query.data} onClose={onClose} />}
    </>
  );
};
