import type { Campaign, Enrollment } from '../../../api/types.gen.ts';
import { numberText } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { reasonText } from '../../../records/campaigns/labels.tsx';
import { Outcome } from '../../../records/campaigns/outcome.tsx';
import { NameOrPhone, Phone } from '../../../ui/phone.tsx';
import { rich } from '../../../ui/rich.tsx';
import { RowLink } from '../../../ui/row-link.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { EnrollmentStatusMenu, RemoveEnrollment } from './enrollment-actions.tsx';

/** When the contact can be claimed again. Empty if it is due now or never again. */
const NextAttempt = ({ enrollment }: { readonly enrollment: Enrollment }) => {
  const { retry_at, lease_expires_at } = enrollment;
  const next = retry_at ?? lease_expires_at;
  if (!next) return null;
  if (Date.parse(next) <= Date.now()) return t('Due');
  if (!lease_expires_at) return <Time at={next} />;
  return (
    <span title={t('Reserved for a dialer. If it does not report, the contact is due again then.')}>
      {rich('Claimed, expires {time}', { time: <Time at={lease_expires_at} /> })}
    </span>
  );
};

const columns: readonly Column<Enrollment>[] = [
  {
    id: 'contact',
    header: t('Contact'),
    sort: 'contact',
    sortFirst: 'descending',
    phone: 'title',
    className: '@4xl:min-w-40 max-sm:pr-12',
    cell: ({ contact_id, contact_name, contact_phone_number }) => (
      <RowLink href={`/contacts/${contact_id}`}>
        <span dir="auto" className="wrap-anywhere">
          <NameOrPhone text={contact_name ?? contact_phone_number} />
        </span>
      </RowLink>
    ),
  },
  {
    id: 'phone',
    header: t('Phone'),
    className: 'figure whitespace-nowrap',
    cell: ({ contact_phone_number }) => <Phone number={contact_phone_number} />,
  },
  {
    id: 'state',
    header: t('Status'),
    className: 'max-sm:items-center sm:w-40 sm:py-1.5!',
    cell: (enrollment) => <EnrollmentStatusMenu enrollment={enrollment} />,
  },
  {
    id: 'outcome',
    header: t('Outcome'),
    hideBelow: 'medium',
    className: 'wrap-anywhere',
    cell: (enrollment) => (
      <>
        {enrollment.outcome && <Outcome outcome={enrollment.outcome} />}
        {enrollment.reason && <span className="block text-muted">{reasonText(enrollment.reason)}</span>}
      </>
    ),
  },
  {
    id: 'attempts',
    header: t('Attempts'),
    align: 'end',
    hideBelow: 'medium',
    cell: ({ attempts, last_attempt_at }) =>
      attempts > 0 && (
        <span className="flex flex-col max-sm:flex-row max-sm:gap-2">
          {numberText(attempts)}
          {last_attempt_at && (
            <Time at={last_attempt_at} className="text-[0.8125rem] whitespace-nowrap text-muted" />
          )}
        </span>
      ),
  },
  {
    id: 'next',
    header: t('Next attempt'),
    sort: 'next_attempt',
    hideBelow: 'medium',
    className: 'text-muted',
    cell: (enrollment) => <NextAttempt enrollment={enrollment} />,
  },
  {
    id: 'enrolled',
    header: t('Enrolled'),
    align: 'end',
    phone: 'hidden',
    isExtra: true,
    className: 'whitespace-nowrap text-muted',
    cell: ({ enrolled_at }) => <Time at={enrolled_at} />,
  },
  {
    id: 'remove',
    header: t('Remove'),
    align: 'end',
    phone: 'title',
    className: 'sm:w-16 sm:py-1.5! max-sm:absolute max-sm:top-1.5 max-sm:right-1.5',
    cell: (enrollment) => <RemoveEnrollment enrollment={enrollment} />,
  },
];

const lasting = columns.filter(({ id }) => id !== 'remove');

/** A live audience would enroll the contact again, so no one is removed while it is in use. */
export const columnsOf = ({ audience, status }: Campaign): readonly Column<Enrollment>[] =>
  audience?.mode === 'live' && status !== 'finished' ? lasting : columns;
