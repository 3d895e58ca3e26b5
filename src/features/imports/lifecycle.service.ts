import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { cancelJob, completeStep, type JobRow, scheduleJob } from '../../jobs/job.service.ts';
import { timestamp } from '../../lib/clock.ts';
import { ApiError, notFound } from '../../lib/errors.ts';
import { record as recordEntry, recount } from '../audit/audit.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import { STEP_BYTES } from './csv/limits.ts';
import type { Effect, ImportState } from './import.schema.ts';
import * as store from './import.store.ts';
import { countEffects, countRows } from './totals.ts';

const DAY_MS = 86_400_000;
/** How long an import can be undone. Then its rows go: nothing needs the copies of people's data any more. */
export const UNDO_DAYS = 30;
/** How long a file that is being sent may give nothing to plan before it is taken for abandoned. */
const ABANDONED_MS = 5 * 60_000;

const GOING_ON = {
  planning: 'import.planning',
  applying: 'import.applying',
  undoing: 'import.undoing',
} as const;
/** Whether something works on an import by itself. */
export const isGoingOn = (state: ImportState): state is keyof typeof GOING_ON => state in GOING_ON;

/** What happens to the rows of an import whose job is running. */
const EFFECTS: Partial<Record<ImportState, readonly Effect[]>> = {
  applying: ['created', 'updated', 'none'],
  undoing: ['removed', 'restored', 'edited_since'],
};

const DELETING = 'import.deleting';
const EXPIRING = 'import.expiring';

/** The import for a change, held until the transaction ends. */
export const lockImport = async (
  db: Db,
  { workspace }: Pick<Principal, 'workspace'>,
  id: string,
): Promise<store.ImportRecord> => {
  const found = await db.get(store.selectImportForUpdate, { workspace, id });
  if (!found || found.state === 'deleting') throw notFound('import');
  return found;
};

/** Where an import can go from the state that it is in. */
export const assertState = (
  record: store.ImportRecord,
  allowed: readonly ImportState[],
  action: string,
): void => {
  if (allowed.includes(record.state)) return;
  throw new ApiError('CONFLICT', `An import that is ${record.state} cannot be ${action}.`);
};

/** A file that comes in is deleted again unless it is read to its end, also where the service is killed meanwhile. */
export const scheduleExpiry = (db: Db, workspace: number, id: string): Promise<void> =>
  scheduleJob(db, { workspace, kind: DELETING, subject: id, inMs: ABANDONED_MS });

/** From now on the rows are kept for so long as an undo may need them. */
export const scheduleUndoExpiry = async (db: Db, workspace: number, id: string): Promise<void> => {
  await cancelJob(db, { workspace, kind: DELETING, subject: id });
  await scheduleJob(db, { workspace, kind: EXPIRING, subject: id, inMs: UNDO_DAYS * DAY_MS });
};

export const undoUntil = (applied_at: string): string =>
  new Date(Date.parse(applied_at) + UNDO_DAYS * DAY_MS).toISOString();

/** Starts what goes on by itself. */
export const startWork = async (
  db: Db,
  record: store.ImportRecord,
  state: keyof typeof GOING_ON,
): Promise<void> => {
  await db.run(store.updateImport, { ...record, state, progress: 0, updated_at: timestamp() });
  await scheduleJob(db, { workspace: record.workspace_id, kind: GOING_ON[state], subject: record.id });
  await scheduleUndoExpiry(db, record.workspace_id, record.id);
};

/** The last row of a step, by its number: at most `size` rows, and fewer where their cells are long. Nothing where no rows
 *  are left. */
export const stepEnd = async (
  db: Db,
  { workspace_id: workspace, id, progress }: Pick<store.ImportRecord, 'workspace_id' | 'id' | 'progress'>,
  size: number,
): Promise<number | undefined> => {
  const step = { workspace, id, after: progress, limit: size, bytes: STEP_BYTES };
  return (await db.get(store.endOfStep, step))?.until ?? undefined;
};

/** Which rows a step has: the next ones by their numbers, which leave no gap, so that a step never looks past many rows
 *  for the few that concern it. */
export const windowOf = async (
  db: Db,
  record: store.ImportRecord,
  size: number,
): Promise<{ until: number; isDone: boolean }> => {
  const rows = countRows(JSON.parse(record.totals));
  const until = (await stepEnd(db, record, size)) ?? rows;
  return { until, isDone: until >= rows };
};

/** Writes down how far a step got, also in the entry of who has started the work. */
export const endStep = async (
  db: Db,
  job: JobRow,
  record: store.ImportRecord,
  { isDone, ...changes }: Partial<store.ImportRecord> & { isDone: boolean },
): Promise<boolean> => {
  const next = { ...record, ...changes, updated_at: timestamp() };
  await db.run(store.updateImport, next);
  if (next.entry !== null) {
    const counts = countEffects(next.totals, EFFECTS[record.state] ?? []);
    await recount(db, { workspace: next.workspace_id }, { entry: next.entry, counts });
  }
  await completeStep(db, job, isDone);
  return isDone;
};

/** Gives up a file that cannot be read to its end. */
export const abandonImport = write(
  'abandonImport',
  async (db: Db, principal: Principal, { id }: { id: string }): Promise<void> => {
    const record = await db.get(store.selectImportForUpdate, { workspace: principal.workspace, id });
    if (record) await startDeleting(db, record);
  },
);

export const deleteImport = write(
  'deleteImport',
  async (db: Db, principal: Principal, { id }: { id: string }): Promise<void> => {
    const record = await lockImport(db, principal, id);
    assertState(record, ['planned', 'applied', 'undone'], 'deleted');
    await startDeleting(db, record);
    recordEntry(db, principal, { action: 'import.deleted', subject: id });
  },
);

/** Hides the import immediately; its rows are deleted step by step. */
const startDeleting = async (db: Db, record: store.ImportRecord): Promise<void> => {
  await db.run(store.updateImport, { ...record, state: 'deleting', updated_at: timestamp() });
  await scheduleJob(db, { workspace: record.workspace_id, kind: DELETING, subject: record.id });
};

/** One step of taking away rows: of an import that is deleted, or whose time has passed. Of one that was applied its record
 *  stays, with the totals. */
export const dropStep = write(
  'dropStep',
  async (db: Db, _: null, { job, size }: { job: JobRow; size: number }): Promise<boolean> => {
    const key = { workspace: job.workspace_id, id: job.subject };
    const record = await db.get(store.selectImportForUpdate, key);
    if (job.kind === EXPIRING && record && isGoingOn(record.state)) {
      await scheduleJob(db, { workspace: key.workspace, kind: EXPIRING, subject: key.id, inMs: DAY_MS });
      return true;
    }
    const goes = job.kind === DELETING || record?.state === 'planned' || record?.state === 'deleting';
    if (record && goes) await db.run(store.updateImport, { ...record, state: 'deleting' });
    const until = await stepEnd(db, { workspace_id: key.workspace, id: key.id, progress: 0 }, size);
    if (until !== undefined) await db.run(store.deleteRows, { ...key, until, limit: size });
    const isDone = (await db.get(store.findAnyRow, key)) === undefined;
    await completeStep(db, job, isDone);
    if (isDone && goes) {
      await db.run(store.deleteImport, key);
      for (const kind of [DELETING, EXPIRING]) {
        await cancelJob(db, { workspace: key.workspace, kind, subject: key.id });
      }
    }
    return isDone;
  },
);

/** A contact is deleted: no import keeps a copy of it. */
export const forgetRows = async (
  db: Db,
  { workspace }: Principal,
  contact: { id: string; identity: string | null },
): Promise<void> => {
  const rows = await db.all(store.rowsOfContact, { workspace, contact: contact.id });
  const { identity } = contact;
  if (identity !== null) {
    const plans = await db.all(store.importsOfNumber, { workspace, identity });
    rows.push(...plans.map(({ import_id }) => ({ import_id, identity })));
  }
  rows.sort((one, other) => (one.import_id < other.import_id ? -1 : 1));
  for (const { import_id, identity } of rows) {
    if (identity !== null) await db.run(store.forgetNumber, { workspace, id: import_id, identity });
  }
};
