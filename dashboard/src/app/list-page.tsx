import type { RowData } from '@tanstack/react-table';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { countText } from '../lib/format.ts';
import { PAGE_SIZE } from '../lib/search-params.ts';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { PagedTable, type PagedTableProps } from '../ui/paged-table.tsx';
import { EmptyState } from '../ui/states.tsx';
import { useCommand } from './commands.ts';

type ListPageProps<Row> = Pick<
  PagedTableProps<Row>,
  'columns' | 'rowId' | 'list' | 'icon' | 'page' | 'onPage'
> & {
  readonly title: string;
  /** A single entry of the list, such as `agent`. */
  readonly noun: string;
  /** Shown instead of the number of entries while there are none. */
  readonly description: string;
  /** What an entry is and how to start, for the empty list. */
  readonly empty: ReactNode;
  readonly onCreate: () => void;
  /** The dialogs of the page. */
  readonly children: ReactNode;
};

/** The list of a resource whose entries are created here. */
export const ListPage = <Row extends RowData>({
  title,
  noun,
  description,
  empty,
  onCreate,
  children,
  ...table
}: ListPageProps<Row>) => {
  const { list } = table;
  const total = list.data?.pagination?.total ?? list.data?.data.length;
  useCommand(`Create ${noun}`, onCreate);
  const createButton = (
    <Button variant="primary" onClick={onCreate}>
      <Plus aria-hidden />
      Create {noun}
    </Button>
  );
  return (
    <Page title={title} description={total ? countText(total, noun) : description} actions={createButton}>
      <PagedTable
        {...table}
        label={title}
        pageSize={PAGE_SIZE}
        empty={
          <EmptyState icon={table.icon} title={`No ${noun}s yet`} action={createButton}>
            {empty}
          </EmptyState>
        }
      />
      {children}
    </Page>
  );
};
