import type { Db } from '../../db/db.ts';
import { longRead, write } from '../../db/operation.ts';
import type { Column } from '../../files/csv/columns.ts';
import { completeStep, type JobRow } from '../../jobs/job.service.ts';
import { notFound } from '../../lib/errors.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { ImportOptions } from './import.schema.ts';
import * as store from './import.store.ts';
import { rulesOf } from './import.view.ts';
import { endStep, lastRowOfStep, lockImport } from './lifecycle.service.ts';
import * as rowStore from './row.store.ts';
import { planBatch } from './verdicts.ts';
import type { ReadRow, StoredRow } from './worker/requests.ts';

/** The rows of the next step, and the revision of the import that they belong to. */
export interface ReplanBatch {
  revision: string;
  options: ImportOptions;
  columns: Column[];
  rows: StoredRow[];
}

const revisionOf = ({ updated_at, progress }: store.ImportRecord): string => `${updated_at} ${progress}`;

export const nextToReplan = longRead(
  'nextToReplan',
  async (
    db: Db,
    { workspace }: Pick<Principal, 'workspace'>,
    { id, size }: { id: string; size: number },
  ): Promise<ReplanBatch> => {
    const record = await db.get(store.findImport, { workspace, id });
    if (!record) throw notFound('import');
    const { progress } = record;
    const until = (await lastRowOfStep(db, record, size)) ?? progress;
    return {
      revision: revisionOf(record),
      options: rulesOf(record),
      columns: JSON.parse(record.columns) as Column[],
      rows: await db.all(rowStore.nextCells, { workspace, id, after: progress, until }),
    };
  },
);

/** Writes the verdicts of one step. Does nothing if another instance has completed the step in the meantime. */
export const replanRows = write(
  'replanRows',
  async (
    db: Db,
    _: null,
    { job, revision, read }: { job: JobRow; revision: string; read: ReadRow[] },
  ): Promise<boolean> => {
    const principal: Principal = { workspace: job.workspace_id, actor: job.subject };
    const record = await lockImport(db, principal, job.subject);
    if (revisionOf(record) !== revision) {
      await completeStep(db, job, false);
      return false;
    }
    const key = { workspace: principal.workspace, id: record.id };
    const progress = read.at(-1)?.number ?? record.progress;
    // Contacts that were deleted after the rows were read must not be stored again.
    const erasedRows = await db.all(rowStore.erasedRows, { ...key, after: record.progress, until: progress });
    const erased = new Set(erasedRows.map(({ number }) => number));
    const rows = read.map((row) => (erased.has(row.number) ? { ...row, ...ERASED } : row));
    const counts = await planBatch(db, principal, record, rows, rowStore.updateVerdict);
    // The number of rows is unknown here: the step after the last row finds none.
    const isDone = rows.length === 0;
    return endStep(db, job, record, {
      isDone,
      ...counts,
      progress,
      state: isDone ? 'planned' : 'planning',
    });
  },
);

const ERASED = {
  cells: null,
  reading: null,
  problem: { field: 'phone_number', message: 'is missing.' },
  code: 'phone_missing',
  identity: null,
  fallback: null,
  warnings: [],
} satisfies Partial<ReadRow>;
