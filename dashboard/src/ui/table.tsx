import { PanelRight } from 'lucide-react';
import {
  type CSSProperties,
  memo,
  type ReactNode,
  startTransition,
  useCallback,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
} from 'react';
import { t } from '../lib/i18n.ts';
import { RowCheckbox } from './checkbox.tsx';
import { ColumnResizer } from './column-resizer.tsx';
import { columnWidth, useColumnWidths } from './column-widths.ts';
import { cx } from './cx.ts';
import { SortHeader, type SortOrder, sortDirection } from './sort-header.tsx';
import { ErrorState, Skeleton } from './states.tsx';

/** By the width of the table, because the sidebar depends on the width of the window. */
const hidden = { medium: 'sm:@max-2xl:hidden', wide: 'sm:@max-4xl:hidden' } as const;

export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'end';
  /** On a phone a row is a card: `title` is its first line without a label, `hidden` hides the cell. */
  readonly phone?: 'title' | 'hidden';
  /** Hides the column if the table, not the window, is narrower than this. */
  readonly hideBelow?: keyof typeof hidden;
  readonly className?: string;
  /** The least share of the table, for values that may be much longer on the next page than on the first. */
  readonly share?: number;
  /** What the address and the service call the order by this column. Only columns with an index have one. */
  readonly sort?: string;
  /** The order of the first click; times are best read newest first. */
  readonly sortFirst?: SortOrder;
  /** Shown only if the user chooses the column. */
  readonly isExtra?: boolean;
}

export interface DataTableProps<Row> {
  /** The accessible name of the table. */
  readonly label: string;
  /** What the list is called in the settings of the browser; by default its label. */
  readonly name?: string;
  readonly columns: readonly Column<Row>[];
  /** `undefined` while loading. */
  readonly rows: readonly Row[] | undefined;
  readonly rowId: (row: Row) => string;
  /** The name of a row, for its checkbox. */
  readonly rowName?: (row: Row) => string;
  /** The selected ids; may include ids of other pages. */
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (selected: ReadonlySet<string>) => void;
  /** Shows a record beside the list. */
  readonly onPeek?: ((id: string) => void) | undefined;
  readonly error?: unknown;
  readonly onRetry?: () => void;
  /** Shown if there are no rows: an EmptyState, with its own text if a filter is active. */
  readonly empty: ReactNode;
  /** The rows are of the previous query while the new ones load. */
  readonly stale?: boolean;
  /** The current order: the `sort` of a column, with `-` if reversed. */
  readonly sort?: string | undefined;
  readonly onSort?: ((sort: string) => void) | undefined;
}

const noneSelected: ReadonlySet<string> = new Set();
const SKELETON_ROWS = 8;
/** About as many rows as a window shows. */
const STEP_ROWS = 13;

/** Renders new rows in small steps, so that none blocks the page. Below the new rows, the previous ones stay until their turn. */
const useRenderedRows = <Row,>(latest: readonly Row[] | undefined, rowId: (row: Row) => string) => {
  const rows = useDeferredValue(latest);
  const [done, setDone] = useState({ rows, count: rows?.length ?? 0, previous: rows });
  const isNew = done.rows !== rows;
  const count = isNew ? STEP_ROWS : done.count;
  const previous = isNew ? done.rows : done.previous;
  const isWhole = !rows || count >= rows.length;
  useEffect(() => {
    if (isNew || !isWhole) startTransition(() => setDone({ rows, count: count + STEP_ROWS, previous }));
  }, [rows, isNew, isWhole, count, previous]);
  const isRendering = rows !== latest || !isWhole;
  if (isWhole) return { rows, renderedRows: rows, isRendering };
  const first = rows.slice(0, count);
  const ids = new Set(first.map(rowId));
  const rest = previous?.slice(count, rows.length).filter((row) => !ids.has(rowId(row))) ?? [];
  return { rows, renderedRows: [...first, ...rest], isRendering };
};

const cellClass = (column: Pick<Column<never>, 'align' | 'phone' | 'hideBelow' | 'className'>) =>
  cx(
    column.hideBelow && hidden[column.hideBelow],
    'px-4 py-2.5 sm:max-w-[var(--cell-width,18rem)] sm:py-(--cell-padding) sm:@max-3xl:px-2.5 align-middle max-sm:block max-sm:px-0 max-sm:py-0.5',
    column.align === 'end' && 'sm:text-end figure',
    column.phone === 'hidden' && 'max-sm:hidden!',
    column.phone !== 'title' &&
      'max-sm:flex! max-sm:gap-3 max-sm:before:w-28 max-sm:before:shrink-0 max-sm:before:whitespace-normal max-sm:before:text-muted max-sm:before:content-[attr(data-label)] max-sm:empty:hidden!',
    column.className,
  );

interface RowProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly id: string;
  readonly name: string;
  readonly onPeek: ((id: string) => void) | undefined;
}

/** Text shrinks to the width of its column. What does not break keeps its own width. */
const cellStyle = ({ id, className = '' }: Pick<Column<never>, 'id' | 'className'>): CSSProperties =>
  className.includes('whitespace-nowrap') ? {} : ({ '--cell-width': columnWidth(id) } as CSSProperties);

/** Takes no width, so that the column does not change. The keyboard has Space instead. */
const PeekButton = ({ id, name, onPeek }: Omit<RowProps<never>, 'row' | 'columns'>) => (
  <div className="relative z-10 max-sm:hidden">
    <button
      type="button"
      tabIndex={-1}
      title={t('Preview')}
      aria-label={t('Preview {name}', { name })}
      className="absolute -top-4 right-0 grid size-8 place-items-center rounded-lg border border-line bg-surface text-muted opacity-0 shadow-lift group-hover/row:opacity-100 group-focus/row:opacity-100 hover:text-ink focus:opacity-100"
      onClick={({ currentTarget }) => {
        currentTarget.closest('tr')?.focus();
        onPeek?.(id);
      }}
    >
      <PanelRight className="size-4" aria-hidden />
    </button>
  </div>
);

const Cells = <Row,>({ row, columns, ...peek }: RowProps<Row>): ReactNode =>
  columns.map((column, at) => (
    <td
      key={column.id}
      // biome-ignore lint/a11y/noRedundantRoles: a card at phone width would lose it
      role="cell"
      data-label={column.header}
      className={cellClass(column)}
      style={cellStyle(column)}
    >
      {at === 0 && peek.onPeek ? (
        <div className="flex items-center">
          <div className="min-w-0 flex-1">{column.cell(row)}</div>
          <PeekButton {...peek} />
        </div>
      ) : (
        column.cell(row)
      )}
    </td>
  ));
const MemoCells = memo(Cells) as typeof Cells;

const TableRow = <Row,>({
  canSelect,
  isSelected,
  onSelect,
  ...cells
}: RowProps<Row> & {
  readonly canSelect: boolean;
  readonly isSelected: boolean;
  readonly onSelect: (ids: readonly string[], isSelected: boolean) => void;
}) => (
  // biome-ignore-start lint/a11y/noRedundantRoles: a card at phone width would lose them
  <tr
    role="row"
    data-row={cells.id}
    tabIndex={-1}
    aria-selected={canSelect ? isSelected : undefined}
    className={cx(
      'group/row relative border-b border-line -outline-offset-2 last:border-b-0 sm:h-(--row-height) max-sm:block max-sm:py-3 max-sm:pr-4 max-sm:pl-4 focus:shadow-[inset_3px_0_0_var(--accent)]',
      canSelect && 'max-sm:pl-13',
      isSelected ? 'bg-accent-soft' : 'focus:bg-sunken/50 hover:bg-sunken/50',
    )}
  >
    {canSelect && (
      <td
        role="cell"
        className="w-12 py-2 pr-0 pl-4 sm:py-(--cell-padding) max-sm:absolute max-sm:top-1.5 max-sm:left-0"
      >
        <div className="relative z-10">
          <RowCheckbox
            label={t('Select {name}', { name: cells.name })}
            checked={isSelected}
            onChange={(checked) => onSelect([cells.id], checked)}
          />
        </div>
      </td>
    )}
    <MemoCells {...cells} />
  </tr>
  // biome-ignore-end lint/a11y/noRedundantRoles: as above
);
/** A change of the selection or of other parts of the page does not render the cells again. */
const MemoRow = memo(TableRow) as typeof TableRow;

/* The `display` values of cards remove the table semantics in some browsers, so the roles are explicit. */
export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const {
    label,
    columns,
    rows: latestRows,
    rowId,
    rowName,
    selected = noneSelected,
    onSelect,
    onPeek,
    error,
    onRetry,
    empty,
    stale,
    sort,
    onSort,
  } = props;
  const { rows, renderedRows, isRendering } = useRenderedRows(latestRows, rowId);
  const ids = rows?.map(rowId) ?? [];
  const { table, chosen, resize } = useColumnWidths(
    props.name ?? label,
    columns.map(({ id }) => id),
    Object.fromEntries(columns.flatMap(({ id, share }) => (share ? [[id, share]] : []))),
    !isRendering && ids.length >= SKELETON_ROWS,
  );
  const selectedHere = ids.filter((id) => selected.has(id));
  const latest = useRef({ selected, onSelect, onPeek });
  latest.current = { selected, onSelect, onPeek };
  const peek = useCallback((id: string) => latest.current.onPeek?.(id), []);
  const select = useCallback((changed: readonly string[], isSelected: boolean) => {
    const next = new Set(latest.current.selected);
    for (const id of changed) isSelected ? next.add(id) : next.delete(id);
    latest.current.onSelect?.(next);
  }, []);
  if (error && !rows)
    return (
      <div className="card">
        <ErrorState error={error} onRetry={onRetry} />
      </div>
    );
  if (rows?.length === 0) return <div className="card">{empty}</div>;
  return (
    <div
      // Only sideways: rows of a fraction of a pixel would bring a second scrollbar.
      className={cx(
        'card @container overflow-x-auto overflow-y-hidden transition-opacity',
        stale && 'opacity-60',
      )}
      aria-busy={!rows || stale || isRendering}
    >
      {/* biome-ignore-start lint/a11y/noRedundantRoles: cards at phone width would lose them */}
      {/* Without a minimum width, text that breaks anywhere would let its column shrink to a single letter. */}
      <table
        {...table}
        role="table"
        aria-label={label}
        className="w-full text-sm max-sm:block sm:[&_.wrap-anywhere]:min-w-0 sm:[&_.wrap-anywhere]:wrap-break-word"
      >
        <thead role="rowgroup" className="max-sm:sr-only">
          <tr role="row" className="border-b border-line bg-sunken/60 text-start">
            {onSelect && (
              <th role="columnheader" scope="col" className="w-12 py-2 pr-0 pl-4 text-start">
                <RowCheckbox
                  label={t('Select all on this page')}
                  checked={selectedHere.length > 0 && (selectedHere.length === ids.length || 'indeterminate')}
                  disabled={!rows}
                  onChange={(checked) => select(ids, checked)}
                />
              </th>
            )}
            {columns.map((column) => (
              <th
                key={column.id}
                role="columnheader"
                scope="col"
                data-column={column.id}
                // Otherwise it would contain that of the separator.
                aria-label={column.header}
                style={{ width: columnWidth(column.id), minWidth: chosen[column.id] }}
                aria-sort={onSort && column.sort ? sortDirection(column.sort, sort) : undefined}
                className={cx(
                  column.hideBelow && hidden[column.hideBelow],
                  'relative px-4 py-2 sm:@max-3xl:px-2.5 text-xs font-medium whitespace-nowrap text-muted',
                  column.align === 'end' ? 'text-end' : 'text-start',
                )}
              >
                {onSort && column.sort ? (
                  <SortHeader
                    label={column.header}
                    sort={column.sort}
                    first={column.sortFirst}
                    current={sort}
                    isAtEnd={column.align === 'end'}
                    onSort={onSort}
                  />
                ) : (
                  column.header
                )}
                <ColumnResizer
                  header={column.header}
                  width={chosen[column.id]}
                  onResize={(width) => resize(column.id, width)}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-sm:block">
          {!rows && <SkeletonRows columns={columns} selectable={onSelect !== undefined} />}
          {renderedRows?.map((row) => {
            const id = rowId(row);
            return (
              <MemoRow
                key={id}
                id={id}
                row={row}
                columns={columns}
                name={rowName?.(row) ?? id}
                onPeek={onPeek && peek}
                canSelect={onSelect !== undefined}
                isSelected={selected.has(id)}
                onSelect={select}
              />
            );
          })}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: as above */}
    </div>
  );
};

const SkeletonRows = <Row,>({
  columns,
  selectable,
}: {
  readonly columns: readonly Column<Row>[];
  readonly selectable: boolean;
}) =>
  Array.from({ length: SKELETON_ROWS }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholder rows have no identity
    <tr key={row} aria-hidden className="border-b border-line last:border-b-0 max-sm:block max-sm:p-4">
      {selectable && <td className="w-12 max-sm:hidden" />}
      {columns.map((column, index) => (
        <td
          key={column.id}
          className={cx(
            column.hideBelow && hidden[column.hideBelow],
            'px-4 py-3.5 max-sm:block max-sm:px-0 max-sm:py-1.5',
            index > 2 && 'max-sm:hidden',
          )}
        >
          <Skeleton
            className={cx(
              'h-4',
              (row + index) % 3 === 0 ? 'w-2/3' : (row + index) % 3 === 1 ? 'w-1/2' : 'w-4/5',
            )}
          />
        </td>
      ))}
    </tr>
  ));
