import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { type JobRow, jobStep } from '../../jobs/job.service.ts';
import type { Step as JobStep } from '../../jobs/runner.ts';
import { timestamp } from '../../lib/clock.ts';
import { actorOfEntry, type Counts, change, updateCounts } from '../../records/change.ts';
import { actorOfShortWork, recordNotice } from '../notices/notice.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import * as store from './import.store.ts';
import { importSnapshot } from './import.view.ts';
import { JOBS, lastRowOfStep, lockImport, type RunningState } from './lifecycle.service.ts';

interface Step {
  /** The import itself. */
  readonly principal: Principal;
  readonly record: store.ImportRecord;
  readonly rows: { workspace: number; id: string; after: number; until: number };
  readonly isDone: boolean;
}

/** A step of the job that runs in a state of an import: works on the next rows and returns what it changes in the import. The
 *  last step has no rows. */
export const importStep = (
  name: string,
  state: RunningState,
  work: (db: Db, step: Step) => Promise<Partial<store.ImportRecord>>,
) =>
  jobStep(name, async (db, { job, size }) => {
    const principal: Principal = { workspace: job.workspace_id, actor: job.subject };
    const record = await lockImport(db, principal, job.subject);
    const key = { workspace: principal.workspace, id: record.id, after: record.progress };
    const until = await lastRowOfStep(db, key, size);
    const isDone = until === undefined;
    const rows = { ...key, until: until ?? record.progress };
    const changes = await work(db, { principal, record, rows, isDone });
    const next = { ...record, progress: rows.until, ...changes, updated_at: timestamp() };
    if (isDone) next.state = JOBS[state].done;
    await endStep(db, principal, job, { state, next });
    return isDone;
  });

/** Records the progress of a step, also in the audit entry of the user who started the job. */
const endStep = async (
  db: Db,
  self: Principal,
  job: JobRow,
  { state, next }: { state: RunningState; next: store.ImportRecord },
): Promise<void> => {
  await db.run(store.updateImport, next);
  const { entry, id: subject } = next;
  const totals = JSON.parse(next.totals) as Counts;
  const counted: readonly string[] = JOBS[state].counted;
  const counts = Object.fromEntries(counted.flatMap((name) => (totals[name] ? [[name, totals[name]]] : [])));
  if (next.state !== state) {
    const event = importSnapshot(next);
    change(db, self, { action: 'import.updated', subject, fields: ['state'], isAudited: false, event });
  }
  if (next.state === 'applied' || next.state === 'undone') {
    const starter = entry === null ? undefined : await actorOfEntry(db, self, { entry });
    const actor = actorOfShortWork(starter, job.created_at);
    recordNotice(db, self, { kind: `import.${next.state}`, subject, name: next.name, actor, counts });
  }
  if (entry !== null) await updateCounts(db, self, { entry, counts });
};

/** A step that fails so often in a row will probably fail again. The queue retries it nevertheless. */
const NOTICED_FAILURES = 5;

const recordImportFailure = write(
  'recordImportFailure',
  async (db, _: null, key: { workspace: number; id: string }): Promise<void> => {
    const found = await db.get(store.findImport, key);
    if (!found || found.state === 'deleting') return;
    const { id: subject, name } = found;
    recordNotice(db, key, { kind: 'import.failed', subject, name });
  },
);

/** Informs the users once if the steps of an import fail again and again. */
export const withFailureNotice =
  (step: JobStep): JobStep =>
  async (storage, work) => {
    try {
      return await step(storage, work);
    } catch (error) {
      const { workspace_id: workspace, subject: id, failures } = work.job;
      if (failures + 1 === NOTICED_FAILURES) {
        // Without a database there is no notice either.
        await storage.run(recordImportFailure, null, { workspace, id }).catch(() => {});
      }
      throw error;
    }
  };
