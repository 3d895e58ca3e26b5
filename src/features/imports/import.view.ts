import { samplesOf } from '../../files/csv/columns.ts';
import type { FileFormat } from '../../files/csv/open.ts';
import { unescapeCell } from '../../files/csv/write.ts';
import { inDays } from '../../lib/clock.ts';
import type { Snapshot } from '../../records/change.ts';
import type { Definitions } from '../fields/field.values.ts';
import { type Column, shownColumn, suggestFields } from './field.columns.ts';
import { DEFAULT_RULES, type ImportOptions } from './import.schema.ts';
import type * as store from './import.store.ts';
import type * as rowStore from './row.store.ts';
import { countRows } from './totals.ts';

/** How long an import can be undone. After that its rows, which are copies of personal data, are deleted. */
export const UNDO_DAYS = 30;

export const undoUntil = (applied_at: string): string => inDays(UNDO_DAYS, Date.parse(applied_at));

/** The columns with samples, and the fields that could be created from them. Both are read from the rows, so they hold no copy of a
 *  deleted contact. */
const columnsOf = (
  record: store.ImportWithEmail,
  rows: readonly Pick<rowStore.RowRecord, 'cells'>[],
  definitions: Definitions,
) => {
  const cells = rows.map((row) => (JSON.parse(row.cells ?? '[]') as string[]).map(unescapeCell));
  const columns = (JSON.parse(record.columns) as Column[]).map((column, at) => ({
    ...column,
    samples: samplesOf(cells, at),
  }));
  const suggested = record.state === 'planned' ? suggestFields(columns, cells, definitions) : [];
  return columns.map((column, at) => shownColumn(column, suggested[at]));
};

/** The rules of an import, with the defaults of imports that are older than a rule. */
export const rulesOf = ({ options }: Pick<store.ImportRecord, 'options'>): ImportOptions => ({
  ...DEFAULT_RULES,
  ...({ on_invalid: 'reject_row', ...JSON.parse(options) } as ImportOptions),
});

/** An import as the API shows it, with samples from the given rows. */
export const importOf = (
  record: store.ImportWithEmail,
  sampled: readonly Pick<rowStore.RowRecord, 'cells'>[] = [],
  definitions: Definitions = new Map(),
) => {
  const totals = JSON.parse(record.totals) as Record<string, number>;
  const rows = countRows(totals);
  return {
    id: record.id,
    name: record.name,
    state: record.state,
    options: rulesOf(record),
    columns: columnsOf(record, sampled, definitions),
    // Imports that are older than workbook support have no sheet.
    file: record.file === null ? null : ({ sheet: null, ...JSON.parse(record.file) } as FileFormat),
    totals,
    // The first row has a higher number than 1 if the header row was chosen later.
    progress: Math.min(record.progress, rows),
    rows,
    created_by: record.created_by,
    created_by_email: record.created_by_email,
    created_at: record.created_at,
    applied_at: record.applied_at,
    undo_until: record.state === 'applied' && record.applied_at ? undoUntil(record.applied_at) : null,
  };
};
export type ImportView = ReturnType<typeof importOf>;

/** Without the samples of the columns and the email of the user, which would outlive the contacts and the user. */
export const importSnapshot = (record: store.ImportRecord): Snapshot => ({
  data: JSON.stringify(importOf({ ...record, created_by_email: null })),
});
