import type { ReactNode } from 'react';
import { plural, t } from '../lib/i18n.ts';
import { Button } from './button.tsx';

/** The actions for selected rows; sticky at the bottom while rows are selected. */
export const SelectionBar = ({
  count,
  note,
  onClear,
  children,
}: {
  readonly count: number;
  /** Says more about the selection. */
  readonly note?: string | undefined;
  readonly onClear: () => void;
  readonly children?: ReactNode;
}) =>
  count > 0 && (
    <section
      aria-label={t('Selection')}
      data-selection
      className="sticky bottom-3 z-20 mx-auto mt-3 flex w-fit max-w-full flex-wrap items-center gap-2 rounded-xl border border-line bg-surface py-2 pr-2 pl-4 text-sm shadow-float animate-appear"
    >
      <p className="figure mr-2 font-medium" aria-live="polite">
        {plural(count, '# selected', '# selected')}
        {note && <span className="ml-2 font-normal text-muted">{note}</span>}
      </p>
      {children}
      <Button size="small" variant="quiet" onClick={onClear}>
        {t('Clear selection')}
      </Button>
    </section>
  );
