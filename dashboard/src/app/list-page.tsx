import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { PAGE_SIZE } from '../lib/search-params.ts';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { PagedTable, type PagedTableProps } from '../ui/paged-table.tsx';
import { EmptyState } from '../ui/states.tsx';
import { useCreate } from './commands.ts';
import { useListKeys } from './list-keys.ts';

type ListPageProps<Row> = Pick<
  PagedTableProps<Row>,
  'columns' | 'rowId' | 'list' | 'icon' | 'page' | 'onPage'
> & {
  readonly title: string;
  /** The button that creates an entry, such as `Create agent`. */
  readonly create: string;
  /** The number of entries in words, such as `2 agents`. */
  readonly countText: (total: number) => string;
  /** Such as `No agents yet`. */
  readonly emptyTitle: string;
  /** Shown instead of the number of entries while there are none. */
  readonly description: string;
  /** What an entry is and how to start, for the empty list. */
  readonly empty: ReactNode;
  readonly onCreate: () => void;
  /** The dialogs of the page. */
  readonly children: ReactNode;
};

/** The list of a resource whose entries are created here. */
export const ListPage = <Row,>({
  title,
  create,
  countText,
  emptyTitle,
  description,
  empty,
  onCreate,
  children,
  ...table
}: ListPageProps<Row>) => {
  const { list } = table;
  const total = list.data?.pagination?.total ?? list.data?.data.length;
  useCreate(create, onCreate);
  useListKeys();
  const createButton = (
    <Button variant="primary" onClick={onCreate}>
      <Plus aria-hidden />
      {create}
    </Button>
  );
  return (
    <Page title={title} description={total ? countText(total) : description} actions={createButton}>
      <PagedTable
        {...table}
        label={title}
        pageSize={PAGE_SIZE}
        empty={
          <EmptyState icon={table.icon} title={emptyTitle} action={createButton}>
            {empty}
          </EmptyState>
        }
      />
      {children}
    </Page>
  );
};
