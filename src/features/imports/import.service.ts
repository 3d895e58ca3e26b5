import type { Db } from '../../db/db.ts';
import { longRead, read } from '../../db/operation.ts';
import { truncate } from '../../files/csv/columns.ts';
import { countFieldNames, LAST_HEADER_ROW } from '../../files/csv/header-row.ts';
import { unescapeCell } from '../../files/csv/write.ts';
import { invalidField, notFound, type Problem } from '../../lib/errors.ts';
import { type Page, type PageRequest, pageRequestOf } from '../../lib/page.ts';
import { findEnrollable } from '../campaigns/enrollment.service.ts';
import { fieldsOf } from '../fields/field.store.ts';
import { assertAlso } from '../workspaces/access.guard.ts';
import { isKeyWithout, type Principal } from '../workspaces/principal.ts';
import type { ImportOptions, Reason, RowFilter, RowQuery } from './import.schema.ts';
import * as store from './import.store.ts';
import { importOf } from './import.view.ts';
import { parseTruncatedCells, rowDetails } from './row.details.ts';
import * as rowStore from './row.store.ts';
import { countRows } from './totals.ts';

/** Samples come from this many rows at the start, except long ones. */
const SAMPLED_ROWS = 50;

/** Keys that may not list users do not see their addresses. */
const shownTo = (principal: Principal, record: store.ImportWithEmail): store.ImportWithEmail =>
  isKeyWithout(principal, 'admin') ? { ...record, created_by_email: null } : record;

export const findImport = async (
  db: Db,
  { workspace }: Pick<Principal, 'workspace'>,
  id: string,
): Promise<store.ImportWithEmail> => {
  const found = await db.get(store.findImport, { workspace, id });
  if (!found) throw notFound('import');
  return found;
};

/** The id of the campaign that an import names, if one can be enrolled there. */
export const campaignOf = read(
  'campaignOfImport',
  async (db, principal: Principal, { campaign_id }: Pick<Partial<ImportOptions>, 'campaign_id'>) => {
    if (!campaign_id) return null;
    assertAlso(principal, 'campaigns:write', 'contacts:read');
    return findEnrollable(db, principal, campaign_id);
  },
);

export const getImport = read('getImport', async (db, principal: Principal, { id }: { id: string }) => {
  const { workspace } = principal;
  const found = await findImport(db, principal, id);
  return importOf(
    shownTo(principal, found),
    await db.all(rowStore.shortCells, { workspace, id, after: 0, until: SAMPLED_ROWS }),
    await fieldsOf(db, workspace),
  );
});

/** One page, newest first. The samples of the columns are left out. */
export const listImports = longRead(
  'listImports',
  async (db, principal: Principal, query: Partial<PageRequest>): Promise<Page> => {
    const { workspace } = principal;
    const rows = await db.all(store.listImports, { workspace, ...pageRequestOf(query) });
    const total = Number((await db.get(store.countImports, { workspace }))?.count);
    return {
      json: rows.map((row) => JSON.stringify(importOf(shownTo(principal, row)))).join(','),
      total,
    };
  },
);

/** Longer cells are truncated in a page. */
const CELL_LENGTH = 1_000;

const rowOf = (row: rowStore.ListedRow, parse: (cells: string) => string[]) => ({
  number: row.number,
  line: row.line,
  cells: row.cells === null ? null : parse(row.cells),
  verdict: row.verdict,
  field: row.field,
  reason: row.reason,
  warnings: (row.warnings === null ? [] : JSON.parse(row.warnings)) as Problem[],
  effect: row.effect,
  contact_id: row.contact_id,
});
export type RowView = ReturnType<typeof rowOf>;

const truncatedCells = (json: string): string[] =>
  parseTruncatedCells(json).map((cell) => truncate(cell, CELL_LENGTH));

/** The one filter of a request, and its value. Throws if there are several. */
export const filterOf = ({ verdict, effect, reason, warnings = false }: RowFilter) => {
  const filters = { verdict, effect, reason, warnings };
  const names = Object.keys(filters) as (keyof typeof filters)[];
  const [filter = 'all' as const, second] = names.filter((name) => filters[name]);
  if (second) throw invalidField(second, `cannot be combined with ${filter}. Send one.`);
  return { filter, value: verdict ?? effect ?? reason ?? '' };
};

/** One page of the rows in file order, optionally of one verdict, effect or reason, or with warnings. */
export const listRows = longRead(
  'listRows',
  async (db, principal: Principal, { id, ...query }: RowQuery & { id: string }): Promise<Page> => {
    const { workspace } = principal;
    if (query.include) assertAlso(principal, 'contacts:read');
    const record = await findImport(db, principal, id);
    const totals = JSON.parse(record.totals) as Record<string, number>;
    const reasons = JSON.parse(record.reasons) as Record<string, number>;
    const { filter, value } = filterOf(query);
    const counts = filter === 'reason' ? reasons : totals;
    const name = filter === 'warnings' ? 'with_warnings' : value;
    const total = filter === 'all' ? countRows(totals) : (counts[name] ?? 0);
    const page = { workspace, id, value, ...pageRequestOf(query) };
    const found = await db.all(rowStore.listings[filter], page);
    const detailsOf = query.include && (await rowDetails(db, principal, record, found));
    const rows = found.map((row) => JSON.stringify({ ...rowOf(row, truncatedCells), ...detailsOf?.(row) }));
    return { json: rows.join(','), total };
  },
);

/** Limits the memory of a report and how long formatting blocks the event loop. */
const STEP_BYTES = 131_072;

/** The rows that follow a row, for the report. */
export const walkRows = longRead(
  'walkRows',
  async (
    db,
    { workspace }: Principal,
    { id, after, limit, query = {} }: { id: string; after: number; limit: number; query?: RowFilter },
  ): Promise<RowView[]> => {
    const { filter, value } = filterOf(query);
    const step = { workspace, id, after, limit, bytes: STEP_BYTES, value };
    const rows = await db.all(rowStore.nextReportRows[filter], step);
    return rows.map((row) => rowOf(row, JSON.parse));
  },
);

/** Names of the header in a suggestion. */
const MAX_NAMES = 12;

/** A row that names at least two fields is the header of the rows below it. */
const suggestHeaderRow = (rows: readonly Pick<rowStore.RowRecord, 'line' | 'cells'>[]) => {
  for (const { line, cells } of rows.slice(0, -1)) {
    if (cells === null || line > LAST_HEADER_ROW) continue;
    const names = (JSON.parse(cells) as string[]).map(unescapeCell);
    if (countFieldNames({ line, cells: names }) >= 2) {
      return { line, names: names.slice(0, MAX_NAMES).map((name) => truncate(name)) };
    }
  }
  return null;
};

/** Why rows are rejected or incomplete, with the number of rows and the first one of each reason. */
export const getImportReasons = longRead(
  'getImportReasons',
  async (db, { workspace }: Principal, { id }: { id: string }) => {
    const record = await findImport(db, { workspace }, id);
    const counts = Object.entries(JSON.parse(record.reasons) as Record<Reason, number>);
    const reasons = [];
    for (const [reason, count] of counts.sort(([, one], [, other]) => other - one)) {
      const page = { workspace, id, value: reason, limit: 1, offset: 0 };
      const [row] = await db.all(rowStore.listings.reason, page);
      if (!row) continue;
      const [warning] = (row.warnings === null ? [] : JSON.parse(row.warnings)) as Problem[];
      const { field, message } = warning ?? { field: row.field, message: row.reason ?? '' };
      const rejected = row.verdict === 'invalid' || row.verdict === 'duplicate_in_file';
      reasons.push({ reason: reason as Reason, count, rejected, field, line: row.line, message });
    }
    const canMove = record.state === 'planned' || record.state === 'planning';
    const first = canMove
      ? await db.all(rowStore.shortCells, { workspace, id, after: 0, until: LAST_HEADER_ROW })
      : [];
    return { header_row: suggestHeaderRow(first), reasons };
  },
);
