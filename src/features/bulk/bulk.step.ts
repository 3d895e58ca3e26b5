import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import { type JobRow, jobStep } from '../../jobs/job.service.ts';
import type { Step } from '../../jobs/runner.ts';
import { DAY_MS, timestamp } from '../../lib/clock.ts';
import { ApiError } from '../../lib/errors.ts';
import { updateCounts } from '../../records/change.ts';
import { enrollByIds } from '../campaigns/enrollment.service.ts';
import { walkContacts } from '../contacts/contact.export.ts';
import { contactsById } from '../contacts/contact.lookup.ts';
import { type Blocked, changeEach } from '../contacts/contact.service.ts';
import type { StoredContact } from '../contacts/contact.store.ts';
import { replaceTags, withTags } from '../contacts/contact.tags.ts';
import { writeContacts } from '../contacts/contact.write.ts';
import { renameTagInSegments } from '../contacts/segment.service.ts';
import { fieldsFor } from '../fields/field.store.ts';
import { mergeValues } from '../fields/field.values.ts';
import { actorOfShortWork, type NewNotice, recordNotice } from '../notices/notice.service.ts';
import { assertStillActive } from '../workspaces/actor.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import { auditCounts, type BulkParameters, endBulkJob, isEnded, storedSelection } from './bulk.service.ts';
import * as store from './bulk.store.ts';
import { type Outcome, undoNext } from './bulk.undo.ts';
import * as changes from './changes.store.ts';
import { type Former, formerOf } from './former.ts';

/** How many of the blocked contacts a job lists. */
const MAX_REASONS = 20;

/** Finds the next contacts of a job, and its progress before and after them. This may read many contacts that do not match, so it is not
 *  part of the write. */
export const findNextOfBulkJob = longRead(
  'findNextOfBulkJob',
  async (db, { workspace }: Pick<Principal, 'workspace'>, { id, size }: { id: string; size: number }) => {
    const row = await db.get(store.findWholeBulkJob, { workspace, id });
    if (!row) return { after: 0, ids: [] as string[], until: 0, isLast: true };
    const after = Number(row.progress);
    if (row.action === 'undo') {
      const { undoes: job = '' } = JSON.parse(row.parameters) as BulkParameters;
      const next = await db.all(changes.listNextChanges, { workspace, job, after, limit: size });
      const until = Number(next.at(-1)?.position ?? after);
      return { after, ids: next.map(({ contact_id }) => contact_id), until, isLast: next.length < size };
    }
    const selection = storedSelection(row);
    if ('ids' in selection) {
      const until = Math.min(after + size, selection.ids.length);
      return { after, ids: selection.ids.slice(after, until), until, isLast: until === selection.ids.length };
    }
    // Relative times refer to the start of the job.
    const filter = { ...selection.filter, now: row.created_at };
    const step = { selection: { ...selection, filter }, after, limit: size };
    const rows = await walkContacts(db, { workspace }, step);
    const ids = rows.filter(({ seq }) => seq <= row.until_seq).map(({ id }) => id);
    const until = Number(rows.at(-1)?.seq ?? after);
    return { after, ids, until, isLast: rows.length < size || until >= row.until_seq };
  },
);

export type NextContacts = Awaited<ReturnType<typeof findNextOfBulkJob>>;

/** Stores what a step has changed, for an undo. */
const record = async (
  db: Db,
  { workspace_id, id: job_id, changed }: store.BulkJobRow,
  changed_contacts: readonly (readonly [contact: string, former: Former])[],
): Promise<void> => {
  const rows = changed_contacts.map(([contact_id, former], at) => {
    const position = changed + at + 1;
    return { workspace_id, job_id, position, contact_id, former: JSON.stringify(former) };
  });
  await Promise.all(db.insertRows(changes.insertBulkChanges, rows));
};

const act = async (
  db: Db,
  principal: Principal,
  row: store.BulkJobRow,
  next: NextContacts,
): Promise<Outcome> => {
  if (row.action === 'undo') return undoNext(db, principal, row, next);
  const { ids } = next;
  const parameters = JSON.parse(row.parameters) as BulkParameters;
  const { add = [], remove = [], tag = '', to = '', campaign_id = '' } = parameters;
  const fields = parameters.fields ?? {};
  if (row.action === 'enroll') {
    const { inserted, present } = await enrollByIds(db, principal, { campaign: campaign_id, ids });
    const enrolled = inserted.map((each) => [each.contact_id, { enrolled: each.enrolled_at }] as const);
    await record(db, row, enrolled);
    const [changed, exist] = [inserted.length, present.size];
    return { changed, unchanged: exist - changed, missing: ids.length - exist, blocked: [] };
  }
  const definitions = await fieldsFor(db, principal, [{ fields }]);
  const contacts = [...(await contactsById(db, principal, ids)).values()];
  const missing = ids.length - contacts.length;
  if (row.action === 'delete') {
    await writeContacts(
      db,
      principal,
      contacts.map((before) => ({ before })),
    );
    return { changed: contacts.length, unchanged: 0, missing, blocked: [] };
  }
  row.action satisfies 'set_fields' | 'tag' | 'rename_tag' | 'export';
  const merged = (before: StoredContact) => ({ fields: mergeValues(before.fields, fields, definitions) });
  const replaced = (before: readonly string[]) =>
    row.action === 'rename_tag'
      ? [...new Set(before.map((each) => (each === tag ? to : each)))]
      : withTags(before, { add, remove });
  const { writes, ...outcome } = await (row.action === 'set_fields'
    ? changeEach(db, principal, contacts, merged)
    : replaceTags(db, principal, contacts, replaced));
  await record(
    db,
    row,
    writes.map(({ before, after }) => [before.id, formerOf(before, after)]),
  );
  return { ...outcome, missing };
};

/** Informs the user who created the job; an API key's job, all users. The name is the action, which the dashboard translates. */
const recordJobNotice = (
  db: Db,
  { workspace_id: workspace, id, action, created_by }: store.BulkJobRow,
  content: Pick<NewNotice, 'kind' | 'actor' | 'counts' | 'detail'>,
): void => recordNotice(db, { workspace }, { ...content, subject: id, name: action, recipient: created_by });

/** Changes the next contacts of a job and records its progress, in one transaction. */
export const runBulkStep = jobStep(
  'runBulkStep',
  async (db, { job, next }: { job: JobRow; next: NextContacts }) => {
    const { after, until, isLast } = next;
    const { workspace_id: workspace, subject: id } = job;
    const row = await db.get(store.selectBulkJobForUpdate, { workspace, id });
    if (!row || isEnded(row)) return true;
    // Another instance has run this step.
    if (row.progress !== after) return false;
    const principal = { workspace, actor: row.created_by, request: row.request_id ?? undefined };
    await assertStillActive(db, principal);
    const parameters = JSON.parse(row.parameters) as BulkParameters;
    const { tag, to } = parameters;
    // Segments are locked before contacts (see the lock order).
    const segments = isLast && tag && to ? await renameTagInSegments(db, principal, { tag, to }) : undefined;
    const outcome = await act(db, principal, row, next);
    const now = timestamp();
    const { unchanged, missing } = outcome;
    const processed = row.processed + outcome.changed + unchanged + missing + outcome.blocked.length;
    const reasons = [...(JSON.parse(row.reasons) as Blocked[]), ...outcome.blocked].slice(0, MAX_REASONS);
    const changed = row.changed + outcome.changed;
    const blocked = row.blocked + outcome.blocked.length;
    const progress = {
      progress: until,
      total: isLast ? processed : Math.max(row.total, processed),
      processed,
      changed,
      unchanged: row.unchanged + unchanged,
      missing: row.missing + missing,
      blocked,
      reasons: JSON.stringify(reasons),
      started_at: row.started_at ?? now,
    };
    const noted = segments && { parameters: JSON.stringify({ ...parameters, segments }) };
    if (isLast) await endBulkJob(db, row, { ...progress, ...noted, status: 'done', finished_at: now });
    else await db.run(store.updateBulkJob, { ...row, ...progress, status: 'running' });
    const counts = auditCounts(row.action, changed, blocked);
    if (row.entry !== null) await updateCounts(db, { workspace }, { entry: row.entry, counts });
    if (isLast)
      recordJobNotice(db, row, {
        kind: 'job.finished',
        actor: actorOfShortWork(row.created_by, row.created_at),
        counts: { ...counts, ...(blocked > 0 && row.action !== 'undo' && { skipped: blocked }) },
      });
    return isLast;
  },
);

/** Ends a job that cannot continue, for example because its campaign has finished or its API key was revoked. */
export const failBulkJob = jobStep(
  'failBulkJob',
  async (db, { job, error }: { job: JobRow; error: string }) => {
    const { workspace_id: workspace, subject: id } = job;
    const row = await db.get(store.selectBulkJobForUpdate, { workspace, id });
    if (row && !isEnded(row)) {
      await endBulkJob(db, row, { status: 'failed', error, finished_at: timestamp() });
      recordJobNotice(db, row, { kind: 'job.failed', detail: error });
    }
    return true;
  },
);

const PERMANENT: readonly string[] = ['CONFLICT', 'NOT_FOUND', 'FORBIDDEN', 'VALIDATION_ERROR'];

/** Whether a step would fail again: its campaign has finished or was deleted, its creator may no longer change contacts, or a field
 *  of its filter was archived. */
const isPermanent = (error: unknown): error is ApiError =>
  error instanceof ApiError && PERMANENT.includes(error.code);

/** Runs one step of a bulk job. */
export const bulkStep: Step = async (storage, { job, size }) => {
  const scope = { workspace: job.workspace_id };
  try {
    const next = await storage.run(findNextOfBulkJob, scope, { id: job.subject, size });
    return await storage.run(runBulkStep, null, { job, next });
  } catch (error) {
    if (!isPermanent(error)) throw error;
    return storage.run(failBulkJob, null, { job, error: error.message });
  }
};

/** Deletes what a job that ended long ago has changed, and then its record. An undo that still runs needs them. */
export const expireBulkJob = jobStep('expireBulkJob', async (db, { job, size }) => {
  const key = { workspace: job.workspace_id, id: job.subject };
  const row = await db.get(store.findWholeBulkJob, key);
  const undo = row?.undone_by && (await db.get(store.findWholeBulkJob, { ...key, id: row.undone_by }));
  if (undo && !isEnded(undo)) return DAY_MS;
  const some = { workspace: key.workspace, job: key.id, limit: size };
  await db.run(changes.deleteSomeChanges, some);
  const isDone = (await db.get(changes.listNextChanges, { ...some, after: 0, limit: 1 })) === undefined;
  if (isDone) await db.run(store.deleteBulkJob, key);
  return isDone;
});

/** Erases what jobs have changed in deleted contacts. */
export const eraseBulkChanges = async (
  db: Db,
  { workspace }: Principal,
  contacts: readonly { id: string }[],
): Promise<void> => {
  await db.run(changes.eraseChanges, { workspace, keys: JSON.stringify(contacts.map(({ id }) => id)) });
};
