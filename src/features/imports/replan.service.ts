import type { Db } from '../../db/db.ts';
import { longRead, write } from '../../db/operation.ts';
import { completeStep, type JobRow } from '../../jobs/job.service.ts';
import { notFound } from '../../lib/errors.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { Column } from './csv/columns.ts';
import type { ImportOptions } from './import.schema.ts';
import * as store from './import.store.ts';
import { endStep, lockImport, stepEnd } from './lifecycle.service.ts';
import { countedOf, judge } from './plan.service.ts';
import { countChanges } from './totals.ts';
import type { ReadRow, StoredRow } from './worker/requests.ts';

/** What the next step of a replan reads, and the moment of the import that it belongs to. */
export interface ReplanPart {
  moment: string;
  options: ImportOptions;
  columns: Column[];
  rows: StoredRow[];
}

const momentOf = ({ updated_at, progress }: store.ImportRecord): string => `${updated_at} ${progress}`;

/** The rows of the next step. */
export const nextToReplan = longRead(
  'nextToReplan',
  async (
    db: Db,
    { workspace }: Pick<Principal, 'workspace'>,
    { id, size }: { id: string; size: number },
  ): Promise<ReplanPart> => {
    const record = await db.get(store.findImport, { workspace, id });
    if (!record) throw notFound('import');
    const { progress } = record;
    const until = (await stepEnd(db, record, size)) ?? progress;
    return {
      moment: momentOf(record),
      options: JSON.parse(record.options) as ImportOptions,
      columns: JSON.parse(record.columns) as Column[],
      rows: await db.all(store.nextCells, { workspace, id, after: progress, until }),
    };
  },
);

/** Writes the verdicts of one step. Does nothing where another instance has done the step meanwhile. */
export const replanRows = write(
  'replanRows',
  async (
    db: Db,
    _: null,
    { job, moment, read }: { job: JobRow; moment: string; read: ReadRow[] },
  ): Promise<boolean> => {
    const principal: Principal = { workspace: job.workspace_id, actor: job.subject };
    const record = await lockImport(db, principal, job.subject);
    if (momentOf(record) !== moment) {
      await completeStep(db, job, false);
      return false;
    }
    const key = { workspace: principal.workspace, id: record.id };
    const progress = read.at(-1)?.number ?? record.progress;
    // A person who was deleted since the rows were read is forgotten.
    const emptied = await db.all(store.emptyRows, { ...key, after: record.progress, until: progress });
    const forgotten = new Set(emptied.map(({ number }) => number));
    const rows = read.map((row) => (forgotten.has(row.number) ? { ...row, ...FORGOTTEN } : row));
    const options = JSON.parse(record.options) as ImportOptions;
    const planned = await judge(db, principal, { id: record.id, options, rows });
    await db.each(store.judgeRow, planned);
    // How many rows there are is not known here: the step after the last row finds none.
    const isDone = rows.length === 0;
    return endStep(db, job, record, {
      isDone,
      totals: countChanges(record.totals, countedOf(planned)),
      progress,
      state: isDone ? 'planned' : 'planning',
    });
  },
);

const FORGOTTEN = {
  cells: null,
  reading: null,
  problem: { field: 'phone_number', message: 'is missing.' },
  identity: null,
  shown: null,
  warnings: [],
} satisfies Partial<ReadRow>;
