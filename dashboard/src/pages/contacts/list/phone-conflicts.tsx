import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { apiQuery } from '../../../api/query.ts';
import type { PhoneConflict } from '../../../api/types.gen.ts';
import { contactName } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { PAGE_SIZE, pageQuery, toPageParam } from '../../../lib/search-params.ts';
import { Button } from '../../../ui/button.tsx';
import { Page } from '../../../ui/page.tsx';
import { PagedTable } from '../../../ui/paged-table.tsx';
import { NameOrPhone, Phone } from '../../../ui/phone.tsx';
import { RowLink } from '../../../ui/row-link.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';
import { ActivityProvider, LastContact } from '../activity.tsx';

const route = getRouteApi('/app/contacts');

const columns: readonly Column<PhoneConflict>[] = [
  {
    id: 'name',
    header: t('Name'),
    phone: 'title',
    cell: ({ contact }) => (
      <RowLink href={`/contacts/${contact.id}`}>
        <span dir="auto" className="wrap-anywhere">
          <NameOrPhone text={contactName(contact)} />
        </span>
      </RowLink>
    ),
  },
  {
    id: 'displayed',
    header: t('Displayed'),
    className: 'figure whitespace-nowrap',
    cell: ({ contact }) => <Phone number={contact.phone_number} />,
  },
  {
    id: 'normalized',
    header: t('Normalized'),
    className: 'figure whitespace-nowrap',
    cell: ({ normalized_phone }) => normalized_phone && <Phone number={normalized_phone} />,
  },
  {
    id: 'last',
    header: t('Last contact'),
    align: 'end',
    phone: 'hidden',
    hideBelow: 'medium',
    className: 'whitespace-nowrap text-muted',
    cell: ({ contact }) => <LastContact id={contact.id} />,
  },
];

/** The contacts whose displayed and normalized numbers conflict. Each is resolved on its own page. */
const ConflictsPage = () => {
  const page = route.useSearch().page ?? 1;
  const navigate = route.useNavigate();
  const list = useQuery({
    ...apiQuery('/contacts/conflicts', { query: pageQuery(page) }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title={t('Conflicting numbers')}
      back={{ to: '/contacts', label: t('Contacts'), search: {} }}
      description={t(
        'Legacy contacts that display one number but whose calls are matched by a different one. Open a contact to choose the right number.',
      )}
    >
      <ActivityProvider contacts={list.data?.data.map(({ contact }) => contact) ?? []}>
        <PagedTable
          label={t('Contacts with conflicting numbers')}
          columns={columns}
          list={list}
          icon={<CircleCheck />}
          page={page}
          pageSize={PAGE_SIZE}
          onPage={(next) => void navigate({ search: (now) => ({ ...now, page: toPageParam(next) }) })}
          rowId={({ contact }) => contact.id}
          empty={
            <EmptyState
              icon={<CircleCheck />}
              title={t('No conflicting numbers')}
              action={
                <Button asChild>
                  <Link to="/contacts" search={{}}>
                    {t('Show all contacts')}
                  </Link>
                </Button>
              }
            >
              {t('The calls of every contact are matched by the number it displays.')}
            </EmptyState>
          }
        />
      </ActivityProvider>
    </Page>
  );
};

export default ConflictsPage;
