import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { PhoneCall, SearchX } from 'lucide-react';
import { apiQuery } from '../../../api/query.ts';
import { countText } from '../../../lib/format.ts';
import { PAGE_SIZE, pageQuery, toPageParam } from '../../../lib/search-params.ts';
import { Button } from '../../../ui/button.tsx';
import { Page } from '../../../ui/page.tsx';
import { PagedTable } from '../../../ui/paged-table.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { CallDetails } from '../detail/dialog.tsx';
import { columns } from './columns.tsx';
import { Filters, hasFilters, noFilters, type SetFilters } from './filters.tsx';

const route = getRouteApi('/app/calls');
const POLL_MS = 15_000;

export const CallsPage = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const page = search.page ?? 1;
  const list = useQuery({
    ...apiQuery('/calls', {
      query: {
        contact_id: search.contact,
        agent_id: search.agent,
        channel_id: search.channel,
        direction: search.direction,
        ...pageQuery(page),
      },
    }),
    placeholderData: keepPreviousData,
    // New calls appear on the first page only.
    refetchInterval: page === 1 ? POLL_MS : false,
  });
  const total = list.data?.pagination.total;
  const isFiltered = hasFilters(search);
  const showPage = (next: number) =>
    void navigate({ search: (now) => ({ ...now, page: toPageParam(next) }) });
  const setFilters: SetFilters = (change) =>
    void navigate({ search: (now) => ({ ...now, ...change, page: undefined }), replace: true });
  const close = () =>
    void navigate({ search: (now) => ({ ...now, call: undefined }), replace: true, resetScroll: false });
  return (
    <Page
      title="Calls"
      description={
        total === undefined || (total === 0 && !isFiltered)
          ? 'Calls and messages on your channels.'
          : isFiltered
            ? countText(total, 'match', 'matches')
            : countText(total, 'call or message', 'calls and messages')
      }
    >
      {(isFiltered || total !== 0) && <Filters search={search} onChange={setFilters} />}
      <PagedTable
        label="Calls"
        columns={columns}
        list={list}
        icon={<PhoneCall />}
        page={page}
        pageSize={PAGE_SIZE}
        onPage={showPage}
        rowId={({ id }) => id}
        empty={<NoCalls isFiltered={isFiltered} onShowAll={() => setFilters(noFilters)} />}
      />
      {search.call && <CallDetails id={search.call} onClose={close} />}
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
      title="No matching calls"
      action={<Button onClick={onShowAll}>Show all calls</Button>}
    >
      Try removing a filter.
    </EmptyState>
  ) : (
    <EmptyState
      icon={<PhoneCall />}
      title="No calls yet"
      action={
        <Button asChild variant="primary">
          <Link to="/channels">Go to Channels</Link>
        </Button>
      }
    >
      Calls and messages appear here when a runtime or provider reports them on one of your channels. Each
      shows which agent version it used.
    </EmptyState>
  );
