import { useMemo, useState } from 'react';
import { PAGE_SIZE, PAGE_SIZES, pageQuery, toList, toPageParam } from '../lib/search-params.ts';
import { readListSettings, rememberListSettings } from '../ui/list-settings.ts';
import type { Column } from '../ui/table.tsx';

/** The parameters that every list has in its address. */
export interface ListSearch<Sort extends string = string> {
  readonly page?: number | undefined;
  readonly size?: number | undefined;
  readonly sort?: Sort | undefined;
  /** The ids of the visible columns in their order, separated by commas. */
  readonly columns?: string | undefined;
}

type Change = Readonly<Record<string, string | number | undefined>>;

export interface ListView<Row, Sort extends string = string> {
  /** What the list is called in the settings of the browser and in saved views. */
  readonly name: string;
  readonly page: number;
  readonly size: number;
  readonly sort: string | undefined;
  /** The page and the order, for the service. */
  readonly query: { readonly limit: number; readonly offset: number; readonly sort?: Sort };
  /** The visible columns, in their order. */
  readonly columns: readonly Column<Row>[];
  readonly allColumns: readonly Column<Row>[];
  readonly onPage: (page: number) => void;
  readonly onPageSize: (size: number) => void;
  readonly onSort: (sort: string) => void;
  /** Shows these columns; without an argument, the usual ones. */
  readonly onColumns: (ids?: readonly string[]) => void;
  /** Changes filters, and returns to the first page. */
  readonly onFilter: (change: Change) => void;
}

/** The first column names the row, so it is always visible and first. */
const visibleColumns = <Row>(all: readonly Column<Row>[], ids: readonly string[]): readonly Column<Row>[] => {
  if (ids.length === 0) return all.filter(({ isExtra }) => !isExtra);
  const [first, ...others] = all;
  const chosen = [...new Set(ids)].flatMap((id) => others.find((column) => column.id === id) ?? []);
  return first ? [first, ...chosen] : [];
};

/** The state of a list: page, page size, order and columns. It is in the address; size and columns are also remembered for
 *  the next visit. `navigate` changes parameters of the address. */
export const useListView = <Row, Sort extends string = string>({
  name,
  search,
  columns: allColumns,
  navigate,
}: {
  readonly name: string;
  readonly search: ListSearch<Sort>;
  readonly columns: readonly Column<Row>[];
  readonly navigate: (change: Change, options: { readonly replace: boolean }) => void;
}): ListView<Row, Sort> => {
  const [settings, setSettings] = useState(() => readListSettings(name));
  const remember = (change: { size?: number; columns?: string }) => {
    rememberListSettings(name, change);
    setSettings((now) => ({ ...now, ...change }));
  };
  const page = search.page ?? 1;
  const size = search.size ?? PAGE_SIZES.find((each) => each === settings.size) ?? PAGE_SIZE;
  const shown = search.columns ?? settings.columns ?? '';
  const columns = useMemo(() => visibleColumns(allColumns, toList(shown)), [allColumns, shown]);
  return {
    name,
    page,
    size,
    sort: search.sort,
    query: { ...pageQuery(page, size), ...(search.sort && { sort: search.sort }) },
    columns,
    allColumns,
    onPage: (next) => navigate({ page: toPageParam(next) }, { replace: false }),
    onPageSize: (next) => {
      remember({ size: next });
      // The first row of the page stays visible.
      const first = (page - 1) * size;
      navigate({ size: next, page: toPageParam(Math.floor(first / next) + 1) }, { replace: true });
    },
    onSort: (sort) => navigate({ sort, page: undefined }, { replace: true }),
    onColumns: (ids) => {
      const text = ids?.join() ?? '';
      remember({ columns: text });
      navigate({ columns: text || undefined }, { replace: true });
    },
    onFilter: (change) => navigate({ ...change, page: undefined }, { replace: true }),
  };
};
