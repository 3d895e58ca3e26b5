import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { allRecordsQuery } from '../../../api/all-records.ts';
import { apiQuery } from '../../../api/query.ts';
import type { Outcomes } from '../../../api/types.gen.ts';
import { ChartCard } from '../../../app/charts/chart-card.tsx';
import type { Target } from '../../../app/charts/series.ts';
import { useTimeZone } from '../../../app/time-zone.ts';
import { percentText } from '../../../lib/format.ts';
import { plural, t } from '../../../lib/i18n.ts';
import type { RawSearch } from '../../../lib/search-params.ts';
import { goalKeys, goalShare, hasResults, rateOf } from '../../../records/calls/outcomes.ts';
import { keyText, useDispositions } from '../../../records/calls/settings.ts';
import type { CallsSearch } from '../../../records/calls/url-params.ts';
import { DocsLink } from '../../../ui/docs-link.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Section } from '../../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { isNarrower, resultQuery } from './result-query.ts';
import { dispositionSeries } from './result-series.ts';

const MAX_GOALS = 4;
const MAX_VERSIONS = 8;
/** Dispositions per day, and the goals by version. */
export const ResultCharts = ({
  search,
  narrowed,
}: {
  readonly search: CallsSearch;
  readonly narrowed: (change: RawSearch) => Target;
}) => {
  const zone = useTimeZone();
  const dispositions = useDispositions();
  const isHidden = isNarrower(search);
  const query = useQuery({
    ...apiQuery('/outcomes', { query: resultQuery(search, zone ?? 'UTC') }),
    enabled: zone !== undefined && !isHidden,
    placeholderData: keepPreviousData,
  });
  if (isHidden)
    return (
      <div className="mb-5">
        <Notice>
          {t('Goals and dispositions are shown for filters by date, agent, version and channel.')}
        </Notice>
      </div>
    );
  const outcomes = query.data?.data;
  if (query.isError && !outcomes)
    return (
      <div className="card mb-5">
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </div>
    );
  if (!outcomes || !dispositions) return <Skeleton className="mb-5 h-60 rounded-xl" />;
  if (!hasResults(outcomes)) return <NoResults />;
  const { series, points } = dispositionSeries(outcomes, dispositions);
  return (
    <div className="grid gap-x-5 xl:grid-cols-2 [&>*]:min-w-0">
      <ChartCard
        title={t('Dispositions per day')}
        description={plural(outcomes.days.length, '# day', '# days')}
        points={points}
        series={series}
        legend={t('Dispositions')}
        empty={t('No call in this period has a disposition.')}
        targetOf={({ key }) => narrowed({ date: `${key}..${key}` })}
      />
      <GoalsCard outcomes={outcomes} targetOf={(version) => narrowed({ version, agent: undefined })} />
    </div>
  );
};

const NoResults = () => (
  <Section title={t('Goals and dispositions')}>
    <div className="flex flex-col items-start gap-1 text-sm text-muted">
      <p>
        {t(
          'No results in this period. Define dispositions in Settings → Calls; your runtime then reports one with the events of a call, and which goals it reached.',
        )}
      </p>
      <p className="flex flex-wrap gap-x-4">
        <Link
          to="/settings"
          search={{ tab: 'calls' }}
          className="rounded text-[0.8125rem] font-medium text-accent-ink hover:underline"
        >
          {t('Settings for calls')}
        </Link>
        <DocsLink to="hooks" />
      </p>
    </div>
  </Section>
);

const cell = 'figure px-2 py-2 text-end';

const GoalsCard = ({
  outcomes,
  targetOf,
}: {
  readonly outcomes: Outcomes;
  readonly targetOf: (version: string) => Target;
}) => {
  const agents = useQuery(allRecordsQuery('/agents')).data?.data;
  const goals = goalKeys([outcomes]).slice(0, MAX_GOALS);
  const versions = outcomes.versions.filter((each) => goals.some((key) => goalShare(each, key).of > 0));
  const rates = (of: Pick<Outcomes, 'dispositions' | 'goals'>) =>
    goals.map((key) => {
      const share = goalShare(of, key);
      const rate = rateOf(share);
      return (
        <td key={key} className={cell}>
          {rate === undefined ? (
            <span className="text-muted">–</span>
          ) : (
            <>
              <span className="font-medium">{percentText(rate)}</span>
              <span className="block text-xs text-muted">
                {t('{count} of {total}', { count: share.count, total: share.of })}
              </span>
            </>
          )}
        </td>
      );
    });
  const nameOf = (id: string | null) => agents?.find((each) => each.id === id)?.name ?? '';
  return (
    <Section
      title={t('Goals by version')}
      description={t('Calls that reached the goal, among those that report it.')}
    >
      {goals.length === 0 ? (
        <p className="grid h-40 place-items-center text-center text-sm text-muted">
          {t('No call in this period reports a goal.')}
        </p>
      ) : (
        <div className="overflow-x-auto">
          <table className="w-full text-sm">
            <caption className="sr-only">{t('Goals by version')}</caption>
            <thead className="text-xs text-muted">
              <tr>
                <th scope="col" className="py-2 pr-3 text-start font-medium">
                  {t('Version')}
                </th>
                {goals.map((key) => (
                  <th key={key} scope="col" className="px-2 py-2 text-end font-medium">
                    {keyText(key)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <tr className="border-t border-line">
                <th scope="row" className="py-2 pr-3 text-start font-medium">
                  {t('All calls')}
                </th>
                {rates(outcomes)}
              </tr>
              {versions.slice(0, MAX_VERSIONS).map((version) => (
                <tr key={version.version_id} className="border-t border-line">
                  <th scope="row" className="py-2 pr-3 text-start font-normal wrap-anywhere">
                    {version.version_id === null ? (
                      t('No version')
                    ) : (
                      <Link
                        {...targetOf(version.version_id)}
                        className="rounded text-accent-ink hover:underline"
                      >
                        <bdi>{nameOf(version.agent_id)}</bdi> {version.version_label}
                      </Link>
                    )}
                  </th>
                  {rates(version)}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
};
