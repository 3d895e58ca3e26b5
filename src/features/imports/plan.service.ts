import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { matchColumns } from '../../files/csv/columns.ts';
import { LAST_HEADER_ROW } from '../../files/csv/header-row.ts';
import { MIB } from '../../files/csv/limits.ts';
import type { FileFormat } from '../../files/csv/open.ts';
import { unescapeCell } from '../../files/csv/write.ts';
import { timestamp } from '../../lib/clock.ts';
import { conflict, invalidField } from '../../lib/errors.ts';
import { typeId } from '../../lib/ids.ts';
import { type Counts, change, changedFields } from '../../records/change.ts';
import { fieldsOf } from '../fields/field.store.ts';
import type { Definitions } from '../fields/field.values.ts';
import type { Principal } from '../workspaces/principal.ts';
import { type Column, matchFields, NO_FIELDS } from './field.columns.ts';
import { assertMayCreateFields, declaredFor, fieldsOfImport } from './field.service.ts';
import type { ImportOptions, replanBody } from './import.schema.ts';
import { campaignOf } from './import.service.ts';
import { importStep } from './import.step.ts';
import * as store from './import.store.ts';
import { type ImportView, importSnapshot, rulesOf } from './import.view.ts';
import {
  assertState,
  lockImport,
  scheduleUndoExpiry,
  scheduleUploadExpiry,
  startJob,
} from './lifecycle.service.ts';
import { applyMapping } from './mapping.ts';
import { rowReader } from './reading.ts';
import * as rowStore from './row.store.ts';
import { planBatch } from './verdicts.ts';
import type { ReadRow } from './worker/requests.ts';

export const importId = typeId('import');

interface NewImport {
  readonly id: string;
  readonly name: string;
  readonly options: ImportOptions;
  readonly columns: readonly Column[];
  readonly format: FileFormat;
}

/** Samples are read from the rows. */
const columnsJson = (columns: readonly Column[]): string =>
  JSON.stringify(columns.map((column) => ({ ...column, samples: [] })));

export const createImport = write(
  'createImport',
  async (db, { workspace, actor }: Principal, { id, name, ...file }: NewImport): Promise<void> => {
    const now = timestamp();
    await db.run(store.insertImport, {
      workspace_id: workspace,
      id,
      name,
      state: 'planning',
      options: JSON.stringify(file.options),
      columns: columnsJson(file.columns),
      file: JSON.stringify(file.format),
      totals: '{}',
      reasons: '{}',
      progress: 0,
      created_by: actor,
      created_at: now,
      updated_at: now,
      applied_at: null,
      entry: null,
      stored_bytes: 0,
    });
    await scheduleUploadExpiry(db, workspace, id);
  },
);

/** What a row takes besides its cells: other columns and entries of indexes. */
const ROW_BYTES = 200;

const sizeOf = (rows: readonly ReadRow[]): number =>
  rows.reduce((sum, { cells }) => sum + ROW_BYTES + Buffer.byteLength(cells ?? ''), 0);

const quotaExceeded = (quota: number) =>
  conflict(
    `The rows of this workspace's imports would take more than ${Math.floor(quota / MIB).toLocaleString('en')} MiB. Delete imports that you no longer need to undo, or ask the operator to raise IMPORT_STORAGE_MB.`,
  );

/** Inserts a batch of an upload with its verdicts. */
export const planRows = write(
  'planRows',
  async (
    db,
    principal: Principal,
    { id, rows, quota }: { id: string; rows: readonly ReadRow[]; quota: number },
  ): Promise<void> => {
    const { workspace } = principal;
    const record = await lockImport(db, principal, id);
    const bytes = sizeOf(rows);
    const stored = Number((await db.get(store.storedBytes, { workspace }))?.bytes);
    if (stored + bytes > quota) throw quotaExceeded(quota);
    const counts = await planBatch(db, principal, record, rows, rowStore.insertRow);
    await scheduleUploadExpiry(db, workspace, id);
    await db.run(store.updateImport, {
      ...record,
      ...counts,
      progress: rows.at(-1)?.number ?? record.progress,
      stored_bytes: record.stored_bytes + bytes,
    });
  },
);

/** Called when the file was read to its end. */
export const endPlan = write('endPlan', async (db, principal: Principal, { id }: { id: string }) => {
  const record = await lockImport(db, principal, id);
  const planned = { ...record, state: 'planned' as const, updated_at: timestamp() };
  await db.run(store.updateImport, planned);
  await scheduleUndoExpiry(db, principal.workspace, id);
  const { with_warnings: _, ...counts } = JSON.parse(record.totals) as Counts;
  const event = importSnapshot(planned);
  change(db, principal, { action: 'import.created', subject: id, counts, event });
});

/** The columns of an import whose header row is another line. The rows up to that line are deleted. */
const moveHeaderRow = async (
  db: Db,
  record: store.ImportRecord,
  line: number,
  definitions: Definitions,
): Promise<Pick<store.ImportRecord, 'columns' | 'file'>> => {
  const key = { workspace: record.workspace_id, id: record.id };
  const rows = await db.all(rowStore.shortCells, { ...key, after: 0, until: 2 * LAST_HEADER_ROW });
  const at = rows.findIndex((row) => row.line === line);
  const cells = rows.map((row) => (JSON.parse(row.cells ?? '[]') as string[]).map(unescapeCell));
  const header = cells[at];
  if (!header || at === rows.length - 1) {
    const possible = rows.slice(0, -1).map((row) => row.line);
    const message = `must be the line of a row that others follow: ${possible.slice(0, 10).join(', ')}${possible.length > 10 ? ', …' : ''}. To use another line, send the file again.`;
    throw invalidField('header_row', message);
  }
  const format = record.file === null ? {} : (JSON.parse(record.file) as Partial<FileFormat>);
  const isWorkbook = (format.sheet ?? null) !== null;
  const sample = cells.slice(at + 1);
  const columns = matchFields(matchColumns(header, sample), sample, { definitions, isWorkbook });
  const until = rows[at]?.number ?? 0;
  await db.run(rowStore.deleteFirstRows, { ...key, until, limit: until });
  const file = record.file && JSON.stringify({ ...format, header_row: line });
  return { columns: columnsJson(columns), file };
};

export type ReplanInput = ReturnType<typeof replanBody.read> & { readonly id: string };

/** Starts to plan an uploaded file again, with other columns, options or header row. */
export const startReplan = write(
  'startReplan',
  async (db, principal: Principal, { id, ...body }: ReplanInput): Promise<ImportView> => {
    const { mapping, create_fields: creates, header_row, ...options } = body;
    if (creates) assertMayCreateFields(principal, Object.values(creates));
    const found = await lockImport(db, principal, id);
    assertState(found, ['planned'], 'planned again');
    const definitions = await fieldsOf(db, principal.workspace);
    const moved = header_row === undefined ? {} : await moveHeaderRow(db, found, header_row, definitions);
    const before = { ...found, options: JSON.stringify(rulesOf(found)) };
    const rules = { ...rulesOf(found), ...options };
    // The stored one may have been deleted meanwhile.
    if (options.campaign_id && options.campaign_id !== rulesOf(found).campaign_id)
      rules.campaign_id = await campaignOf(db, principal, options);
    const record = { ...before, ...moved, options: JSON.stringify(rules), totals: '{}', reasons: '{}' };
    const isNew = header_row !== undefined || rules.campaign_id !== rulesOf(found).campaign_id;
    const declared = isNew ? await declaredFor(db, principal, rules.campaign_id) : undefined;
    const variables = { ...NO_FIELDS, declared, isWorkbook: false };
    const columns = matchFields(JSON.parse(record.columns), [], variables);
    const choices = { definitions, creates };
    record.columns = JSON.stringify(applyMapping(columns, mapping, rules, choices));
    await db.run(store.setPlan, record);
    const changed = changedFields(before, record, ['options', 'columns', 'file']);
    return startJob(db, principal, record, 'planning', { changed, fields: Object.keys(body) });
  },
);

/** Reads the next stored rows with other columns or options, and gives them new verdicts. */
export const replanStep = importStep(
  'replanStep',
  'planning',
  async (db, { principal, record, rows: next }) => {
    const { read } = rowReader(record, await fieldsOfImport(db, principal, record));
    const stored = await db.all(rowStore.nextCells, next);
    const rows = stored.map((row) => ({ ...row, ...read(row.cells) }));
    return planBatch(db, principal, record, rows, rowStore.updateVerdict);
  },
);
