import { X } from 'lucide-react';
import type { Import } from '../../../api/types.gen.ts';
import { numberText, t } from '../../../lib/i18n.ts';
import { effectLabels, reasonLabels, verdictLabels } from '../../../records/imports/labels.ts';
import { cx } from '../../../ui/cx.ts';
import { effects, type ImportSearch, verdicts } from '../url-params.ts';

interface RowFilter {
  readonly label: string;
  readonly count: number;
  readonly show: Pick<ImportSearch, 'verdict' | 'effect' | 'reason' | 'warnings'>;
}

/** A preview is filtered by verdict. Once applied, rows are filtered by effect; skipped rows still by verdict. */
const filtersOf = ({ state, totals }: Import): RowFilter[] => {
  const isPlan = state === 'planned' || state === 'planning';
  const stayedOut = ['duplicate_in_file', 'invalid'] as const;
  return [
    ...(isPlan ? [] : effects).map((effect) => ({
      label: effectLabels[effect].label,
      count: totals[effect] ?? 0,
      show: { effect },
    })),
    ...(isPlan ? verdicts : stayedOut).map((verdict) => ({
      label: verdictLabels[verdict].label,
      count: totals[verdict] ?? 0,
      show: { verdict },
    })),
    { label: t('With warnings'), count: totals.with_warnings ?? 0, show: { warnings: true } },
  ];
};

/** The totals; selecting one filters the rows. */
export const RowFilters = ({
  data,
  search: { verdict, effect, reason, warnings },
  onShow,
}: {
  readonly data: Import;
  readonly search: ImportSearch;
  readonly onShow: (show: RowFilter['show']) => void;
}) => {
  const isShown = ({ show }: RowFilter) =>
    show.verdict === verdict &&
    show.effect === effect &&
    show.reason === reason &&
    show.warnings === warnings;
  const all: RowFilter = { label: t('All rows'), count: data.rows, show: {} };
  const filters = [all, ...filtersOf(data).filter((filter) => filter.count > 0 || isShown(filter))];
  const byReason = reason ? reasonLabels[reason].label : undefined;
  return (
    <fieldset className="mb-3 grid grid-cols-2 gap-2 min-[28rem]:grid-cols-3 sm:flex sm:flex-wrap">
      <legend className="sr-only">{t('Rows to show')}</legend>
      {filters.map((filter) => (
        <button
          key={filter.label}
          type="button"
          aria-pressed={isShown(filter)}
          onClick={() => onShow(filter.show)}
          className={cx(
            'flex min-w-28 flex-col items-start max-[28rem]:nth-[2]:nth-last-[odd]:col-span-2 rounded-xl border px-3.5 py-2 text-start transition-colors',
            isShown(filter)
              ? 'border-accent bg-accent-soft text-accent-ink'
              : 'border-line bg-surface shadow-lift hover:bg-sunken',
          )}
        >
          <span className="figure text-lg/6 font-semibold">{numberText(filter.count)}</span>
          <span className={cx('text-[0.8125rem]', !isShown(filter) && 'text-muted')}>{filter.label}</span>
        </button>
      ))}
      {byReason && (
        <button
          type="button"
          aria-pressed
          onClick={() => onShow({})}
          className="flex min-w-28 flex-col items-start rounded-xl border border-accent bg-accent-soft px-3.5 py-2 text-start text-accent-ink"
        >
          <span className="flex items-center gap-1.5 text-lg/6 font-semibold">
            <X className="size-4" aria-hidden />
            {t('Reason')}
          </span>
          <span className="text-[0.8125rem]">{byReason}</span>
        </button>
      )}
    </fieldset>
  );
};
