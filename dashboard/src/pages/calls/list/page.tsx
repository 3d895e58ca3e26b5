import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ChartColumn, Download, PhoneCall, SearchX } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { apiUrl } from '../../../api/client.ts';
import { loadChunk } from '../../../api/load-chunk.ts';
import { apiQuery, queryClient } from '../../../api/query.ts';
import { hasFilter, withoutFilters } from '../../../app/filters/definition.ts';
import { LazyDialog } from '../../../app/lazy-dialog.tsx';
import { ListBar } from '../../../app/list-bar.tsx';
import { ListTable } from '../../../app/list-table.tsx';
import { useListView } from '../../../app/list-view.ts';
import { useTimeZone } from '../../../app/time-zone.ts';
import { useViews } from '../../../app/views/source.ts';
import { ViewTabs } from '../../../app/views/view-tabs.tsx';
import { plural, t } from '../../../lib/i18n.ts';
import { pageQuery, toPageParam } from '../../../lib/search-params.ts';
import { columns } from '../../../records/calls/columns.tsx';
import { Button } from '../../../ui/button.tsx';
import { Page } from '../../../ui/page.tsx';
import { EmptyState, Skeleton } from '../../../ui/states.tsx';
import { useOpenCall } from '../detail/open-call.ts';
import { filters } from './filters.ts';
import { InProgress } from './in-progress.tsx';
import { filterQuery } from './query.ts';

const loadDetails = () => import('../detail/dialog.tsx');
const CallCharts = lazy(() => loadChunk(() => import('./charts.tsx')));

const route = getRouteApi('/app/calls');

export const CallsPage = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const view = useListView({
    name: 'calls',
    search,
    columns,
    navigate: (change, { replace }) => void navigate({ search: (now) => ({ ...now, ...change }), replace }),
  });
  const zone = useTimeZone();
  const query = filterQuery(search, zone);
  const pageOf = (page: number) =>
    apiQuery('/calls', { query: { ...query, ...pageQuery(page, view.size), sort: search.sort } });
  const list = useQuery({
    ...pageOf(view.page),
    enabled: zone !== undefined || !search.date,
    placeholderData: keepPreviousData,
  });
  const open = useOpenCall(search.call, { rows: list.data?.data, updatedAt: list.dataUpdatedAt });
  const total = list.data?.pagination.total;
  const isFiltered = hasFilter(filters, search) || search.search !== undefined;
  const isCapped = list.data?.pagination.total_is_capped ?? false;
  const counted = list.data && { ...list.data, data: open.rows ?? [] };
  const setCharts = (charts: true | undefined) =>
    void navigate({ search: (now) => ({ ...now, charts }), replace: true, resetScroll: false });
  const close = () =>
    void navigate({ search: (now) => ({ ...now, call: undefined }), replace: true, resetScroll: false });
  const hasAny = isFiltered || Boolean(total);
  return (
    <Page
      title={t('Calls')}
      description={
        total === undefined || !hasAny
          ? t('Calls and messages on your channels.')
          : isCapped
            ? t('More than {count} matches', { count: total })
            : isFiltered
              ? plural(total, '# match', '# matches')
              : plural(total, '# call or message', '# calls and messages')
      }
      actions={
        hasAny && (
          <>
            <Button
              aria-expanded={search.charts ?? false}
              onClick={() => setCharts(search.charts ? undefined : true)}
            >
              <ChartColumn aria-hidden />
              {search.charts ? t('Hide charts') : t('Show charts')}
            </Button>
            <Button asChild>
              <a href={apiUrl('/calls/export', {}, query)} download>
                <Download aria-hidden />
                {t('Export CSV')}
              </a>
            </Button>
          </>
        )
      }
    >
      <InProgress />
      <ViewTabs
        source={useViews('calls')}
        search={{ ...search }}
        onOpen={(next, replace) => void navigate({ search: next, replace, ignoreBlocker: true })}
      />
      {hasAny && (
        <ListBar
          label={t('Calls')}
          view={view}
          filters={filters}
          values={search}
          search={{
            label: t('Search in summaries, notes and transcripts'),
            placeholder: t('Search what was said'),
          }}
        />
      )}
      {search.search && isCapped && (
        <p className="mb-3 text-sm text-muted">
          {t('The search reads the latest calls. Filter by an earlier date to search further back.')}
        </p>
      )}
      {search.charts && zone && (
        <Suspense fallback={<Skeleton className="mb-5 h-88 rounded-xl" />}>
          <CallCharts query={query} search={search} />
        </Suspense>
      )}
      <ListTable
        label={t('Calls')}
        view={view}
        list={{ ...list, data: counted }}
        icon={<PhoneCall />}
        rowId={({ id }) => id}
        empty={
          <NoCalls
            isFiltered={isFiltered}
            onShowAll={() => view.onFilter({ ...withoutFilters(filters), search: undefined })}
          />
        }
      />
      {search.call && (
        <LazyDialog
          title={t('Call')}
          load={loadDetails}
          props={{
            id: search.call,
            query: open.query,
            onClose: close,
            list: {
              shown: list.isPlaceholderData ? undefined : counted,
              page: view.page,
              size: view.size,
              load: (page) => queryClient.fetchQuery(pageOf(page)),
            },
            onOpen: (call, page) =>
              void navigate({
                search: (now) => ({ ...now, call, page: toPageParam(page) }),
                replace: true,
                resetScroll: false,
              }),
          }}
        />
      )}
    </Page>
  );
};

const NoCalls = ({
  isFiltered,
  onShowAll,
}: {
  readonly isFiltered: boolean;
  readonly onShowAll: () => void;
}) =>
  isFiltered ? (
    <EmptyState
      icon={<SearchX />}
      title={t('No matching calls')}
      action={<Button onClick={onShowAll}>{t('Show all calls')}</Button>}
    >
      {t('Try another search, or remove a filter.')}
    </EmptyState>
  ) : (
    <EmptyState
      icon={<PhoneCall />}
      title={t('No calls yet')}
      action={
        <Button asChild variant="primary">
          <Link to="/channels">{t('Go to Channels')}</Link>
        </Button>
      }
    >
      {t(
        'Calls and messages appear here when a runtime or provider reports them on one of your channels. Each shows which agent version it used.',
      )}
    </EmptyState>
  );
