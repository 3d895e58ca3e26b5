import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Megaphone, Plus, SearchX } from 'lucide-react';
import { apiQuery } from '../../../api/query.ts';
import { useCreate } from '../../../app/commands.ts';
import { hasFilter, withoutFilters } from '../../../app/filters/definition.ts';
import { LazyDialog } from '../../../app/lazy-dialog.tsx';
import { ListBar } from '../../../app/list-bar.tsx';
import { ListTable } from '../../../app/list-table.tsx';
import { useListView } from '../../../app/list-view.ts';
import { useViews } from '../../../app/views/source.ts';
import { ViewTabs } from '../../../app/views/view-tabs.tsx';
import { plural, t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Page } from '../../../ui/page.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { columns } from './columns.tsx';
import { filters } from './filters.ts';

const loadCreateCampaign = () => import('./create.tsx');
const route = getRouteApi('/app/campaigns');

export const CampaignsPage = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const view = useListView({
    name: 'campaigns',
    search,
    columns,
    navigate: (change, { replace }) => void navigate({ search: (now) => ({ ...now, ...change }), replace }),
  });
  const list = useQuery({
    ...apiQuery('/campaigns', {
      query: {
        search: search.search,
        status: search.status,
        agent_id: search.agent,
        ...view.query,
        sort: search.sort,
        include: 'schedule',
      },
    }),
    placeholderData: keepPreviousData,
  });
  const showAdd = (add: true | undefined) =>
    void navigate({ search: (now) => ({ ...now, add }), replace: !add, ignoreBlocker: !add });
  useCreate(t('Create campaign'), () => showAdd(true));
  const total = list.data?.pagination.total;
  const isFiltered = Boolean(search.search) || hasFilter(filters, search);
  const createButton = (
    <Button variant="primary" onClick={() => showAdd(true)}>
      <Plus aria-hidden />
      {t('Create campaign')}
    </Button>
  );
  return (
    <Page
      title={t('Campaigns')}
      description={
        isFiltered && total !== undefined
          ? plural(total, '# match', '# matches')
          : total
            ? plural(total, '# campaign', '# campaigns')
            : t('Enroll contacts and let an agent talk to them.')
      }
      actions={createButton}
    >
      <ViewTabs
        source={useViews('campaigns')}
        search={{ ...search }}
        onOpen={(next, replace) => void navigate({ search: next, replace, ignoreBlocker: true })}
      />
      {(isFiltered || Boolean(total)) && (
        <ListBar
          label={t('Campaigns')}
          view={view}
          filters={filters}
          values={search}
          search={{ label: t('Search campaigns'), placeholder: t('Name') }}
        />
      )}
      <ListTable
        label={t('Campaigns')}
        view={view}
        list={list}
        icon={<Megaphone />}
        rowId={({ id }) => id}
        empty={
          isFiltered ? (
            <EmptyState
              icon={<SearchX />}
              title={t('No matching campaigns')}
              action={
                <Button onClick={() => view.onFilter({ ...withoutFilters(filters), search: undefined })}>
                  {t('Show all campaigns')}
                </Button>
              }
            />
          ) : (
            <EmptyState icon={<Megaphone />} title={t('No campaigns yet')} action={createButton}>
              {t(
                'A campaign assigns contacts to an agent and tracks who was reached. Create one, then enroll contacts.',
              )}
            </EmptyState>
          )
        }
      />
      {search.add && (
        <LazyDialog
          title={t('Create campaign')}
          load={loadCreateCampaign}
          props={{ onClose: () => showAdd(undefined) }}
        />
      )}
    </Page>
  );
};
