import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react';
import { numberText } from '../lib/format.ts';
import { t } from '../lib/i18n.ts';
import { PAGE_SIZES } from '../lib/search-params.ts';
import { Button } from './button.tsx';
import { cx } from './cx.ts';

/** The page numbers to show: the first, the last and those around the current one. `undefined` is a gap. */
export const pageNumbers = (page: number, last: number): (number | undefined)[] => {
  const near = [1, last, page - 1, page, page + 1].filter((each) => each >= 1 && each <= last);
  const shown = [...new Set(near)].sort((one, other) => one - other);
  return shown.flatMap((each, at) => {
    const gap = each - (shown[at - 1] ?? 0);
    return gap === 1 ? [each] : gap === 2 ? [each - 1, each] : [undefined, each];
  });
};

interface PagerProps {
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  /** The list has more entries than `total`, which is as far as the service counts. */
  readonly isTotalCapped?: boolean;
  readonly onPage: (page: number) => void;
  /** Offers the number of rows of a page. */
  readonly onPageSize?: ((size: number) => void) | undefined;
  /** Distinguishes several pagers on a page. */
  readonly label?: string;
}

/** Pagination with the range, the total and page numbers. Pages count from 1. */
export const Pager = (props: PagerProps) => {
  const { page, pageSize, total, isTotalCapped = false, onPage, onPageSize, label = t('Pages') } = props;
  const last = Math.max(1, Math.ceil(total / pageSize));
  const first = (page - 1) * pageSize + 1;
  const count = `${numberText(total)}${isTotalCapped ? '+' : ''}`;
  const to = Math.min(page * pageSize, isTotalCapped ? Number.POSITIVE_INFINITY : total);
  const text =
    total === 0
      ? t('No results')
      : first > total && !isTotalCapped
        ? t("This page doesn't exist: {total} in total", { total: count })
        : t('{first}–{last} of {total}', { first: numberText(first), last: numberText(to), total: count });
  return (
    <nav
      aria-label={label}
      className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm"
    >
      <div className="flex items-center gap-4">
        <p className="figure text-muted" aria-live="polite">
          {text}
        </p>
        {onPageSize && total > PAGE_SIZES[0] && (
          <label className="flex items-center gap-2 text-muted">
            <span className="max-sm:sr-only">{t('Rows per page')}</span>
            <select
              className="control h-8! w-auto! py-0! text-[0.8125rem]"
              value={pageSize}
              onChange={({ target }) => onPageSize(Number(target.value))}
            >
              {PAGE_SIZES.map((size) => (
                <option key={size} value={size}>
                  {size}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {(last > 1 || page > 1) && (
        <Steps page={page} last={last} isOpenEnded={isTotalCapped} onPage={onPage} />
      )}
    </nav>
  );
};

const iconClass = 'w-8 px-0! max-sm:hidden';

const Steps = ({
  page,
  last,
  isOpenEnded,
  onPage,
}: {
  readonly page: number;
  readonly last: number;
  readonly isOpenEnded: boolean;
  readonly onPage: (page: number) => void;
}) => {
  const isLast = page >= last && !isOpenEnded;
  return (
    <div className="flex gap-1">
      <Button
        size="small"
        variant="quiet"
        className={iconClass}
        aria-label={t('First page')}
        disabled={page <= 1}
        onClick={() => onPage(1)}
      >
        <ChevronsLeft aria-hidden />
      </Button>
      <Button
        size="small"
        disabled={page <= 1}
        onClick={() => onPage(isOpenEnded ? page - 1 : Math.min(page - 1, last))}
      >
        <ChevronLeft aria-hidden />
        {t('Previous')}
      </Button>
      {pageNumbers(Math.min(page, last), last).map((each, at) =>
        each === undefined ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a gap has no other identity
          <span key={at} aria-hidden className="w-5 self-center text-center text-muted max-md:hidden">
            …
          </span>
        ) : (
          <Button
            key={each}
            size="small"
            variant="quiet"
            className={cx(
              'figure min-w-8 px-1.5! max-md:hidden',
              each === page && 'bg-accent-soft text-accent-ink',
            )}
            aria-label={t('Page {number}', { number: numberText(each) })}
            aria-current={each === page ? 'page' : undefined}
            onClick={() => onPage(each)}
          >
            {numberText(each)}
          </Button>
        ),
      )}
      <Button size="small" disabled={isLast} onClick={() => onPage(page + 1)}>
        {t('Next')}
        <ChevronRight aria-hidden />
      </Button>
      <Button
        size="small"
        variant="quiet"
        className={iconClass}
        aria-label={t('Last page')}
        disabled={page >= last}
        onClick={() => onPage(last)}
      >
        <ChevronsRight aria-hidden />
      </Button>
    </div>
  );
};
