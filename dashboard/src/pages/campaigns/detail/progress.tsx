import { useQuery } from '@tanstack/react-query';
import type { Campaign } from '../../../api/types.gen.ts';
import { ChartCard } from '../../../app/charts/chart-card.tsx';
import { type Series, sumOf } from '../../../app/charts/series.ts';
import { t } from '../../../lib/i18n.ts';
import { enrolledTotal } from '../../../records/campaigns/labels.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Breakdown } from './breakdown.tsx';
import { forecastText } from './forecast.ts';
import { Outcomes } from './outcomes.tsx';
import { PROGRESS_DAYS, progressQuery } from './progress-query.ts';

/** In stacking order, from the bottom. */
const results: readonly Series[] = [
  { id: 'completed', label: t('Completed'), color: 'var(--chart-1)' },
  { id: 'failed', label: t('Failed'), color: 'var(--danger)' },
];
const attempts: readonly Series[] = [{ id: 'claimed', label: t('Attempts'), color: 'var(--chart-2)' }];
const enrolled: readonly Series[] = [{ id: 'enrolled', label: t('Enrolled'), color: 'var(--chart-3)' }];

const charts = [
  { title: t('Results per day'), legend: t('Results per day'), series: results },
  { title: t('Attempts per day'), series: attempts },
  { title: t('Enrolled per day'), series: enrolled },
];

/** Where the contacts of a campaign are, and what happened on each of the last days. Before anything has, there is nothing to see. */
const Progress = ({ campaign }: { readonly campaign: Campaign }) => {
  const query = useQuery(progressQuery(campaign.id));
  if (query.isError && !query.data)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton className="mb-4 h-80 rounded-xl" />;
  const { days, time_zone, outcomes } = query.data.data;
  const points = days.map(({ day, ...values }) => ({ key: day, values }));
  const isIdle = charts.every(({ series }) => series.every((each) => sumOf(points, each) === 0));
  const hasContacts = enrolledTotal(campaign.enrolled) > 0;
  if (isIdle && !hasContacts) return null;
  return (
    <section aria-label={t('Progress')} className="grid gap-x-4 xl:grid-cols-3 [&>*]:min-w-0">
      {hasContacts && <Breakdown enrolled={campaign.enrolled} description={forecastText(days, campaign)} />}
      {hasContacts && <Outcomes outcomes={outcomes} enrolled={campaign.enrolled} />}
      {!isIdle &&
        charts.map((chart) => (
          <ChartCard
            {...chart}
            key={chart.title}
            description={t('The last {count} days in the time zone {zone}.', {
              count: PROGRESS_DAYS,
              zone: time_zone,
            })}
            points={points}
            empty={t('Nothing happened in this period.')}
          />
        ))}
    </section>
  );
};

export default Progress;
