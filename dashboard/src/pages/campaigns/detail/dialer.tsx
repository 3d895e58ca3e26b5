import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { loadChunk } from '../../../api/load-chunk.ts';
import type { Campaign, CampaignProgress, CampaignSchedule } from '../../../api/types.gen.ts';
import { relativeTime } from '../../../lib/format.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { zonedText } from '../../../records/campaigns/labels.tsx';
import { Button } from '../../../ui/button.tsx';
import { rich } from '../../../ui/rich.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { progressQuery } from './progress-query.ts';

const ConnectDialer = lazy(() => loadChunk(() => import('./connect-dialer.tsx')));

const claimText = ({ last_claim: claim }: CampaignProgress): ReactNode => {
  if (!claim) return t('No dialer has claimed a contact yet.');
  const time = <Time at={claim.at} withSeconds />;
  return claim.key_name === null
    ? rich('Last claim {time}.', { time })
    : rich('Last claim {time} by key {key}.', {
        time,
        key: <bdi className="font-medium">{claim.key_name}</bdi>,
      });
};

const windowText = (opensAt: string, { time_zone }: CampaignProgress, { enrolled }: Campaign): string => {
  const time = `${zonedText(opensAt, time_zone)} (${relativeTime(opensAt)})`;
  const waiting = enrolled.pending ?? 0;
  return [
    t('The call window is closed. It first opens {time}.', { time }),
    waiting > 0 && plural(waiting, '# contact is pending.', '# contacts are pending.'),
  ]
    .filter(Boolean)
    .join(' ');
};

/** Says in words whether a dialer is at work, and how to connect one: an active campaign without a dialer waits. */
const Dialer = ({
  campaign,
  schedule,
  isShown,
  onShow,
}: {
  readonly campaign: Campaign;
  readonly schedule: CampaignSchedule | undefined;
  readonly isShown: boolean;
  readonly onShow: (isShown: boolean) => void;
}) => {
  const { id, status } = campaign;
  const query = useQuery(progressQuery(id));
  const progress = query.data?.data;
  if (query.isError && !progress)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!progress) return <Skeleton className="mb-4 h-14 rounded-xl" />;
  const { last_claim, window_opens_at } = progress;
  const isOpen = status !== 'finished';
  if (!isOpen && !last_claim) return null;
  const isAwaited = !last_claim && (status === 'active' || schedule?.start_status === 'scheduled');
  const Chevron = isShown ? ChevronUp : ChevronDown;
  return (
    <section aria-label={t('Dialer')} className="card mb-4 px-4 py-3 text-sm sm:px-5">
      <h2 className="sr-only">{t('Dialer')}</h2>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <p className="min-w-0 flex-1 basis-64 wrap-anywhere">
          {claimText(progress)}
          {status === 'active' && window_opens_at && (
            <span className="block text-muted">{windowText(window_opens_at, progress, campaign)}</span>
          )}
        </p>
        {isOpen && !isAwaited && (
          <Button size="small" aria-expanded={isShown} onClick={() => onShow(!isShown)}>
            <Chevron aria-hidden />
            {t('Connect a dialer')}
          </Button>
        )}
      </div>
      {isOpen && (isShown || isAwaited) && (
        <Suspense fallback={<Skeleton className="mt-4 h-160 w-full" />}>
          <ConnectDialer campaign={id} />
        </Suspense>
      )}
    </section>
  );
};

export default Dialer;
