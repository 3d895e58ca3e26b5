import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import type { Storage } from '../../db/storage.ts';
import { STEP_BYTES } from '../../files/csv/limits.ts';
import { cancelJob, jobStep, scheduleJob } from '../../jobs/job.service.ts';
import { DAY_MS, timestamp } from '../../lib/clock.ts';
import { conflict, notFound } from '../../lib/errors.ts';
import { change, changeInSteps } from '../../records/change.ts';
import type { DeletedContact } from '../contacts/contact.write.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { ImportState } from './import.schema.ts';
import { getImport } from './import.service.ts';
import * as store from './import.store.ts';
import { type ImportView, importSnapshot, UNDO_DAYS } from './import.view.ts';
import * as rowStore from './row.store.ts';

/** An upload that delivers no rows for this long is deleted. */
const ABANDONED_MS = 5 * 60_000;

/** The jobs by the state of an import in which they run: the state after the last step, and which totals its entry in the audit log has. */
export const JOBS = {
  planning: { done: 'planned', counted: [] },
  applying: { done: 'applied', counted: ['created', 'updated', 'none', 'enrolled'] },
  undoing: {
    done: 'undone',
    counted: ['removed', 'restored', 'edited_since', 'unenrolled', 'still_enrolled'],
  },
} as const;
export type RunningState = keyof typeof JOBS;
export const isRunning = (state: ImportState): state is RunningState => state in JOBS;

const DELETING = 'import.deleting';
const EXPIRING = 'import.expiring';

/** Locks the import until the transaction ends. */
export const lockImport = async (
  db: Db,
  { workspace }: Pick<Principal, 'workspace'>,
  id: string,
): Promise<store.ImportRecord> => {
  const found = await db.get(store.selectImportForUpdate, { workspace, id });
  if (!found || found.state === 'deleting') throw notFound('import');
  return found;
};

export const assertState = (
  record: store.ImportRecord,
  allowed: readonly ImportState[],
  action: string,
): void => {
  if (allowed.includes(record.state)) return;
  throw conflict(
    record.state === action
      ? `The import is already ${action}.`
      : `An import that is ${record.state} cannot be ${action}.`,
  );
};

/** Deletes an upload that is not completed in time, even if the service is killed in the meantime. */
export const scheduleUploadExpiry = (db: Db, workspace: number, id: string): Promise<void> =>
  scheduleJob(db, { workspace, kind: DELETING, subject: id, inMs: ABANDONED_MS });

/** Keeps the rows for as long as an undo may need them. */
export const scheduleUndoExpiry = async (db: Db, workspace: number, id: string): Promise<void> => {
  await cancelJob(db, { workspace, kind: DELETING, subject: id });
  await scheduleJob(db, { workspace, kind: EXPIRING, subject: id, inMs: UNDO_DAYS * DAY_MS });
};

/** Returns the import as the API shows it. `changed` are the changed fields as the API shows them, in addition to the state, and
 *  `fields` those of the audit entry. Without them, the job has an entry of its own, which its steps update. */
export const startJob = async (
  db: Db,
  principal: Principal,
  record: store.ImportRecord,
  state: RunningState,
  { changed, fields }: { changed: string[]; fields?: string[] } = { changed: [] },
): Promise<ImportView> => {
  const { done } = JOBS[state];
  const entry =
    done === 'planned'
      ? record.entry
      : await changeInSteps(db, principal, { action: `import.${done}`, subject: record.id, counts: {} });
  const next = { ...record, entry, state, progress: 0, updated_at: timestamp() };
  await db.run(store.updateImport, next);
  change(db, principal, {
    action: 'import.updated',
    subject: record.id,
    fields,
    isAudited: fields !== undefined,
    event: { ...importSnapshot(next), changed: ['state', ...changed] },
  });
  await scheduleJob(db, { workspace: record.workspace_id, kind: `import.${state}`, subject: record.id });
  await scheduleUndoExpiry(db, record.workspace_id, record.id);
  return getImport(db, principal, { id: record.id });
};

const POLL_MS = 250;

/** Yields an import again and again, until no job is running or the signal aborts. */
export async function* watchImport(
  storage: Storage,
  principal: Principal,
  id: string,
  signal?: AbortSignal,
): AsyncGenerator<ImportView> {
  for (;;) {
    const view = await storage.run(getImport, principal, { id });
    yield view;
    if (!isRunning(view.state) || signal?.aborted) return;
    await pause(POLL_MS, undefined, signal && { signal }).catch(() => {});
  }
}

/** The number of the last row of a step: at most `size` rows, fewer if their cells are long. The rows of a step are consecutive
 *  numbers, so it never scans many rows for the few it works on. Undefined if no rows are left, which ends the job. */
export const lastRowOfStep = async (
  db: Db,
  { workspace, id, after }: { workspace: number; id: string; after: number },
  size: number,
): Promise<number | undefined> => {
  const step = { workspace, id, after, limit: size, bytes: STEP_BYTES };
  return (await db.get(rowStore.lastRowOfStep, step))?.until ?? undefined;
};

/** Deletes the import of a file that cannot be read to its end. */
export const abandonImport = write(
  'abandonImport',
  async (db, principal: Principal, { id }: { id: string }): Promise<void> => {
    const record = await db.get(store.selectImportForUpdate, { workspace: principal.workspace, id });
    if (record) await startDeleting(db, record);
  },
);

export const deleteImport = write(
  'deleteImport',
  async (db, principal: Principal, { id }: { id: string }): Promise<void> => {
    const record = await lockImport(db, principal, id);
    assertState(record, ['planned', 'applied', 'undone'], 'deleted');
    await startDeleting(db, record);
    change(db, principal, { action: 'import.deleted', subject: id, event: {} });
  },
);

/** Hides the import immediately; its rows are deleted step by step. */
const startDeleting = async (db: Db, record: store.ImportRecord): Promise<void> => {
  await db.run(store.updateImport, { ...record, state: 'deleting', updated_at: timestamp() });
  await scheduleJob(db, { workspace: record.workspace_id, kind: DELETING, subject: record.id });
};

/** Deletes the next rows of an import that is deleted or can no longer be undone. The record of an applied import remains,
 *  with its totals. */
export const deleteRowsStep = jobStep('deleteRowsStep', async (db, { job, size }) => {
  const key = { workspace: job.workspace_id, id: job.subject };
  const record = await db.get(store.selectImportForUpdate, key);
  if (job.kind === EXPIRING && record && isRunning(record.state)) return DAY_MS;
  const deletesRecord = job.kind === DELETING || record?.state === 'planned' || record?.state === 'deleting';
  // A planned import has expired. One that is being deleted, or was never planned, has no additional event.
  if (record?.state === 'planned') {
    const self = { workspace: key.workspace, actor: key.id };
    change(db, self, { action: 'import.deleted', subject: key.id, isAudited: false, event: {} });
  }
  if (record && deletesRecord) await db.run(store.updateImport, { ...record, state: 'deleting' });
  const until = await lastRowOfStep(db, { ...key, after: 0 }, size);
  const isDone = until === undefined;
  if (!isDone) await db.run(rowStore.deleteRows, { ...key, until, limit: size });
  if (isDone && record && !deletesRecord) await db.run(store.updateImport, { ...record, stored_bytes: 0 });
  if (isDone && deletesRecord) {
    await db.run(store.deleteImport, key);
    const other = job.kind === DELETING ? EXPIRING : DELETING;
    await cancelJob(db, { workspace: key.workspace, kind: other, subject: key.id });
  }
  return isDone;
});

/** Erases the data of deleted contacts from all imports. */
export const eraseContactRows = async (
  db: Db,
  { workspace }: Principal,
  contacts: readonly DeletedContact[],
): Promise<void> => {
  const ids = contacts.map(({ id }) => id);
  const identities = contacts.flatMap(({ numbers }) => numbers);
  const rows = [
    ...(await db.all(rowStore.numbersOfContacts, { workspace, keys: JSON.stringify(ids) })),
    ...(await db.all(rowStore.importsOfNumbers, { workspace, keys: JSON.stringify(identities) })),
  ];
  const keys = rows.flatMap(({ import_id, identity }) =>
    identity === null ? [] : [[`${import_id} ${identity}`, { workspace, id: import_id, identity }] as const],
  );
  // Several transactions lock the rows in the same order.
  const sorted = [...new Map(keys)].sort(([one], [other]) => (one < other ? -1 : 1));
  await db.each(
    rowStore.eraseNumber,
    sorted.map(([, row]) => row),
  );
};
