import { ChevronLeft, ChevronRight } from 'lucide-react';
import { numberText } from '../lib/format.ts';
import { Button } from './button.tsx';

/** Pagination with the range and the total. Pages count from 1. */
export const Pager = ({
  page,
  pageSize,
  total,
  onPage,
  label = 'Pages',
}: {
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
  /** Distinguishes several pagers on a page. */
  readonly label?: string;
}) => {
  const last = Math.max(1, Math.ceil(total / pageSize));
  const first = (page - 1) * pageSize + 1;
  const text =
    total === 0
      ? 'No results'
      : first > total
        ? `This page doesn't exist: ${numberText(total)} in total`
        : `${numberText(first)}–${numberText(Math.min(page * pageSize, total))} of ${numberText(total)}`;
  return (
    <nav aria-label={label} className="mt-3 flex items-center justify-between gap-3 text-sm">
      <p className="figure text-muted" aria-live="polite">
        {text}
      </p>
      {(last > 1 || page > 1) && (
        <div className="flex gap-2">
          <Button size="small" disabled={page <= 1} onClick={() => onPage(Math.min(page - 1, last))}>
            <ChevronLeft aria-hidden />
            Previous
          </Button>
          <Button size="small" disabled={page >= last} onClick={() => onPage(page + 1)}>
            Next
            <ChevronRight aria-hidden />
          </Button>
        </div>
      )}
    </nav>
  );
};
