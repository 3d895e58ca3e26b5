import type { Db } from '../../db/db.ts';
import { longRead, read } from '../../db/operation.ts';
import { invalid, notFound, type Problem } from '../../lib/errors.ts';
import { type Page, type PageRequest, pageRequestOf } from '../../lib/page.ts';
import type { Principal } from '../workspaces/principal.ts';
import { type Column, samplesOf, truncate } from './csv/columns.ts';
import type { FileFormat } from './csv/open.ts';
import { unescapeCell } from './csv/write.ts';
import type { ImportOptions, RowQuery } from './import.schema.ts';
import * as store from './import.store.ts';
import { undoUntil } from './lifecycle.service.ts';
import * as rowStore from './row.store.ts';
import { countRows } from './totals.ts';

/** Samples come from this many rows at the start, except long ones. */
const SAMPLED_ROWS = 20;

/** The columns with samples. These are read from the rows, so they hold no copy of a deleted contact. */
const columnsOf = (
  { columns }: store.ImportWithEmail,
  rows: readonly Pick<rowStore.RowRecord, 'cells'>[],
): Column[] => {
  const cells = rows.map((row) => (JSON.parse(row.cells ?? '[]') as string[]).map(unescapeCell));
  return (JSON.parse(columns) as Column[]).map((column, at) => ({
    ...column,
    samples: samplesOf(cells, at),
  }));
};

const importOf = (record: store.ImportWithEmail, rows: readonly Pick<rowStore.RowRecord, 'cells'>[]) => {
  const totals = JSON.parse(record.totals) as Record<string, number>;
  return {
    id: record.id,
    name: record.name,
    state: record.state,
    // Imports that are older than this option rejected such rows.
    options: { on_invalid: 'reject_row', ...JSON.parse(record.options) } as ImportOptions,
    columns: columnsOf(record, rows),
    // Imports that are older than workbook support have no sheet.
    file: record.file === null ? null : ({ sheet: null, ...JSON.parse(record.file) } as FileFormat),
    totals,
    progress: record.progress,
    rows: countRows(totals),
    created_by: record.created_by,
    created_by_email: record.created_by_email,
    created_at: record.created_at,
    applied_at: record.applied_at,
    undo_until: record.state === 'applied' && record.applied_at ? undoUntil(record.applied_at) : null,
  };
};
export type ImportView = ReturnType<typeof importOf>;

export const getImport = read(
  'getImport',
  async (db: Db, { workspace }: Principal, { id }: { id: string }): Promise<ImportView> => {
    const found = await db.get(store.findImport, { workspace, id });
    if (!found) throw notFound('import');
    return importOf(
      found,
      await db.all(rowStore.shortCells, { workspace, id, after: 0, until: SAMPLED_ROWS }),
    );
  },
);

/** The progress of an import. It is polled, so it reads little. */
export const getProgress = read(
  'getProgress',
  async (db: Db, { workspace }: Principal, { id }: { id: string }) => {
    const found = await db.get(store.findProgress, { workspace, id });
    if (!found) throw notFound('import');
    const totals = JSON.parse(found.totals) as Record<string, number>;
    return { state: found.state, progress: found.progress, rows: countRows(totals), totals };
  },
);
export type ImportProgress = Awaited<ReturnType<typeof getProgress>>;

/** One page, newest first. The samples of the columns are left out. */
export const listImports = longRead(
  'listImports',
  async (db: Db, { workspace }: Principal, query: Partial<PageRequest>): Promise<Page> => {
    const rows = await db.all(store.listImports, { workspace, ...pageRequestOf(query) });
    const total = Number((await db.get(store.countImports, { workspace }))?.count);
    return { json: rows.map((row) => JSON.stringify(importOf(row, []))).join(','), total };
  },
);

/** Longer cells are truncated in a page. */
const CELL_LENGTH = 1_000;

/** Parses a JSON array of cells that may be cut off anywhere, even within an escape sequence of six characters. */
const parseTruncatedCells = (json: string): string[] => {
  for (let cut = 0; cut < 6; cut++) {
    for (const end of ['', ']', '"]']) {
      try {
        return JSON.parse(json.slice(0, json.length - cut) + end) as string[];
      } catch {}
    }
  }
  return [];
};

const truncatedCellsJson = (json: string): string =>
  json.length <= CELL_LENGTH
    ? json
    : JSON.stringify(parseTruncatedCells(json).map((cell) => truncate(cell, CELL_LENGTH)));

const rowOf = (row: rowStore.ListedRow) => ({
  number: row.number,
  line: row.line,
  cells: row.cells === null ? null : (JSON.parse(row.cells) as string[]),
  verdict: row.verdict,
  field: row.field,
  reason: row.reason,
  warnings: (row.warnings === null ? [] : JSON.parse(row.warnings)) as Problem[],
  effect: row.effect,
  contact_id: row.contact_id,
});
export type RowView = ReturnType<typeof rowOf>;

/** The JSON of a row. Cells are stored as JSON, and short ones are sent as stored. */
const jsonOf = (row: rowStore.ListedRow): string => {
  const { number, line, cells: _, ...rest } = rowOf({ ...row, cells: null });
  const cells = row.cells === null ? 'null' : truncatedCellsJson(row.cells);
  return `{"number":${number},"line":${line},"cells":${cells},${JSON.stringify(rest).slice(1)}`;
};

/** One page of the rows in file order, optionally of one verdict, of one effect, or with warnings. */
export const listRows = longRead(
  'listRows',
  async (db: Db, principal: Principal, { id, query }: { id: string; query: RowQuery }): Promise<Page> => {
    const { workspace } = principal;
    const { rows, totals } = await getProgress(db, principal, { id });
    const { verdict = '', effect = '', warnings = false } = query;
    const filters = [verdict && 'verdict', effect && 'effect', warnings && 'warnings'] as const;
    const [filter = 'all', second] = filters.filter((each) => each !== '' && each !== false);
    if (second) throw invalid([{ field: second, message: `cannot be combined with ${filter}. Send one.` }]);
    const listing = rowStore.listings[filter];
    const found = await db.all(listing, { workspace, id, verdict, effect, ...pageRequestOf(query) });
    const counted = warnings ? 'with_warnings' : verdict || effect;
    const total = counted ? (totals[counted] ?? 0) : rows;
    return { json: found.map(jsonOf).join(','), total };
  },
);

/** Limits the memory of a report and how long formatting blocks the event loop. */
const STEP_BYTES = 131_072;

/** The rows that follow a row, for the report. */
export const walkRows = longRead(
  'walkRows',
  async (
    db: Db,
    { workspace }: Principal,
    { id, after, limit }: { id: string; after: number; limit: number },
  ): Promise<RowView[]> =>
    (await db.all(rowStore.nextReportRows, { workspace, id, after, limit, bytes: STEP_BYTES })).map(rowOf),
);
