import type { ReactNode } from 'react';
import { numberText } from '../lib/format.ts';
import { Button } from './button.tsx';

/** The actions for selected rows; sticky at the bottom while rows are selected. */
export const SelectionBar = ({
  count,
  onClear,
  children,
}: {
  readonly count: number;
  readonly onClear: () => void;
  readonly children?: ReactNode;
}) =>
  count > 0 && (
    <section
      aria-label="Selection"
      className="sticky bottom-3 z-20 mx-auto mt-3 flex w-fit max-w-full flex-wrap items-center gap-2 rounded-xl border border-line bg-surface py-2 pr-2 pl-4 text-sm shadow-float animate-appear"
    >
      <p className="figure mr-2 font-medium" aria-live="polite">
        {numberText(count)} selected
      </p>
      {children}
      <Button size="small" variant="quiet" onClick={onClear}>
        Clear selection
      </Button>
    </section>
  );
