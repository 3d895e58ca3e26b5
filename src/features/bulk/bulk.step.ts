import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import { type JobRow, jobStep } from '../../jobs/job.service.ts';
import type { Step } from '../../jobs/runner.ts';
import { timestamp } from '../../lib/clock.ts';
import { ApiError } from '../../lib/errors.ts';
import { updateCounts } from '../../records/change.ts';
import { enrollContacts } from '../campaigns/enrollment.service.ts';
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

/** How many of the blocked contacts a job lists. */
const MAX_REASONS = 20;

/** Finds the next contacts of a job, and its progress before and after them. This may read many contacts that do not match, so it is not
 *  part of the write. */
export const findNextOfBulkJob = longRead(
  'findNextOfBulkJob',
  async (db, { workspace }: Pick<Principal, 'workspace'>, { id, size }: { id: string; size: number }) => {
    const row = await db.get(store.findWholeBulkJob, { workspace, id });
    if (!row) return { after: 0, ids: [] as string[], until: 0, isLast: true };
    const selection = storedSelection(row);
    const after = Number(row.progress);
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

type NextContacts = Awaited<ReturnType<typeof findNextOfBulkJob>>;

interface Outcome {
  readonly changed: number;
  readonly unchanged: number;
  readonly missing: number;
  readonly blocked: readonly Blocked[];
}

const act = async (db: Db, principal: Principal, row: store.BulkJobRow, ids: string[]): Promise<Outcome> => {
  const parameters = JSON.parse(row.parameters) as BulkParameters;
  const { add = [], remove = [], tag = '', to = '', campaign_id = '' } = parameters;
  const fields = parameters.fields ?? {};
  if (row.action === 'enroll') {
    const enrolling = { campaign: campaign_id, ids, sum: row.changed, entry: row.entry ?? undefined };
    const { enrolled, already_enrolled, missing } = await enrollContacts(db, principal, enrolling);
    return { changed: enrolled, unchanged: already_enrolled, missing: missing.length, blocked: [] };
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
  if (row.action === 'set_fields') {
    const merged = (before: StoredContact) => ({ fields: mergeValues(before.fields, fields, definitions) });
    return { ...(await changeEach(db, principal, contacts, merged)), missing };
  }
  row.action satisfies 'tag' | 'rename_tag' | 'export';
  const next = (before: readonly string[]) =>
    row.action === 'rename_tag'
      ? [...new Set(before.map((each) => (each === tag ? to : each)))]
      : withTags(before, { add, remove });
  return { ...(await replaceTags(db, principal, contacts, next)), missing };
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
  async (db, { job, next: { after, ids, until, isLast } }: { job: JobRow; next: NextContacts }) => {
    const { workspace_id: workspace, subject: id } = job;
    const row = await db.get(store.selectBulkJobForUpdate, { workspace, id });
    if (!row || isEnded(row)) return true;
    // Another instance has run this step.
    if (row.progress !== after) return false;
    const principal = { workspace, actor: row.created_by, request: row.request_id ?? undefined };
    await assertStillActive(db, principal);
    const { tag, to } = JSON.parse(row.parameters) as BulkParameters;
    // Segments are locked before contacts (see the lock order).
    if (isLast && tag && to) await renameTagInSegments(db, principal, { tag, to });
    const outcome = await act(db, principal, row, ids);
    const now = timestamp();
    const processed = row.processed + ids.length;
    const reasons = [...(JSON.parse(row.reasons) as Blocked[]), ...outcome.blocked].slice(0, MAX_REASONS);
    const changed = row.changed + outcome.changed;
    const blocked = row.blocked + outcome.blocked.length;
    const progress = {
      progress: until,
      total: isLast ? processed : Math.max(row.total, processed),
      processed,
      changed,
      unchanged: row.unchanged + outcome.unchanged,
      missing: row.missing + outcome.missing,
      blocked,
      reasons: JSON.stringify(reasons),
      started_at: row.started_at ?? now,
    };
    if (isLast) await endBulkJob(db, row, { ...progress, status: 'done', finished_at: now });
    else await db.run(store.updateBulkJob, { ...row, ...progress, status: 'running' });
    if (row.entry !== null && row.action !== 'enroll')
      await updateCounts(db, { workspace }, { entry: row.entry, counts: auditCounts(row.action, changed) });
    if (isLast)
      recordJobNotice(db, row, {
        kind: 'job.finished',
        actor: actorOfShortWork(row.created_by, row.created_at),
        counts: { ...auditCounts(row.action, changed), ...(blocked > 0 && { skipped: blocked }) },
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

/** Deletes the record of a job that ended long ago. */
export const expireBulkJob = jobStep('expireBulkJob', async (db, { job }) => {
  await db.run(store.deleteBulkJob, { workspace: job.workspace_id, id: job.subject });
  return true;
});
