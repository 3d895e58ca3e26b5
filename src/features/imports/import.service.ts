import type { Db } from '../../db/db.ts';
import { longRead, read } from '../../db/operation.ts';
import { invalid, notFound, type Problem } from '../../lib/errors.ts';
import { type Page, type PageRequest, pageRequestOf } from '../../lib/page.ts';
import type { Principal } from '../workspaces/principal.ts';
import { type Column, samplesOf, shown } from './csv/columns.ts';
import type { FileFormat } from './csv/open.ts';
import { unescapeCell } from './csv/write.ts';
import type { ImportOptions, RowQuery } from './import.schema.ts';
import * as store from './import.store.ts';
import { undoUntil } from './lifecycle.service.ts';
import { countRows } from './totals.ts';

/** Samples are looked for in so many of the first rows, except long ones. */
const SAMPLED_ROWS = 20;

/** The columns with their samples, which are read from the rows: so no copy of a deleted contact is left in them. */
const columnsOf = (
  { columns }: store.ShownImport,
  rows: readonly Pick<store.RowRecord, 'cells'>[],
): Column[] => {
  const cells = rows.map((row) => (JSON.parse(row.cells ?? '[]') as string[]).map(unescapeCell));
  return (JSON.parse(columns) as Column[]).map((column, at) => ({
    ...column,
    samples: samplesOf(cells, at),
  }));
};

const importOf = (record: store.ShownImport, rows: readonly Pick<store.RowRecord, 'cells'>[]) => {
  const totals = JSON.parse(record.totals) as Record<string, number>;
  return {
    id: record.id,
    name: record.name,
    state: record.state,
    // Imports from before the rule have refused such rows.
    options: { on_invalid: 'reject_row', ...JSON.parse(record.options) } as ImportOptions,
    columns: columnsOf(record, rows),
    // Imports from before workbooks were read name no sheet.
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
    return importOf(found, await db.all(store.shortCells, { workspace, id, after: 0, until: SAMPLED_ROWS }));
  },
);

/** How far an import is: what a page that follows it reads again and again. */
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
    const rows = await db.all(store.listImportRows, { workspace, ...pageRequestOf(query) });
    const total = Number((await db.get(store.countImports, { workspace }))?.count);
    return { json: rows.map((row) => JSON.stringify(importOf(row, []))).join(','), total };
  },
);

/** What a page shows of a cell. */
const SHOWN_CELL = 1_000;

/** The cells in the beginning of their JSON, which may be cut anywhere, also within an escape of six characters. */
const cellsIn = (json: string): string[] => {
  for (let cut = 0; cut < 6; cut++) {
    for (const end of ['', ']', '"]']) {
      try {
        return JSON.parse(json.slice(0, json.length - cut) + end) as string[];
      } catch {}
    }
  }
  return [];
};

/** The JSON of cells with long ones cut. */
const shownJson = (json: string): string =>
  json.length <= SHOWN_CELL ? json : JSON.stringify(cellsIn(json).map((cell) => shown(cell, SHOWN_CELL)));

const rowOf = (row: store.ShownRow) => ({
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

/** The JSON of a row. The cells are stored as JSON: short ones are sent as they are. */
const jsonOf = (row: store.ShownRow): string => {
  const { number, line, cells: _, ...rest } = rowOf({ ...row, cells: null });
  const cells = row.cells === null ? 'null' : shownJson(row.cells);
  return `{"number":${number},"line":${line},"cells":${cells},${JSON.stringify(rest).slice(1)}`;
};

/** One page of the rows in the order of the file; those of one verdict or of one effect where one is named. */
export const listRows = longRead(
  'listRows',
  async (db: Db, principal: Principal, { id, query }: { id: string; query: RowQuery }): Promise<Page> => {
    const { workspace } = principal;
    const { rows, totals } = await getProgress(db, principal, { id });
    const { verdict = '', effect = '', warnings = false } = query;
    const filters = [verdict && 'verdict', effect && 'effect', warnings && 'warnings'] as const;
    const [filter = 'all', second] = filters.filter((each) => each !== '' && each !== false);
    if (second) throw invalid([{ field: second, message: `cannot be combined with ${filter}. Send one.` }]);
    const listing = store.listings[filter];
    const found = await db.all(listing, { workspace, id, verdict, effect, ...pageRequestOf(query) });
    const counted = warnings ? 'with_warnings' : verdict || effect;
    const total = counted ? (totals[counted] ?? 0) : rows;
    return { json: found.map(jsonOf).join(','), total };
  },
);

/** What a report holds in memory, and how long it formats without a pause. */
const STEP_BYTES = 131_072;

/** The next rows after one, for a report of all of them. */
export const walkRows = longRead(
  'walkRows',
  async (
    db: Db,
    { workspace }: Principal,
    { id, after, limit }: { id: string; after: number; limit: number },
  ): Promise<RowView[]> =>
    (await db.all(store.nextForReport, { workspace, id, after, limit, bytes: STEP_BYTES })).map(rowOf),
);
