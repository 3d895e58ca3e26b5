import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { apiQuery } from '../../api/query.ts';
import type { Figures } from '../../api/types.gen.ts';
import { cx } from '../../ui/cx.ts';
import { Page } from '../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { ChartCard } from './chart-card.tsx';
import { CountryPrompt } from './country-prompt.tsx';
import { GetStarted, isSetUp } from './get-started.tsx';
import { RecentDeploys, RecentImports } from './recent.tsx';
import { callPoints, callSeries, contactPoints, sources } from './series.ts';
import { Stats } from './stats.tsx';

const route = getRouteApi('/app/');

export const HomePage = () => {
  const { days } = route.useSearch();
  const query = useQuery({
    ...apiQuery('/figures', { query: { days: Number(days ?? 30) } }),
    placeholderData: keepPreviousData,
  });
  const figures = query.data?.data;
  if (query.isError && !figures)
    return (
      <Page title="Home">
        <div className="card">
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        </div>
      </Page>
    );
  return (
    <Page
      title="Home"
      description="Recent activity. Days are in UTC."
      actions={figures && !isEmpty(figures) && <PeriodSelect days={days} />}
    >
      <CountryPrompt />
      {figures && !isSetUp(figures) && <GetStarted figures={figures} />}
      <Stats figures={figures} />
      {figures ? <Charts figures={figures} stale={query.isPlaceholderData} /> : <Loading />}
    </Page>
  );
};

const isEmpty = ({ contacts, calls }: Figures): boolean => contacts === 0 && calls === 0;

const Charts = ({ figures, stale }: { readonly figures: Figures; readonly stale: boolean }) => (
  <>
    {!isEmpty(figures) && (
      <div
        className={cx('grid gap-x-5 transition-opacity xl:grid-cols-2 [&>*]:min-w-0', stale && 'opacity-60')}
        aria-busy={stale}
      >
        <ChartCard
          title="New contacts by source"
          points={contactPoints(figures)}
          series={sources}
          empty="No contacts added in this period."
        />
        <ChartCard
          title="Calls per day"
          points={callPoints(figures)}
          series={callSeries}
          empty="No calls or messages in this period."
        />
      </div>
    )}
    {(figures.recent_deploys.length > 0 || figures.recent_imports.length > 0) && (
      <div className="grid items-start gap-x-5 lg:grid-cols-2 [&>*]:min-w-0">
        <RecentDeploys rows={figures.recent_deploys} />
        <RecentImports rows={figures.recent_imports} />
      </div>
    )}
  </>
);

const Loading = () => (
  <div className="grid gap-5 xl:grid-cols-2" aria-busy>
    <Skeleton className="h-88 rounded-xl" />
    <Skeleton className="h-88 rounded-xl" />
  </div>
);

/** Selects how many days the charts show. */
const PeriodSelect = ({ days }: { readonly days: '90' | undefined }) => (
  <nav
    aria-label="Days shown"
    className="flex rounded-lg border border-line bg-sunken p-0.5 text-[0.8125rem]"
  >
    {([undefined, '90'] as const).map((each) => (
      <Link
        key={each ?? '30'}
        to="/"
        search={{ days: each }}
        replace
        resetScroll={false}
        aria-current={each === days ? 'true' : undefined}
        className={cx(
          'rounded-md px-3 py-1.5 font-medium',
          each === days ? 'bg-surface text-ink shadow-lift dark:bg-line' : 'text-muted hover:text-ink',
        )}
      >
        {each ?? '30'} days
      </Link>
    ))}
  </nav>
);
