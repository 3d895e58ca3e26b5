import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { History, SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { apiQuery } from '../../../api/query.ts';
import type { Import, ImportColumn, ImportRow } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { PAGE_SIZE, pageQuery, toPageParam } from '../../../lib/search-params.ts';
import {
  effectLabels,
  type FieldName,
  pending,
  problemText,
  reasonText,
  verdictLabels,
} from '../../../records/imports/labels.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { rich } from '../../../ui/rich.tsx';
import { RowLink } from '../../../ui/row-link.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import type { ImportSearch } from '../url-params.ts';
import { Changes } from './changes.tsx';

/** The first non-empty cell of a row among the columns of a field. */
const cellOf = (columns: readonly ImportColumn[], { cells }: ImportRow, field: string): string =>
  columns
    .map((column, at) => (column.field === field ? (cells?.[at] ?? '').trim() : ''))
    .find((cell) => cell !== '') ?? '';

const RowContact = ({
  row,
  columns,
}: {
  readonly row: ImportRow;
  readonly columns: readonly ImportColumn[];
}) => {
  const cell = (field: FieldName) => cellOf(columns, row, field);
  if (row.cells === null)
    return <span className="text-muted">{t('Removed because the contact was deleted')}</span>;
  const phone = cell('phone_number') || cell('other_phone') || cell('normalized_phone');
  const name =
    cell('display_name') ||
    [cell('first_name'), cell('last_name')].filter(Boolean).join(' ') ||
    cell('email');
  const normalized = row.normalized_phone;
  const shown = name || phone || t('No name or number');
  return (
    <div className="min-w-0">
      {row.contact_id ? (
        <RowLink href={`/contacts/${row.contact_id}`}>
          <span className="wrap-anywhere">{shown}</span>
        </RowLink>
      ) : (
        <span className="font-medium wrap-anywhere">{shown}</span>
      )}
      {name && (
        <div className="figure text-[0.8125rem] wrap-anywhere text-muted">{phone || t('No number')}</div>
      )}
      {normalized && normalized !== phone && (
        <div className="figure text-[0.8125rem] wrap-anywhere">
          <span aria-hidden>→ </span>
          <span className="sr-only">{t('imported as')} </span>
          {normalized}
        </div>
      )}
    </div>
  );
};

/** The result of a row; pending until it is applied. */
const resultOf = ({ verdict, effect }: ImportRow, isPlan: boolean) => {
  if (effect) return effectLabels[effect];
  return isPlan || verdict === 'invalid' || verdict === 'duplicate_in_file'
    ? verdictLabels[verdict]
    : pending;
};

/** The skipped cells of a row, with reasons. */
const Warnings = ({ row, columns }: { readonly row: ImportRow; readonly columns: readonly ImportColumn[] }) =>
  row.warnings.map(({ field, message }) => (
    <div key={field} className="text-[0.8125rem] wrap-anywhere text-warn-ink">
      {problemText(field, message)}{' '}
      {rich('Skipped value: {value}', { value: <bdi>{cellOf(columns, row, field)}</bdi> })}
    </div>
  ));

/** What changes in the contact or, if nothing does, what the result means. */
const Meaning = ({ row: { changes = [] }, text }: { readonly row: ImportRow; readonly text: string }) =>
  changes.length > 0 ? <Changes changes={changes} /> : <span className="text-muted">{text}</span>;

const Reason = ({
  row,
  columns,
  isPlan,
}: {
  readonly row: ImportRow;
  readonly columns: readonly ImportColumn[];
  readonly isPlan: boolean;
}) => {
  const result = resultOf(row, isPlan);
  if (row.effect || result === pending) {
    return (
      <div className="min-w-0">
        <Meaning row={row} text={result.meaning} />
        <Warnings row={row} columns={columns} />
      </div>
    );
  }
  const isAtFault = row.verdict === 'invalid' && row.field !== null && row.field !== 'phone_number';
  const wrong = isAtFault ? cellOf(columns, row, row.field ?? '') : '';
  return (
    <div className="min-w-0">
      {row.reason === null ? <Meaning row={row} text={reasonText(row)} /> : reasonText(row)}
      <Warnings row={row} columns={columns} />
      {wrong && <div className="line-clamp-2 text-[0.8125rem] wrap-anywhere text-muted">{wrong}</div>}
    </div>
  );
};

const columnsOf = (columns: readonly ImportColumn[], isPlan: boolean): readonly Column<ImportRow>[] => [
  {
    id: 'who',
    header: t('In file'),
    phone: 'title',
    className: 'sm:w-2/5',
    cell: (row) => <RowContact row={row} columns={columns} />,
  },
  {
    id: 'verdict',
    header: t('Result'),
    className: 'whitespace-nowrap',
    cell: (row) => {
      const { tone, label } = resultOf(row, isPlan);
      return <Badge tone={tone}>{label}</Badge>;
    },
  },
  {
    id: 'reason',
    header: t('Reason'),
    cell: (row) => <Reason row={row} columns={columns} isPlan={isPlan} />,
  },
  { id: 'line', header: t('Line'), align: 'end', className: 'text-muted', cell: ({ line }) => line },
];

/** The rows in file order, filtered by the selected total. */
export const Rows = ({
  data,
  search,
  onPage,
  onAll,
}: {
  readonly data: Import;
  readonly search: ImportSearch;
  readonly onPage: (page: number | undefined) => void;
  readonly onAll: () => void;
}) => {
  const { verdict, effect, reason, warnings, page = 1 } = search;
  const list = useQuery({
    ...apiQuery('/imports/{id}/rows', {
      params: { id: data.id },
      query: { verdict, effect, reason, warnings, include: 'changes', ...pageQuery(page) },
    }),
    placeholderData: keepPreviousData,
  });
  const isPlan = data.state === 'planned';
  const columns = useMemo(() => columnsOf(data.columns, isPlan), [data.columns, isPlan]);
  const total = list.data?.pagination.total ?? 0;
  const isGone = total > 0 && page === 1;
  const empty = isGone ? (
    <EmptyState icon={<History />} title={t('Row details have expired')}>
      {t('Rows are stored for 30 days. The totals remain.')}
    </EmptyState>
  ) : (
    <EmptyState
      icon={<SearchX />}
      title={total > 0 ? t("This page doesn't exist") : t('No matching rows')}
      action={<Button onClick={onAll}>{t('Show all rows')}</Button>}
    >
      {total === 0 && t('No rows in this file have this result.')}
    </EmptyState>
  );
  return (
    <>
      <DataTable
        label={t('Rows of the file')}
        columns={columns}
        rows={list.data?.data}
        rowId={({ number }) => String(number)}
        error={list.error}
        onRetry={() => void list.refetch()}
        stale={list.isPlaceholderData}
        empty={empty}
      />
      {total > 0 && (
        <Pager page={page} pageSize={PAGE_SIZE} total={total} onPage={(next) => onPage(toPageParam(next))} />
      )}
    </>
  );
};
