import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { FileUp, UserPlus, Users } from 'lucide-react';
import { lazy, Suspense, useDeferredValue } from 'react';
import { loadChunk } from '../../../api/load-chunk.ts';
import { apiQuery, queryClient } from '../../../api/query.ts';
import type { Contact } from '../../../api/types.gen.ts';
import { useCreate } from '../../../app/commands.ts';
import { LazyDialog } from '../../../app/lazy-dialog.tsx';
import { ListTable } from '../../../app/list-table.tsx';
import { useListView } from '../../../app/list-view.ts';
import { useOpenList } from '../../../app/open-lists.ts';
import { useTimeZone } from '../../../app/time-zone.ts';
import { ViewTabs } from '../../../app/views/view-tabs.tsx';
import { contactName } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { pageQuery, toPageParam } from '../../../lib/search-params.ts';
import { useSegmentViews } from '../../../records/contacts/segments.tsx';
import { Button } from '../../../ui/button.tsx';
import { Page } from '../../../ui/page.tsx';
import { ActivityProvider } from '../activity.tsx';
import { DeletedContacts, NoContacts, NoMatchingContacts } from './empty-states.tsx';
import { ExportMenu } from './export.tsx';
import { includeOf, useColumns } from './field-columns.tsx';
import { FilterBar } from './filter-bar.tsx';
import { Hints } from './hints.tsx';
import { AddContact } from './lazy-dialogs.tsx';
import { filterKey, filterQuery, isFiltered, sortQuery } from './query.ts';
import { selectedOn } from './selection.ts';
import { SelectionActions } from './selection-actions.tsx';
import { withFilter, withoutShortFilters } from './short-filters.ts';
import { useTotal } from './total.tsx';
import { useSelection } from './use-selection.ts';
import { useWithoutDeleted } from './without-deleted.ts';

const route = getRouteApi('/app/contacts');
const noRows: readonly Contact[] = [];
const loadPeek = () => import('./peek.tsx');
const ConflictsPage = lazy(() => loadChunk(() => import('./phone-conflicts.tsx')));
const PeoplePage = lazy(() => loadChunk(() => import('./people.tsx')));
const views = { conflicts: ConflictsPage, people: PeoplePage };

export const ContactsPage = () => {
  const { view } = route.useSearch();
  if (!view) return <ContactList />;
  const View = views[view];
  return (
    <Suspense>
      <View />
    </Suspense>
  );
};

const ContactList = () => {
  const search = withFilter(route.useSearch());
  const navigate = route.useNavigate();
  const selection = useSelection(search);
  // Filters by day use it, and columns with times.
  const zone = useTimeZone();
  const columns = useColumns(zone);
  const view = useListView({
    name: 'contacts',
    search,
    columns,
    navigate: (change, { replace }) =>
      void navigate({
        search: (now) => ({ ...now, ...('filter' in change && withoutShortFilters), ...change }),
        replace,
      }),
  });
  const pageOf = (page: number) =>
    apiQuery('/contacts', {
      query: {
        ...filterQuery(search),
        ...pageQuery(page, view.size),
        sort: sortQuery(search.sort),
        include: includeOf(view.columns),
      },
    });
  const list = useQuery({ ...pageOf(view.page), placeholderData: keepPreviousData });
  const isNarrowed = isFiltered(search);
  const shown = useWithoutDeleted(list.data, filterKey(search));
  const { pagination, heading } = useTotal(shown?.pagination, search, isNarrowed);
  const total = pagination?.total;
  const openList = {
    shown: list.isPlaceholderData ? undefined : shown,
    page: view.page,
    size: view.size,
    load: (page: number) => queryClient.fetchQuery(pageOf(page)),
  };
  useOpenList('/contacts', openList);
  // The table shows its rows with the same delay.
  const rows = useDeferredValue(shown?.data) ?? noRows;
  const areDeleted = shown?.data.length === 0 && list.data?.data.length !== 0;

  const showAdd = (add: true | undefined) =>
    void navigate({ search: (now) => ({ ...now, add }), replace: !add, ignoreBlocker: !add });
  const showPeek = (peek: string | undefined, page = view.page) =>
    void navigate({
      search: (now) => ({ ...now, peek, page: toPageParam(page) }),
      replace: !peek || search.peek !== undefined,
      resetScroll: false,
    });
  useCreate(t('Add contact'), () => showAdd(true));
  const addButton = (
    <Button variant="primary" onClick={() => showAdd(true)}>
      <UserPlus aria-hidden />
      {t('Add contact')}
    </Button>
  );
  const importButton = (
    <Button asChild className="max-sm:[&_svg]:hidden">
      <Link to="/import">
        <FileUp aria-hidden />
        {t('Import')}
      </Link>
    </Button>
  );
  return (
    <Page
      title={t('Contacts')}
      description={heading}
      actions={
        <>
          {(isNarrowed || Boolean(total)) && <ExportMenu filter={search} />}
          {importButton}
          {addButton}
        </>
      }
    >
      <Hints />
      <ViewTabs
        source={useSegmentViews()}
        search={{ ...search }}
        onOpen={(next, replace) => void navigate({ search: next, replace, ignoreBlocker: true })}
      />
      <FilterBar view={view} search={search} />
      <ActivityProvider contacts={rows}>
        <ListTable
          label={t('Contacts')}
          view={view}
          list={{ ...list, data: shown && pagination && { ...shown, pagination } }}
          icon={<Users />}
          rowId={(contact) => contact.id}
          rowName={contactName}
          onPeek={showPeek}
          onEdit={(id) => void navigate({ to: '/contacts/$id', params: { id } })}
          selected={selectedOn(rows, selection.chosen)}
          onSelect={(selectedIds) => selection.select(rows, selectedIds)}
          empty={
            areDeleted ? (
              <DeletedContacts />
            ) : isNarrowed ? (
              <NoMatchingContacts onAll={() => view.onFilter({ filter: undefined, search: undefined })} />
            ) : (
              <NoContacts>
                {importButton}
                {addButton}
              </NoContacts>
            )
          }
        />
      </ActivityProvider>
      <SelectionActions selection={selection} rows={rows} pagination={pagination} isFiltered={isNarrowed} />
      {search.peek && (
        <LazyDialog
          title={t('Contact')}
          load={loadPeek}
          props={{ id: search.peek, list: openList, onOpen: showPeek, onClose: () => showPeek(undefined) }}
        />
      )}
      {search.add && <AddContact onClose={() => showAdd(undefined)} />}
    </Page>
  );
};
