import { ArrowDown, ArrowUp } from 'lucide-react';
import { cx } from './cx.ts';

export type SortOrder = 'ascending' | 'descending';

/** The value of `aria-sort` of a column. */
export const sortDirection = (sort: string, current: string | undefined): SortOrder | 'none' =>
  current === sort ? 'ascending' : current === `-${sort}` ? 'descending' : 'none';

/** A column header that sorts. The first click uses the usual order of the column, the next one reverses it. */
export const SortHeader = ({
  label,
  sort,
  first = 'ascending',
  current,
  isAtEnd,
  onSort,
}: {
  readonly label: string;
  readonly sort: string;
  readonly first?: SortOrder | undefined;
  readonly current: string | undefined;
  readonly isAtEnd: boolean;
  readonly onSort: (sort: string) => void;
}) => {
  const direction = sortDirection(sort, current);
  const next = direction === 'none' ? first : direction === 'ascending' ? 'descending' : 'ascending';
  const Arrow = (direction === 'none' ? next : direction) === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      className={cx(
        'group -my-1 inline-flex h-7 items-center gap-1 rounded px-1.5 hover:bg-line/60 hover:text-ink',
        isAtEnd ? '-mr-1.5 flex-row-reverse' : '-ml-1.5',
        direction !== 'none' && 'text-ink',
      )}
      onClick={() => onSort(next === 'ascending' ? sort : `-${sort}`)}
    >
      {label}
      <Arrow
        aria-hidden
        className={cx(
          'size-3.5',
          direction === 'none' && 'opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60',
        )}
      />
    </button>
  );
};
