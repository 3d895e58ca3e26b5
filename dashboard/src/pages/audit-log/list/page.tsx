import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { History, SearchX } from 'lucide-react';
import { apiQuery } from '../../../api/query.ts';
import { useCurrentUser } from '../../../app/current-user.ts';
import { hasFilter, withoutFilters } from '../../../app/filters/definition.ts';
import { ListBar } from '../../../app/list-bar.tsx';
import { ListTable } from '../../../app/list-table.tsx';
import { useListView } from '../../../app/list-view.ts';
import { useTimeZone, workspaceTimeRange } from '../../../app/time-zone.ts';
import { useViews } from '../../../app/views/source.ts';
import { ViewTabs } from '../../../app/views/view-tabs.tsx';
import { plural, t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Page } from '../../../ui/page.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { columns } from './columns.tsx';
import { filters } from './filters.ts';

const route = getRouteApi('/app/audit-log');
const purpose = t('Who changed what, and when.');

export const AuditLogPage = () =>
  useCurrentUser().role === 'owner' ? (
    <Activity />
  ) : (
    <Page title={t('Audit log')}>
      <div className="card">
        <EmptyState icon={<History />} title={t('Owner access required')}>
          {purpose} {t('Ask a workspace owner for access.')}
        </EmptyState>
      </div>
    </Page>
  );

const Activity = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  // Filters by day use it.
  useTimeZone();
  const view = useListView({
    name: 'audit',
    search,
    columns,
    navigate: (change, { replace }) => void navigate({ search: (now) => ({ ...now, ...change }), replace }),
  });
  const list = useQuery({
    ...apiQuery('/audit', {
      query: {
        action: search.kind && `${search.kind}.`,
        actor: search.actor,
        subject: search.record,
        ...workspaceTimeRange(search.date),
        ...view.query,
        sort: search.sort,
      },
    }),
    placeholderData: keepPreviousData,
  });
  const total = list.data?.pagination.total;
  const isFiltered = hasFilter(filters, search);
  return (
    <Page
      title={t('Audit log')}
      description={isFiltered && total !== undefined ? plural(total, '# match', '# matches') : purpose}
    >
      <ViewTabs
        source={useViews('audit')}
        search={{ ...search }}
        onOpen={(next, replace) => void navigate({ search: next, replace, ignoreBlocker: true })}
      />
      <ListBar label={t('Audit log')} view={view} filters={filters} values={search} />
      <ListTable
        label={t('Audit log')}
        view={view}
        list={list}
        icon={<History />}
        rowId={({ at, action, subject, request_id }) => [at, action, subject?.id, request_id].join(' ')}
        empty={
          <EmptyState
            icon={isFiltered ? <SearchX /> : <History />}
            title={isFiltered ? t('No matching entries') : t('No entries yet')}
            action={
              isFiltered && (
                <Button onClick={() => view.onFilter(withoutFilters(filters))}>
                  {t('Show all entries')}
                </Button>
              )
            }
          >
            {isFiltered
              ? t('Entries must match all filters. Entries older than the retention period are deleted.')
              : t('Changes by members, API keys, channels and integrations are listed here.')}
          </EmptyState>
        }
      />
    </Page>
  );
};
