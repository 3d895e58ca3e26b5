import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { apiQuery, usePrefetch } from '../../api/query.ts';
import type { Figures } from '../../api/types.gen.ts';
import { ChartCard } from '../../app/charts/chart-card.tsx';
import { dayText } from '../../app/charts/series.ts';
import { useCurrentUser } from '../../app/current-user.ts';
import { t } from '../../lib/i18n.ts';
import { cx } from '../../ui/cx.ts';
import { Page } from '../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { Attention } from './attention.tsx';
import { Busiest } from './busiest.tsx';
import { first, GetStarted } from './get-started.tsx';
import { PeriodSelect } from './period-select.tsx';
import { newest, Recent } from './recent.tsx';
import { callPoints, compare, contactPoints, outcomes, sources } from './series.ts';
import { SetupPrompt } from './setup-prompt.tsx';
import { Stats } from './stats.tsx';

const route = getRouteApi('/app/');

export const HomePage = () => {
  const search = route.useSearch();
  const { days, from, to, month } = search;
  const query = useQuery({
    ...apiQuery('/figures', {
      query: month ? { month } : from ? { from, to } : { days: Number(days ?? 30) },
    }),
    placeholderData: keepPreviousData,
  });
  const isOwner = useCurrentUser().role === 'owner';
  usePrefetch(
    apiQuery('/attention'),
    apiQuery('/agents', first),
    apiQuery('/channels', first),
    apiQuery('/deploys', newest),
    apiQuery('/imports', newest),
    ...(isOwner ? [apiQuery('/keys'), apiQuery('/users'), apiQuery('/sample-data')] : []),
  );
  const figures = query.data?.data;
  if (query.isError && !figures)
    return (
      <Page title={t('Home')}>
        <div className="card">
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        </div>
      </Page>
    );
  return (
    <Page
      title={t('Home')}
      description={
        figures
          ? t('Recent activity. Days are in {zone}.', { zone: zoneText(figures.time_zone) })
          : t('Recent activity.')
      }
      actions={
        figures &&
        !isEmpty(figures) && (
          <PeriodSelect
            key={`${figures.from} ${figures.to} ${month ?? ''}`}
            search={search}
            from={figures.from}
            to={figures.to}
          />
        )
      }
    >
      <SetupPrompt />
      {figures && <GetStarted figures={figures} />}
      {figures && !isEmpty(figures) && <Attention />}
      <Stats figures={figures} />
      {figures ? <Charts figures={figures} stale={query.isPlaceholderData} /> : <Loading />}
    </Page>
  );
};

const inPeriod = (count: number, { from, to }: Figures): string =>
  t('{count} from {from} to {to}', { count, from: dayText(from), to: dayText(to) });

/** `Europe/Berlin` without the underscores of names such as `America/New_York`. */
const zoneText = (zone: string): string => zone.replaceAll('_', ' ');

const isEmpty = ({ contacts, calls }: Figures): boolean => contacts === 0 && calls === 0;

const Charts = ({ figures, stale }: { readonly figures: Figures; readonly stale: boolean }) => (
  <>
    {!isEmpty(figures) && (
      <div
        className={cx('grid gap-x-5 transition-opacity xl:grid-cols-2 [&>*]:min-w-0', stale && 'opacity-60')}
        aria-busy={stale}
      >
        <ChartCard
          title={t('New contacts by source')}
          description={inPeriod(compare(figures).contacts.now, figures)}
          points={contactPoints(figures)}
          series={sources}
          legend={t('Sources')}
          empty={t('No contacts added in this period.')}
          targetOf={({ key }) => ({ to: '/contacts', search: { created: `${key}..${key}` } })}
        />
        <ChartCard
          title={t('Calls per day')}
          description={inPeriod(compare(figures).calls.now, figures)}
          points={callPoints(figures)}
          series={outcomes}
          legend={t('Outcomes')}
          empty={t('No calls or messages in this period.')}
          targetOf={({ key }) => ({ to: '/calls', search: { date: `${key}..${key}` } })}
        />
      </div>
    )}
    <Busiest figures={figures} />
    <Recent />
  </>
);

const Loading = () => (
  <div className="grid gap-5 xl:grid-cols-2" aria-busy>
    <Skeleton className="h-88 rounded-xl" />
    <Skeleton className="h-88 rounded-xl" />
  </div>
);
