import type { Enrollment } from '../../../api/types.gen.ts';
import { RowLink } from '../../../ui/row-link.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { EnrollmentStatusSelect, RemoveEnrollment } from './enrollment-actions.tsx';

export const columns: readonly Column<Enrollment>[] = [
  {
    id: 'contact',
    header: 'Contact',
    phone: 'title',
    className: ' max-sm:pr-12',
    cell: ({ contact_id, contact_name, contact_phone_number }) => (
      <RowLink to="/contacts/$id" params={{ id: contact_id }}>
        <span dir="auto" className="wrap-anywhere">
          {contact_name ?? contact_phone_number}
        </span>
      </RowLink>
    ),
  },
  {
    id: 'phone',
    header: 'Phone',
    className: 'figure whitespace-nowrap',
    cell: ({ contact_phone_number }) => contact_phone_number,
  },
  {
    id: 'state',
    header: 'Status',
    className: 'max-sm:items-center sm:w-44 sm:py-1.5!',
    cell: (enrollment) => <EnrollmentStatusSelect enrollment={enrollment} />,
  },
  {
    id: 'enrolled',
    header: 'Enrolled',
    align: 'end',
    phone: 'hidden',
    hideBelow: 'medium',
    className: 'whitespace-nowrap text-muted',
    cell: ({ enrolled_at }) => <Time at={enrolled_at} />,
  },
  {
    id: 'changed',
    header: 'Updated',
    align: 'end',
    phone: 'hidden',
    hideBelow: 'wide',
    className: 'whitespace-nowrap text-muted',
    cell: ({ updated_at }) => <Time at={updated_at} />,
  },
  {
    id: 'remove',
    header: 'Remove',
    align: 'end',
    phone: 'title',
    className: 'sm:w-16 sm:py-1.5! max-sm:absolute max-sm:top-1.5 max-sm:right-1.5',
    cell: (enrollment) => <RemoveEnrollment enrollment={enrollment} />,
  },
];
