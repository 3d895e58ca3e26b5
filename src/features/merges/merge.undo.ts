import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { cancelJob, jobStep, scheduleJob } from '../../jobs/job.service.ts';
import { timestamp } from '../../lib/clock.ts';
import { conflict, notFound } from '../../lib/errors.ts';
import { change } from '../../records/change.ts';
import type { RowKeys } from '../../records/moved-rows.ts';
import { bulkChangeRows } from '../bulk/changes.store.ts';
import { countCallsSince, moveCalls, moveCallsBack } from '../calls/call.merge.ts';
import { lockCampaigns, type MergedEnrollment, restoreEnrollments } from '../campaigns/enrollment.merge.ts';
import { endMerged, mergedLinks, mergedOfMerge, survivorOf } from '../contacts/contact.merged.ts';
import { type StoredContact, selectByIdsForUpdate } from '../contacts/contact.store.ts';
import { writeContacts } from '../contacts/contact.write.ts';
import { currentOf, type IdentityValue, isAmong, primaryOf } from '../contacts/identity.column.ts';
import { moveIdentitiesBack, removeOriginal } from '../contacts/identity.merge.ts';
import { holderOfIdentity } from '../contacts/identity.service.ts';
import { lockFields } from '../fields/field.store.ts';
import { importRows } from '../imports/row.store.ts';
import type { ById, Principal } from '../workspaces/principal.ts';
import { type Context, restoredContact, restoredSurvivor } from './merge.restore.ts';
import {
  CALLS_AT_ONCE,
  EXPIRING,
  type FormerContact,
  findView,
  type Merge,
  MOVING,
  requireMerge,
  type Survivor,
  type UndoResult,
  undoUntil,
} from './merge.service.ts';
import * as store from './merge.store.ts';

type NotRestored = UndoResult['not_restored'][number];

/** What a merge has stored. */
const readRecords = async (db: Db, workspace: number, merge: string) => {
  const records = await db.all(store.listRecords, { workspace, merge });
  const parsed = <T>(kind: store.RecordRow['kind']) =>
    records.flatMap((each) =>
      each.kind === kind ? [{ contact: each.contact_id, former: JSON.parse(each.former) as T }] : [],
    );
  const keysOf = (kind: store.RecordRow['kind'], contact: string): RowKeys =>
    parsed<RowKeys>(kind).find((each) => each.contact === contact)?.former ?? [];
  return {
    survivor: parsed<Survivor>('survivor')[0]?.former,
    contacts: parsed<FormerContact>('contact').map(({ former }) => former),
    enrollments: parsed<MergedEnrollment[]>('enrollments')[0]?.former ?? [],
    originals: new Set(parsed('original').map(({ contact }) => contact)),
    keysOf,
  };
};
type Records = Awaited<ReturnType<typeof readRecords>>;

const before = (other: string) =>
  conflict(`Undo the merge ${other} first: it came after this one.`, { merge_id: other });

/** Throws unless the merge is the newest of its contacts and can be undone. */
const assertUndoable = async (db: Db, { workspace }: Principal, row: store.MergeRow, survivor: unknown) => {
  if (row.undone_at !== null)
    throw conflict(`This merge ${row.status === 'undone' ? 'was already' : 'is being'} undone.`);
  const merged = survivor ? undefined : await survivorOf(db, workspace, row.survivor_id);
  if (merged) throw before(merged.merge_id);
  if (!survivor) throw notFound('merge');
  const newest = await db.get(store.findNewest, { workspace, survivor: row.survivor_id });
  if (newest && newest.id !== row.id) throw before(newest.id);
  if (undoUntil(row) <= timestamp()) throw conflict(`This merge could be undone until ${undoUntil(row)}.`);
};

/** Which identities return to the contacts that had them, and which do not. */
const sortIdentities = async (
  db: Db,
  { workspace }: Principal,
  now: StoredContact,
  { contacts, survivor: { before, after } }: { contacts: readonly FormerContact[]; survivor: Survivor },
) => {
  const held = currentOf(now);
  const isFree = async (each: IdentityValue) =>
    isAmong(each, held) || (await holderOfIdentity(db, workspace, each)) === undefined;
  const wasChanged = after.phone_identity !== before.phone_identity;
  const isKept = now.phone_identity === after.phone_identity;
  const hasNumber =
    isKept && (!wasChanged || (await Promise.all(primaryOf(before).map(isFree))).every(Boolean));
  const given: IdentityValue[] = [];
  const lost: NotRestored[] = [];
  for (const contact of contacts)
    for (const each of currentOf(contact)) {
      const isPrimary = isAmong(each, primaryOf(now));
      if (isAmong(each, held) ? !isPrimary || (wasChanged && hasNumber) : false) given.push(each);
      else {
        const holder = await holderOfIdentity(db, workspace, each);
        // A contact needs its number, which no one has.
        const isNeeded = holder === undefined && isAmong(each, primaryOf(contact));
        if (isNeeded) given.push(each);
        else
          lost.push({
            contact_id: contact.id,
            kind: 'identity',
            reason: holder === undefined ? 'removed' : 'held_by_other',
            held_by: holder ?? null,
            campaign_id: null,
          });
      }
    }
  return { given, lost, hasNumber: wasChanged ? hasNumber : isKept };
};

/** Moves calls back to their contacts, those of at most `limit` and a step. Returns whether all are there. */
const restoreCalls = async (
  db: Db,
  principal: Principal,
  row: store.MergeRow,
  limit: number,
): Promise<boolean> => {
  const { workspace } = principal;
  for (let done = 0; done < limit; ) {
    const record = await db.get(store.findCallRecord, { workspace, id: row.id });
    if (!record) return true;
    const keys = JSON.parse(record.former) as RowKeys;
    await moveCallsBack(db, principal, { from: row.survivor_id, to: record.contact_id }, keys);
    await db.run(store.deleteRecord, { workspace, merge: row.id, position: record.position });
    done += keys.length;
  }
  return false;
};

/** Ends an undo: nothing of the contacts remains with the merge. */
const endUndo = async (db: Db, row: store.MergeRow): Promise<void> => {
  const { workspace_id: workspace, id } = row;
  await db.run(store.deleteRecords, { workspace, keys: JSON.stringify([id]) });
  await db.run(store.updateMerge, { ...row, status: 'undone' });
};

/** Restores what belongs to the contacts, which exist again. */
const restoreRecords = async (
  db: Db,
  principal: Principal,
  row: store.MergeRow,
  { records, campaigns }: { records: Records; campaigns: ReadonlySet<string> },
): Promise<NotRestored[]> => {
  const { workspace } = principal;
  const { survivor_id: from, id: merge } = row;
  for (const { id: contact_id } of records.contacts) {
    const between = { workspace, from, to: contact_id };
    await mergedLinks.moveBack(db, between, records.keysOf('links', contact_id));
    await importRows.moveBack(db, between, records.keysOf('import_rows', contact_id));
    await bulkChangeRows.moveBack(db, between, records.keysOf('bulk_changes', contact_id));
    await db.run(endMerged, {
      workspace_id: workspace,
      merge_id: merge,
      contact_id,
      survivor_id: null,
      moving: 0,
    });
  }
  const lost = await restoreEnrollments(db, principal, { to: from, merged: records.enrollments, campaigns });
  return lost.map(({ contact_id, campaign_id }) => ({
    contact_id,
    kind: 'enrollment',
    reason: campaigns.has(campaign_id) ? 'changed' : 'removed',
    held_by: null,
    campaign_id,
  }));
};

/** Makes merged contacts exist again, with what belonged to them. What was written to the survivor since stays there. */
export const undoMerge = write(
  'undoMerge',
  async (db, principal: Principal, { id }: ById): Promise<Merge> => {
    const { workspace } = principal;
    const seen = await requireMerge(db, principal, id);
    const records = await readRecords(db, workspace, seen.id);
    const campaigns = await lockCampaigns(db, principal, records.enrollments);
    const definitions = await lockFields(db, workspace);
    const [now] = await db.all(selectByIdsForUpdate, { workspace, keys: JSON.stringify([seen.survivor_id]) });
    // A merge is only changed under the lock of its survivor.
    const row = await requireMerge(db, principal, id);
    await assertUndoable(db, principal, row, now);
    const { survivor, contacts } = records;
    if (!now || !survivor) throw notFound('merge');
    const identities = await sortIdentities(db, principal, now, { contacts, survivor });
    const context: Context = { definitions, since: row.created_at, ...identities };
    for (const contact of contacts) {
      const keys = records.keysOf('identities', contact.id);
      const given = currentOf(contact).filter((each) => isAmong(each, identities.given));
      await moveIdentitiesBack(db, workspace, { from: now.id, to: contact.id, keys, given });
      if (records.originals.has(contact.id)) await removeOriginal(db, workspace, contact.id);
    }
    if (records.originals.has(now.id) && identities.hasNumber) await removeOriginal(db, workspace, now.id);
    const { row: after, kept } = restoredSurvivor(now, survivor, context);
    const restored = contacts.map((contact) => restoredContact(contact, context));
    await writeContacts(db, principal, [{ before: now, after }, ...restored], { isMerge: true });
    const lost = await restoreRecords(db, principal, row, { records, campaigns });
    const isDone = await restoreCalls(db, principal, row, CALLS_AT_ONCE);
    const undo: UndoResult = {
      kept,
      kept_calls: await countCallsSince(db, workspace, now.id, row.created_at),
      not_restored: [...identities.lost, ...lost],
    };
    const undone = { ...row, undone_at: timestamp(), undone_by: principal.actor, undo: JSON.stringify(undo) };
    await cancelJob(db, { workspace, kind: EXPIRING, subject: row.id });
    await db.run(store.updateMerge, { ...undone, status: 'undoing' });
    if (isDone) {
      await cancelJob(db, { workspace, kind: MOVING, subject: row.id });
      await endUndo(db, undone);
    } else await scheduleJob(db, { workspace, kind: MOVING, subject: row.id });
    const other_ids = contacts.map((each) => each.id);
    change(db, principal, {
      action: 'contact.unmerged',
      subject: now.id,
      counts: { contacts: contacts.length },
      event: { contact: now.id, data: JSON.stringify({ merge_id: row.id, other_ids }) },
    });
    return findView(db, principal, row.id);
  },
);

/** Moves the next calls of merged contacts. Returns whether none is left. */
const moveNext = async (
  db: Db,
  principal: Principal,
  row: store.MergeRow,
  size: number,
): Promise<boolean> => {
  const { workspace } = principal;
  const merged = await db.all(mergedOfMerge, { workspace, merge: row.id });
  const next = merged.find(({ moving }) => moving === 1);
  if (!next) {
    await db.run(store.updateMerge, { ...row, status: 'merged' });
    return true;
  }
  const { contact_id, survivor_id } = next;
  const keys = await moveCalls(db, principal, { from: contact_id, to: row.survivor_id }, size);
  const record = { workspace_id: workspace, merge_id: row.id, kind: 'calls', contact_id } as const;
  if (keys.length > 0) await db.run(store.insertRecord, { ...record, former: JSON.stringify(keys) });
  if (keys.length < size)
    await db.run(endMerged, {
      workspace_id: workspace,
      merge_id: row.id,
      contact_id,
      survivor_id,
      moving: 0,
    });
  return false;
};

/** Moves calls of a merge, or moves them back. Its contacts can be neither merged nor unmerged meanwhile. */
export const movingStep = jobStep('mergeMovingStep', async (db, { job, size }) => {
  const key = { workspace: job.workspace_id, id: job.subject };
  const seen = await db.get(store.findMerge, key);
  if (!seen) return true;
  const keys = JSON.stringify([seen.survivor_id, ...(JSON.parse(seen.other_ids) as string[])]);
  await db.all(selectByIdsForUpdate, { workspace: key.workspace, keys });
  const row = await db.get(store.findMerge, key);
  if (!row) return true;
  const actor = row.undone_by ?? row.created_by;
  const principal = { workspace: key.workspace, actor };
  if (row.status === 'moving') return moveNext(db, principal, row, size);
  if (row.status !== 'undoing') return true;
  const isDone = await restoreCalls(db, principal, row, 1);
  if (isDone) await endUndo(db, row);
  return isDone;
});

/** Deletes what an undo needs. */
export const expireMerge = jobStep(
  'expireMerge',
  async (db, { job: { workspace_id: workspace, subject } }) => {
    await db.run(store.deleteRecords, { workspace, keys: JSON.stringify([subject]) });
    return true;
  },
);

/** Ends undos before one of their contacts is deleted, because its calls may still refer to another one. */
export const finishUndos = async (
  db: Db,
  principal: Principal,
  contacts: readonly { id: string }[],
): Promise<void> => {
  const keys = JSON.stringify(contacts.map(({ id }) => id));
  for (const row of await db.all(store.findInProgress, { workspace: principal.workspace, keys })) {
    if (row.status !== 'undoing') continue;
    await restoreCalls(db, principal, row, Number.POSITIVE_INFINITY);
    await endUndo(db, row);
  }
};
