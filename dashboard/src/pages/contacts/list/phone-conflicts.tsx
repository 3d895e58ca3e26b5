import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { apiQuery } from '../../../api/query.ts';
import type { PhoneConflict } from '../../../api/types.gen.ts';
import { contactName, countText } from '../../../lib/format.ts';
import { PAGE_SIZE, pageQuery, toPageParam } from '../../../lib/search-params.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { PagedTable } from '../../../ui/paged-table.tsx';
import { RowLink } from '../../../ui/row-link.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { conflictCountQuery } from '../phone-conflicts.ts';

const route = getRouteApi('/app/contacts');

/** Links to the contacts with conflicting numbers, if there are any. */
export const ConflictHint = () => {
  const total = useQuery(conflictCountQuery).data?.pagination.total ?? 0;
  if (total === 0) return null;
  return (
    <div className="mb-3">
      <Notice
        tone="warn"
        action={
          <Link to="/contacts" search={{ view: 'conflicts' }} className="font-medium underline">
            Review
          </Link>
        }
      >
        {countText(total, 'legacy contact')} {total === 1 ? 'has' : 'have'} conflicting phone numbers.
      </Notice>
    </div>
  );
};

const columns: readonly Column<PhoneConflict>[] = [
  {
    id: 'name',
    header: 'Name',
    phone: 'title',
    cell: ({ contact }) => (
      <RowLink to="/contacts/$id" params={{ id: contact.id }}>
        <span dir="auto" className="wrap-anywhere">
          {contactName(contact)}
        </span>
      </RowLink>
    ),
  },
  {
    id: 'displayed',
    header: 'Displayed',
    className: 'figure whitespace-nowrap',
    cell: ({ contact }) => contact.phone_number,
  },
  {
    id: 'normalized',
    header: 'Normalized',
    className: 'figure whitespace-nowrap',
    cell: ({ normalized_phone }) => normalized_phone,
  },
  {
    id: 'last',
    header: 'Last contact',
    align: 'end',
    phone: 'hidden',
    hideBelow: 'medium',
    className: 'whitespace-nowrap text-muted',
    cell: ({ contact }) => <Time at={contact.last_contact_at} />,
  },
];

/** The contacts whose displayed and normalized numbers conflict. Each is resolved on its own page. */
export const ConflictsPage = () => {
  const page = route.useSearch().page ?? 1;
  const navigate = route.useNavigate();
  const list = useQuery({
    ...apiQuery('/contacts/conflicts', { query: pageQuery(page) }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Conflicting numbers"
      back={{ to: '/contacts', label: 'Contacts', search: {} }}
      description="Legacy contacts that display one number but whose calls are matched by a different one. Open a contact to choose the right number."
    >
      <PagedTable
        label="Contacts with conflicting numbers"
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
            title="No conflicting numbers"
            action={
              <Button asChild>
                <Link to="/contacts" search={{}}>
                  Show all contacts
                </Link>
              </Button>
            }
          >
            The calls of every contact are matched by the number it displays.
          </EmptyState>
        }
      />
    </Page>
  );
};
