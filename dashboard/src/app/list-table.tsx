import { PagedTable, type PagedTableProps } from '../ui/paged-table.tsx';
import { useListKeys } from './list-keys.ts';
import type { ListView } from './list-view.ts';

/** The table of a list, with sorting, pages and keys. */
export const ListTable = <Row,>({
  view,
  onEdit,
  ...table
}: Omit<PagedTableProps<Row>, 'columns' | 'page' | 'pageSize' | 'onPage' | 'onPageSize' | 'onSort'> & {
  readonly view: ListView<Row>;
  /** Gets the id of the row at the cursor when `e` is pressed. */
  readonly onEdit?: (id: string) => void;
}) => {
  useListKeys({ canSelect: table.onSelect !== undefined, onEdit, onPeek: table.onPeek });
  return (
    <PagedTable
      sort={view.sort}
      name={view.name}
      {...table}
      columns={view.columns}
      page={view.page}
      pageSize={view.size}
      onPage={view.onPage}
      onPageSize={view.onPageSize}
      onSort={view.onSort}
    />
  );
};
