import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { FileSpreadsheet } from 'lucide-react';
import { apiQuery } from '../../../api/query.ts';
import type { Import } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { pageQuery } from '../../../lib/search-params.ts';
import { importStateLabel, totalsText } from '../../../records/imports/labels.ts';
import { Badge } from '../../../ui/badge.tsx';
import { PagedTable } from '../../../ui/paged-table.tsx';
import { RowLink } from '../../../ui/row-link.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { CreatedBy } from '../created-by.tsx';

const PAGE_SIZE = 20;

const columns: readonly Column<Import>[] = [
  {
    id: 'name',
    header: t('File'),
    phone: 'title',
    cell: ({ id, name }) => (
      <RowLink href={`/import/${id}`}>
        <span className="wrap-anywhere">{name}</span>
      </RowLink>
    ),
  },
  {
    id: 'state',
    header: t('Status'),
    cell: (each) => (
      <Badge tone={importStateLabel(each).tone} dot>
        {importStateLabel(each).label}
      </Badge>
    ),
  },
  { id: 'totals', header: t('Rows'), className: 'figure', cell: totalsText },
  { id: 'by', header: t('Created by'), cell: ({ created_by }) => <CreatedBy id={created_by} /> },
  {
    id: 'when',
    header: t('Created'),
    align: 'end',
    className: 'whitespace-nowrap text-muted',
    cell: ({ created_at }) => <Time at={created_at} />,
  },
];

/** The import history, newest first. */
export const ImportHistory = ({
  page,
  onPage,
}: {
  readonly page: number;
  readonly onPage: (page: number) => void;
}) => {
  const list = useQuery({
    ...apiQuery('/imports', { query: pageQuery(page, PAGE_SIZE) }),
    placeholderData: keepPreviousData,
  });
  return (
    <section aria-labelledby="former-imports">
      <h2 id="former-imports" className="mb-2 font-semibold">
        {t('Import history')}
      </h2>
      <PagedTable
        label={t('Imports')}
        columns={columns}
        list={list}
        icon={<FileSpreadsheet />}
        page={page}
        pageSize={PAGE_SIZE}
        onPage={onPage}
        rowId={({ id }) => id}
        empty={
          <EmptyState icon={<FileSpreadsheet />} title={t('No imports yet')}>
            {t(
              'Drop a file above to preview it. No contacts change until you apply the import, and you can undo it for 30 days.',
            )}
          </EmptyState>
        }
      />
    </section>
  );
};
