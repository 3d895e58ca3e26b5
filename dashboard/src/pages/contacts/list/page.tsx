import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { FileUp, UserPlus, Users } from 'lucide-react';
import { apiQuery } from '../../../api/query.ts';
import { contactName, countText } from '../../../lib/format.ts';
import { PAGE_SIZE, pageQuery, toPageParam } from '../../../lib/search-params.ts';
import { Button } from '../../../ui/button.tsx';
import { Page } from '../../../ui/page.tsx';
import { PagedTable } from '../../../ui/paged-table.tsx';
import { columns } from './columns.tsx';
import { AddContact } from './create.tsx';
import { NoContacts, NoMatchingContacts } from './empty-states.tsx';
import { ExportMenu } from './export.tsx';
import { Filters, type SetFilters } from './filters.tsx';
import { ConflictHint, ConflictsPage } from './phone-conflicts.tsx';
import { selectedOn, useSelection } from './selection.ts';
import { SelectionActions } from './selection-actions.tsx';

const route = getRouteApi('/app/contacts');

export const ContactsPage = () =>
  route.useSearch().view === 'conflicts' ? <ConflictsPage /> : <ContactList />;

const ContactList = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const selection = useSelection(search);
  const page = search.page ?? 1;
  const list = useQuery({
    ...apiQuery('/contacts', {
      query: {
        search: search.search,
        tag: search.tag,
        company: search.company,
        ...pageQuery(page),
      },
    }),
    placeholderData: keepPreviousData,
  });
  const isFiltered = Boolean(search.search || search.tag || search.company);
  const total = list.data?.pagination.total;
  const rows = list.data?.data ?? [];

  const setFilters: SetFilters = (change) =>
    void navigate({ search: (now) => ({ ...now, ...change, page: undefined }), replace: true });
  const goTo = (next: number) => void navigate({ search: (now) => ({ ...now, page: toPageParam(next) }) });
  const showAdd = (add: true | undefined) =>
    void navigate({ search: (now) => ({ ...now, add }), replace: !add, ignoreBlocker: !add });
  const addButton = (
    <Button variant="primary" onClick={() => showAdd(true)}>
      <UserPlus aria-hidden />
      Add contact
    </Button>
  );
  const importButton = (
    <Button asChild className="max-sm:[&_svg]:hidden">
      <Link to="/import">
        <FileUp aria-hidden />
        Import
      </Link>
    </Button>
  );
  return (
    <Page
      title="Contacts"
      description={
        total === undefined
          ? 'The people your agents talk to.'
          : countText(total, isFiltered ? 'match' : 'contact', isFiltered ? 'matches' : 'contacts')
      }
      actions={
        <>
          {(isFiltered || Boolean(total)) && <ExportMenu filter={search} />}
          {importButton}
          {addButton}
        </>
      }
    >
      <ConflictHint />
      <Filters search={search} onChange={setFilters} />
      <PagedTable
        label="Contacts"
        columns={columns}
        list={list}
        icon={<Users />}
        page={page}
        pageSize={PAGE_SIZE}
        onPage={goTo}
        rowId={(contact) => contact.id}
        rowName={contactName}
        selected={selectedOn(rows, selection.chosen)}
        onSelect={(selectedIds) => selection.select(rows, selectedIds)}
        empty={
          isFiltered ? (
            <NoMatchingContacts
              onAll={() => setFilters({ search: undefined, tag: undefined, company: undefined })}
            />
          ) : (
            <NoContacts>
              {importButton}
              {addButton}
            </NoContacts>
          )
        }
      />
      <SelectionActions selection={selection} rows={rows} total={total ?? 0} isFiltered={isFiltered} />
      {search.add && <AddContact onClose={() => showAdd(undefined)} />}
    </Page>
  );
};
