import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../api/query.ts';
import { ChartCard } from '../../../app/charts/chart-card.tsx';
import type { Series } from '../../../app/charts/series.ts';
import { t } from '../../../lib/i18n.ts';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';

const DAYS = 30;

/** In stacking order, from the bottom. */
const results: readonly Series[] = [
  { id: 'completed', label: t('Completed'), color: 'var(--chart-1)' },
  { id: 'failed', label: t('Failed'), color: 'var(--danger)' },
];
const attempts: readonly Series[] = [{ id: 'claimed', label: t('Attempts'), color: 'var(--chart-2)' }];
const enrolled: readonly Series[] = [{ id: 'enrolled', label: t('Enrolled'), color: 'var(--chart-3)' }];

/** What happened in a campaign on each of the last days. */
const Progress = ({ id }: { readonly id: string }) => {
  const query = useQuery(apiQuery('/campaigns/{id}/progress', { params: { id }, query: { days: DAYS } }));
  if (query.isError && !query.data)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton className="mb-4 h-80 rounded-xl" />;
  const { days, time_zone } = query.data.data;
  const points = days.map(({ day, ...values }) => ({ key: day, values }));
  const card = {
    description: t('The last {count} days in the time zone {zone}.', { count: DAYS, zone: time_zone }),
    points,
    empty: t('Nothing happened in this period.'),
  };
  return (
    <section aria-label={t('Progress')} className="mb-4 grid gap-4 xl:grid-cols-3">
      <ChartCard {...card} title={t('Results per day')} legend={t('Results per day')} series={results} />
      <ChartCard {...card} title={t('Attempts per day')} series={attempts} />
      <ChartCard {...card} title={t('Enrolled per day')} series={enrolled} />
    </section>
  );
};

export default Progress;
