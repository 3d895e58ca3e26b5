import type { Campaign } from '../../../api/types.gen.ts';
import { numberText } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { enrolledTotal, enrollmentStatusLabels, isSettable } from '../../../records/campaigns/labels.tsx';
import { cx } from '../../../ui/cx.ts';
import { type CampaignSearch, enrollmentStatuses } from './url-params.ts';

/** The number of enrollments in each status; selecting one filters the list. */
export const StatusFilter = ({
  enrolled,
  value,
  onChange,
}: {
  readonly enrolled: Campaign['enrolled'];
  readonly value: CampaignSearch['status'];
  readonly onChange: (status: CampaignSearch['status']) => void;
}) => {
  const all = { status: undefined, label: t('Enrolled'), count: enrolledTotal(enrolled) };
  // Most campaigns have no blocked and skipped contacts.
  const states = enrollmentStatuses
    .map((status) => ({ status, label: enrollmentStatusLabels[status], count: enrolled[status] ?? 0 }))
    .filter(({ status, count }) => isSettable(status) || count > 0 || status === value);
  return (
    <fieldset className="mb-3 grid grid-cols-2 gap-2 min-[28rem]:grid-cols-3 sm:flex sm:flex-wrap">
      <legend className="sr-only">{t('Enrollments to show')}</legend>
      {[all, ...states].map(({ status, label, count }) => (
        <button
          key={label}
          type="button"
          aria-pressed={status === value}
          onClick={() => onChange(status)}
          className={cx(
            'flex min-w-28 flex-col max-[28rem]:first-of-type:col-span-2 items-start rounded-xl border px-3.5 py-2 text-start transition-colors',
            status === value
              ? 'border-accent bg-accent-soft text-accent-ink'
              : 'border-line bg-surface shadow-lift hover:bg-sunken',
          )}
        >
          <span className="figure text-lg/6 font-semibold">{numberText(count)}</span>
          <span className={cx('text-[0.8125rem]', status !== value && 'text-muted')}>{label}</span>
        </button>
      ))}
    </fieldset>
  );
};
