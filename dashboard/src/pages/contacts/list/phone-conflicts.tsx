import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { apiQuery } from '../../../api/query.ts';
import type { PhoneConflict } from '../../../api/types.gen.ts';
import { countText } from '../../../app/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { RowLink } from '../../../ui/row-link.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { nameOf } from '../labels.ts';
import { conflictCountQuery } from '../phone-conflicts.ts';

const route = getRouteApi('/app/contacts');
const PAGE_SIZE = 50;

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
          {nameOf(contact)}
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
    ...apiQuery('/contacts/conflicts', { query: { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE } }),
    placeholderData: keepPreviousData,
  });
  const total = list.data?.pagination.total ?? 0;
  return (
    <Page
      title="Conflicting numbers"
      back={{ to: '/contacts', label: 'Contacts', search: {} }}
      description="Legacy contacts that show one number but are matched by another. Open a contact to choose the right number."
    >
      <DataTable
        label="Contacts with conflicting numbers"
        columns={columns}
        rows={list.data?.data}
        rowId={({ contact }) => contact.id}
        error={list.error}
        onRetry={() => void list.refetch()}
        stale={list.isPlaceholderData}
        empty={
          <EmptyState
            icon={<CircleCheck />}
            title={total > 0 ? "This page doesn't exist" : 'No conflicting numbers'}
            action={
              <Button asChild>
                <Link to="/contacts" search={total > 0 ? { view: 'conflicts' } : {}}>
                  {total > 0 ? 'Go to first page' : 'Show all contacts'}
                </Link>
              </Button>
            }
          >
            {total === 0 && 'Every contact is matched by the number it shows.'}
          </EmptyState>
        }
      />
      {total > 0 && (
        <Pager
          page={page}
          pageSize={PAGE_SIZE}
          total={total}
          onPage={(next) =>
            void navigate({ search: (now) => ({ ...now, page: next > 1 ? next : undefined }) })
          }
        />
      )}
    </Page>
  );
};
