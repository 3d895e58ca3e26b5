import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { History, SearchX } from 'lucide-react';
import { apiQuery } from '../../../api/query.ts';
import { useCurrentUser } from '../../../app/current-user.ts';
import { countText } from '../../../lib/format.ts';
import { PAGE_SIZE, pageQuery, toPageParam } from '../../../lib/search-params.ts';
import { Button } from '../../../ui/button.tsx';
import { Page } from '../../../ui/page.tsx';
import { PagedTable } from '../../../ui/paged-table.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { columns } from './columns.tsx';
import { Filters, hasFilters, noFilters, type SetFilters } from './filters.tsx';

const route = getRouteApi('/app/audit-log');
const purpose = 'Who changed what, and when.';

export const AuditLogPage = () =>
  useCurrentUser().role === 'owner' ? (
    <Activity />
  ) : (
    <Page title="Audit log">
      <div className="card">
        <EmptyState icon={<History />} title="Owner access required">
          {purpose} Ask a workspace owner for access.
        </EmptyState>
      </div>
    </Page>
  );

const Activity = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const page = search.page ?? 1;
  const list = useQuery({
    ...apiQuery('/audit', {
      query: {
        action: search.kind && `${search.kind}.`,
        actor: search.actor,
        subject: search.record,
        ...pageQuery(page),
      },
    }),
    placeholderData: keepPreviousData,
  });
  const total = list.data?.pagination.total;
  const isFiltered = hasFilters(search);
  const setFilters: SetFilters = (change) =>
    void navigate({ search: (now) => ({ ...now, ...change, page: undefined }), replace: true });
  const showPage = (next: number) =>
    void navigate({ search: (now) => ({ ...now, page: toPageParam(next) }) });
  return (
    <Page
      title="Audit log"
      description={isFiltered && total !== undefined ? countText(total, 'match', 'matches') : purpose}
    >
      <Filters search={search} onChange={setFilters} />
      <PagedTable
        label="Audit log"
        columns={columns}
        list={list}
        icon={<History />}
        page={page}
        pageSize={PAGE_SIZE}
        onPage={showPage}
        rowId={({ at, action, subject, request_id }) => [at, action, subject?.id, request_id].join(' ')}
        empty={
          <EmptyState
            icon={isFiltered ? <SearchX /> : <History />}
            title={isFiltered ? 'No matching entries' : 'No entries yet'}
            action={isFiltered && <Button onClick={() => setFilters(noFilters)}>Show all entries</Button>}
          >
            {isFiltered
              ? 'Entries must match all filters. Entries older than the retention period are deleted.'
              : 'Changes by members, API keys, channels and integrations are listed here.'}
          </EmptyState>
        }
      />
    </Page>
  );
};
