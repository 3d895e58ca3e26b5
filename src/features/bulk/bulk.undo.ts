import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { scheduleJob } from '../../jobs/job.service.ts';
import { timestamp } from '../../lib/clock.ts';
import { conflict, existing } from '../../lib/errors.ts';
import { changeInSteps } from '../../records/change.ts';
import { removeImported } from '../campaigns/enrollment.imports.ts';
import { contactsById, type LockedContact } from '../contacts/contact.lookup.ts';
import { type Blocked, changeEach } from '../contacts/contact.service.ts';
import { renameTagInSegments } from '../contacts/segment.service.ts';
import { lockFields } from '../fields/field.store.ts';
import { assertAlso } from '../workspaces/access.guard.ts';
import type { ById, Principal } from '../workspaces/principal.ts';
import {
  assertNotFull,
  auditCounts,
  type BulkParameters,
  bulkJobId,
  expired,
  findView,
  isEnded,
  queued,
  RUNNING,
  undoUntil,
} from './bulk.service.ts';
import * as store from './bulk.store.ts';
import * as changes from './changes.store.ts';
import { type Former, restored } from './former.ts';

/** Creates the job that restores what another one has changed. A job that was canceled or has failed can be undone as well, and once
 *  more if its undo did not end. */
export const undoBulkJob = write('undoBulkJob', async (db, principal: Principal, { id }: ById) => {
  const { workspace } = principal;
  const key = { workspace, id: bulkJobId.require(id) };
  const before = existing('bulk job', await db.get(store.selectBulkJobForUpdate, key));
  const found = existing('bulk job', await db.get(store.findBulkJob, { ...key, ...expired() }));
  const { scopes = [] } = JSON.parse(before.parameters) as BulkParameters;
  assertAlso(principal, ...scopes);
  if (!isEnded(before)) throw conflict(`This job is ${before.status}. Wait for its end, or cancel it first.`);
  if (undoUntil(found) === null)
    throw conflict(
      before.undone_by === null
        ? `This job cannot be undone: its action is ${before.action}.`
        : `This job was already undone, or is being undone, by the job ${before.undone_by}.`,
    );
  await assertNotFull(db, workspace);
  const earlier =
    before.undone_by === null
      ? undefined
      : await db.get(store.findWholeBulkJob, { workspace, id: before.undone_by });
  const undo = bulkJobId.create();
  const counts = auditCounts('undo', 0);
  await db.run(store.insertBulkJob, {
    ...queued(principal, timestamp()),
    id: undo,
    action: 'undo',
    parameters: JSON.stringify({ undoes: key.id }),
    total: earlier ? earlier.total - earlier.processed : before.changed,
    entry: await changeInSteps(db, principal, { action: 'bulk_job.undone', subject: key.id, counts }),
  });
  await db.run(store.updateBulkJob, { ...before, undone_by: undo });
  await scheduleJob(db, { workspace, kind: RUNNING, subject: undo });
  return findView(db, principal, undo);
});

/** What a step did with its contacts. */
export interface Outcome {
  readonly changed: number;
  readonly unchanged: number;
  readonly missing: number;
  readonly blocked: readonly Blocked[];
}

type Undone = Omit<Outcome, 'missing' | 'unchanged'>;

/** Removes the enrollments that no one has claimed or changed. */
const unenroll = async (
  db: Db,
  principal: Principal,
  campaign: string,
  formers: ReadonlyMap<string, Former>,
): Promise<Undone> => {
  const times = new Map([...formers].map(([id, { enrolled = '' }]) => [id, enrolled]));
  const { unclaimed, claimed } = await removeImported(db, principal, campaign, times);
  const isRemoved = new Set(unclaimed);
  const isClaimed = new Set(claimed);
  const blocked = [...formers.keys()].flatMap((id) => {
    if (isRemoved.has(id)) return [];
    const reason = isClaimed.has(id)
      ? 'The contact was claimed or its enrollment changed since, so it stays enrolled.'
      : 'The enrollment of the contact was removed since.';
    return [{ id, reason }];
  });
  return { changed: unclaimed.length, blocked };
};

/** Restores tags and values of fields, except those that were changed since. */
const restoreAll = async (
  db: Db,
  principal: Principal,
  contacts: ReadonlyMap<string, LockedContact>,
  formers: ReadonlyMap<string, Former>,
  context: Parameters<typeof restored>[2],
): Promise<Undone> => {
  const some = [...formers.keys()].flatMap((id) => contacts.get(id) ?? []);
  const after = new Map(some.map((each) => [each.id, restored(each, formers.get(each.id) ?? {}, context)]));
  await changeEach(db, principal, some, ({ id, tags, fields }) => {
    const next = after.get(id);
    return next ? { tags: next.tags, fields: next.fields } : { tags: JSON.parse(tags), fields };
  });
  const reason = 'The contact was changed since. Only what was not changed is restored.';
  const blocked = some.flatMap(({ id }) => (after.get(id)?.isComplete ? [] : [{ id, reason }]));
  return { changed: some.length - blocked.length, blocked };
};

/** Restores the next contacts of a job. What is stored about them is then deleted, so it is restored once. */
export const undoNext = async (
  db: Db,
  principal: Principal,
  undo: store.BulkJobRow,
  { ids, after, until, isLast }: { ids: readonly string[]; after: number; until: number; isLast: boolean },
): Promise<Outcome> => {
  const { workspace } = principal;
  const { undoes: job = '' } = JSON.parse(undo.parameters) as BulkParameters;
  const row = existing('bulk job', await db.get(store.findWholeBulkJob, { workspace, id: job }));
  const { tag, to, segments: times, campaign_id } = JSON.parse(row.parameters) as BulkParameters;
  // Segments and fields are locked before contacts (see the lock order).
  if (isLast && tag && to && times) await renameTagInSegments(db, principal, { tag: to, to: tag, times });
  const definitions = row.action === 'set_fields' ? await lockFields(db, workspace) : new Map();
  const contacts = await contactsById(db, principal, ids);
  const range = { workspace, job, after, until };
  const stored = await db.all(changes.changesInRange, range);
  const formers = new Map(
    stored.flatMap(({ contact_id, former }) =>
      contacts.has(contact_id) ? [[contact_id, JSON.parse(former) as Former] as const] : [],
    ),
  );
  const { changed, blocked } = campaign_id
    ? await unenroll(db, principal, campaign_id, formers)
    : await restoreAll(db, principal, contacts, formers, { definitions, since: row.created_at });
  await db.run(changes.deleteRange, range);
  const processed = changed + blocked.length;
  // What was stored about contacts is erased with them.
  const missing = isLast ? undo.total - undo.processed - processed : ids.length - processed;
  return { changed, unchanged: 0, missing, blocked };
};
