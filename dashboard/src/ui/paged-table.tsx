import { type ReactNode, useDeferredValue } from 'react';
import { Pager } from './pager.tsx';
import { PageOutOfRange } from './states.tsx';
import { DataTable, type DataTableProps } from './table.tsx';

/** The result of a query for one page of a list. A list without pagination is shown as a whole. */
interface Listed<Row> {
  readonly data?:
    | {
        readonly data: readonly Row[];
        readonly pagination?: { readonly total: number; readonly total_is_capped?: boolean };
      }
    | undefined;
  readonly error: unknown;
  readonly isPlaceholderData: boolean;
  readonly refetch: () => unknown;
}

export type PagedTableProps<Row> = Omit<DataTableProps<Row>, 'rows' | 'error' | 'onRetry' | 'stale'> & {
  readonly list: Listed<Row>;
  readonly icon: ReactNode;
  readonly page: number;
  readonly pageSize: number;
  readonly onPage: (page: number) => void;
  readonly onPageSize?: ((size: number) => void) | undefined;
};

/** One page of a list with pagination. `empty` is shown if the list has no entries. */
export const PagedTable = <Row,>(props: PagedTableProps<Row>) => {
  const { list, icon, page, pageSize, onPage, onPageSize, empty, ...table } = props;
  // The table shows its rows with the same delay.
  const pagination = useDeferredValue(list.data?.pagination);
  return (
    <>
      <DataTable
        {...table}
        rows={list.data?.data}
        error={list.error}
        onRetry={() => void list.refetch()}
        stale={list.isPlaceholderData}
        empty={page > 1 ? <PageOutOfRange icon={icon} onFirst={() => onPage(1)} /> : empty}
      />
      {pagination !== undefined && pagination.total > 0 && (
        <Pager
          page={page}
          pageSize={pageSize}
          total={pagination.total}
          isTotalCapped={pagination.total_is_capped ?? false}
          onPage={onPage}
          onPageSize={onPageSize}
        />
      )}
    </>
  );
};
