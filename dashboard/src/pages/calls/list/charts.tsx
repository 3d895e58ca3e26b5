import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../api/query.ts';
import type { CallStatistics } from '../../../api/types.gen.ts';
import { ChartCard } from '../../../app/charts/chart-card.tsx';
import type { Labels, Series } from '../../../app/charts/series.ts';
import { durationText } from '../../../lib/format.ts';
import { plural, t } from '../../../lib/i18n.ts';
import type { RawSearch } from '../../../lib/search-params.ts';
import { statusLabels } from '../../../records/calls/labels.ts';
import { averageSeconds } from '../../../records/calls/outcomes.ts';
import type { CallsSearch, statuses } from '../../../records/calls/url-params.ts';
import { cx } from '../../../ui/cx.ts';
import { Notice } from '../../../ui/notice.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { durationLabel, durationParam, shortDuration } from '../durations.ts';
import type { filterQuery } from './query.ts';
import { ResultCharts } from './result-charts.tsx';
import { VersionsCard } from './versions-card.tsx';

const colors: Readonly<Record<(typeof statuses)[number], string>> = {
  completed: 'var(--chart-1)',
  no_answer: 'var(--chart-2)',
  busy: 'var(--chart-4)',
  failed: 'var(--danger)',
  canceled: 'var(--chart-5)',
  in_progress: 'var(--chart-3)',
  ringing: 'var(--info-ink)',
  queued: 'var(--muted)',
};

/** In stacking order, from the bottom. */
const outcomes: readonly Series[] = (Object.keys(colors) as (keyof typeof colors)[]).map((status) => ({
  id: status,
  label: statusLabels[status].label,
  color: colors[status],
}));

const durations: readonly Series[] = [{ id: 'calls', label: t('Calls'), color: 'var(--chart-3)' }];

const labelsOf = (groups: CallStatistics['durations']): Labels => {
  const by = (write: typeof durationLabel) => (key: string) => {
    const group = groups.find(({ from }) => String(from) === key);
    return group ? write(group) : key;
  };
  const text = by(durationLabel);
  return { header: t('Duration'), axis: by(shortDuration), table: text, full: text };
};

const rangeOf = (groups: CallStatistics['durations'], key: string): string | undefined => {
  const group = groups.find(({ from }) => String(from) === key);
  return group && durationParam(group);
};

/** Outcomes, durations, versions and results of the calls that match the filters. */
const CallCharts = ({
  query,
  search,
}: {
  readonly query: ReturnType<typeof filterQuery>;
  readonly search: CallsSearch;
}) => {
  const statistics = useQuery({
    ...apiQuery('/calls/statistics', { query }),
    placeholderData: keepPreviousData,
  });
  const data = statistics.data?.data;
  if (statistics.isError && !data)
    return (
      <div className="card mb-5">
        <ErrorState error={statistics.error} onRetry={() => void statistics.refetch()} />
      </div>
    );
  if (!data) return <Skeleton className="mb-5 h-88 rounded-xl" />;
  const narrowed = (change: RawSearch) => ({
    to: '/calls',
    search: { ...search, page: undefined, ...change },
  });
  const average = averageSeconds(data);
  const period = plural(data.days.length, '# day', '# days');
  return (
    <section
      aria-label={t('Charts')}
      aria-busy={statistics.isPlaceholderData}
      className={cx('transition-opacity', statistics.isPlaceholderData && 'opacity-60')}
    >
      {!data.is_complete && (
        <div className="mb-3">
          <Notice tone="info">
            {t('The charts show the latest {count} matching calls. Choose a shorter period to see all.', {
              count: data.calls,
            })}
          </Notice>
        </div>
      )}
      <div className="grid gap-x-5 xl:grid-cols-2 [&>*]:min-w-0">
        <ChartCard
          title={t('Outcomes per day')}
          description={t('{count} in {period}', { count: data.calls, period })}
          points={data.days.map((day) => ({ key: day.day, values: day.statuses }))}
          series={outcomes}
          legend={t('Outcomes')}
          empty={t('No matching calls in this period.')}
          targetOf={({ key }) => narrowed({ date: `${key}..${key}` })}
        />
        <ChartCard
          title={t('Duration')}
          description={
            average === undefined
              ? t('No call has a duration.')
              : t('Average {time}', { time: durationText(average) })
          }
          points={data.durations.map(({ from, calls }) => ({ key: String(from), values: { calls } }))}
          series={durations}
          labels={labelsOf(data.durations)}
          newestFirst={false}
          empty={t('No call has a duration.')}
          targetOf={({ key }) => narrowed({ duration: rangeOf(data.durations, key) })}
        />
      </div>
      <VersionsCard
        versions={data.versions}
        targetOf={(version) => narrowed({ version, agent: undefined })}
      />
      <ResultCharts search={search} narrowed={narrowed} />
    </section>
  );
};

export default CallCharts;
