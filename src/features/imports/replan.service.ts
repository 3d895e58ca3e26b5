import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import type { Column } from '../../files/csv/columns.ts';
import type { JobRow } from '../../jobs/job.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import { rulesOf } from './import.view.ts';
import { endStep, lastRowOfStep, lockImport } from './lifecycle.service.ts';
import { columnIndexes } from './mapping.ts';
import { readRow } from './reading.ts';
import * as rowStore from './row.store.ts';
import { planBatch } from './verdicts.ts';

/** Reads the next stored rows with other columns or options, and gives them new verdicts. */
export const replanStep = write(
  'replanStep',
  async (db: Db, _: null, { job, size }: { job: JobRow; size: number }): Promise<boolean> => {
    const principal: Principal = { workspace: job.workspace_id, actor: job.subject };
    const record = await lockImport(db, principal, job.subject);
    const { id, progress: after } = record;
    const until = await lastRowOfStep(db, record, size);
    const isDone = until === undefined;
    const stored = isDone
      ? []
      : await db.all(rowStore.nextCells, { workspace: principal.workspace, id, after, until });
    const indexes = columnIndexes(JSON.parse(record.columns) as Column[]);
    const options = rulesOf(record);
    const rows = stored.map((row) => ({
      ...row,
      ...readRow(JSON.parse(row.cells ?? '[]'), indexes, options),
    }));
    const counts = await planBatch(db, principal, record, rows, rowStore.updateVerdict);
    const state = isDone ? 'planned' : 'planning';
    return endStep(db, job, record, { isDone, ...counts, progress: until ?? after, state });
  },
);
