import type { Db } from '../../db/db.ts';
import { longRead, read, write } from '../../db/operation.ts';
import { scheduleJob } from '../../jobs/job.service.ts';
import { DAY_MS, inDays, timestamp } from '../../lib/clock.ts';
import { conflict, existing } from '../../lib/errors.ts';
import { typeId } from '../../lib/ids.ts';
import { pageOf, pageRequestOf } from '../../lib/page.ts';
import { change } from '../../records/change.ts';
import { equalTo } from '../../records/list.declaration.ts';
import { bulkChangeRows } from '../bulk/changes.store.ts';
import { moveCalls, moveFirstCall } from '../calls/call.merge.ts';
import { mergeEnrollments } from '../campaigns/enrollment.merge.ts';
import { insertMerged, mergedLinks } from '../contacts/contact.merged.ts';
import { contactId } from '../contacts/contact.service.ts';
import { creators, type StoredContact, selectByIdsForUpdate } from '../contacts/contact.store.ts';
import { writeContacts } from '../contacts/contact.write.ts';
import { addOriginal, moveIdentities } from '../contacts/identity.merge.ts';
import { deleteKeys } from '../duplicates/duplicate.groups.ts';
import { lockFields } from '../fields/field.store.ts';
import { importRows } from '../imports/row.store.ts';
import { type ById, isKeyWithout, type Principal } from '../workspaces/principal.ts';
import { type Counts, inOrder, type Merged, type MergePlan, planOf, shownCounts } from './merge.plan.ts';
import type { MergeQuery } from './merge.schema.ts';
import * as store from './merge.store.ts';
import { lostValues, mergeFields } from './merge.values.ts';

export const mergeId = typeId('merge');

export const MOVING = 'merge.moving';
export const EXPIRING = 'merge.expiring';

/** How long a merge can be undone. */
const UNDO_DAYS = 30;

/** How many calls of each contact move in the transaction of a merge or its undo. */
export const CALLS_AT_ONCE = 1_000;
const EVERY = 100_000;

/** What an undo did not restore. It has no values. */
export interface UndoResult {
  readonly kept: readonly string[];
  readonly kept_calls: number;
  readonly not_restored: readonly {
    readonly contact_id: string;
    readonly kind: 'identity' | 'enrollment';
    readonly reason: 'held_by_other' | 'removed' | 'changed';
    readonly held_by: string | null;
    readonly campaign_id: string | null;
  }[];
}

export const undoUntil = ({ created_at }: Pick<store.MergeRow, 'created_at'>): string =>
  inDays(UNDO_DAYS, Date.parse(created_at));

const viewOf = (principal: Principal, row: store.MergeRow) => {
  const isUndone = row.undone_at !== null;
  const undo = JSON.parse(row.undo ?? 'null') as UndoResult | null;
  const hidden = isKeyWithout(principal, 'campaigns:read') ? 'enrollment' : undefined;
  return {
    id: row.id,
    survivor_id: row.survivor_id,
    other_ids: JSON.parse(row.other_ids) as string[],
    status: row.status,
    moved: shownCounts(principal, JSON.parse(row.counts) as Counts),
    created_by: row.created_by,
    created_at: row.created_at,
    undo_until: isUndone ? null : undoUntil(row),
    undone_by: row.undone_by,
    undone_at: row.undone_at,
    kept: undo?.kept ?? [],
    kept_calls: isKeyWithout(principal, 'calls:read') ? null : (undo?.kept_calls ?? 0),
    not_restored: undo?.not_restored.filter(({ kind }) => kind !== hidden) ?? [],
  };
};
export type Merge = ReturnType<typeof viewOf>;

export const requireMerge = async (db: Db, { workspace }: Pick<Principal, 'workspace'>, id: string) =>
  existing('merge', await db.get(store.findMerge, { workspace, id: mergeId.require(id) }));

export const findView = async (db: Db, principal: Principal, id: string): Promise<Merge> =>
  viewOf(principal, await requireMerge(db, principal, id));

/** A merge with the values that the survivor did not keep. */
export const getMerge = read('getMerge', async (db, principal: Principal, { id }: ById) => {
  const row = await requireMerge(db, principal, id);
  const records = await db.all(store.listRecords, { workspace: principal.workspace, merge: row.id });
  const of = <T>(kind: store.RecordRow['kind']) =>
    records.flatMap((each) => (each.kind === kind ? [JSON.parse(each.former) as T] : []));
  const [survivor] = of<Survivor>('survivor');
  const view = viewOf(principal, row);
  if (!survivor || undoUntil(row) <= timestamp()) return { ...view, lost: null };
  return {
    ...view,
    lost: lostValues(mergeFields([survivor.before, ...of<StoredContact>('contact')], survivor.choices)),
  };
});

/** One page, newest first. */
export const listMerges = longRead('listMerges', async (db, principal: Principal, query: MergeQuery) => {
  const { workspace } = principal;
  const { contact_id = '' } = query;
  const plan = store.mergeList.plan(
    equalTo({ contact: contactId.parse(contact_id) ?? contact_id }),
    'newest',
  );
  const rows = await store.mergeList.page(db, plan, store.mergeRows, { workspace, ...pageRequestOf(query) });
  const total = await store.mergeList.total(db, plan, workspace);
  return pageOf(
    rows.map((row) => viewOf(principal, row)),
    total,
  );
});

/** The survivor before and after a merge. */
export interface Survivor {
  readonly before: StoredContact;
  readonly after: StoredContact;
  readonly choices: Merged['choices'];
}

/** A contact as it was, with who created it. */
export type FormerContact = StoredContact & { readonly created_by: string | null };

/** Stores what a merge has moved or replaced. */
const recorder =
  (db: Db, workspace_id: number, merge_id: string) =>
  (kind: store.RecordRow['kind'], contact_id: string, former: unknown): Promise<unknown> =>
    Promise.resolve(
      db.run(store.insertRecord, {
        workspace_id,
        merge_id,
        kind,
        contact_id,
        former: JSON.stringify(former),
      }),
    );
export type Recorder = ReturnType<typeof recorder>;

/** Moves what belongs to a contact, and returns whether calls are left. */
const moveRecords = async (
  db: Db,
  principal: Principal,
  { contact, to, note }: { contact: StoredContact; to: string; note: Recorder },
): Promise<boolean> => {
  const { workspace } = principal;
  const between = { from: contact.id, to };
  if (await addOriginal(db, contact, contact.id)) await note('original', contact.id, {});
  await note('identities', contact.id, await moveIdentities(db, workspace, between));
  await note('links', contact.id, await mergedLinks.move(db, { workspace, ...between }, EVERY));
  await note('import_rows', contact.id, await importRows.move(db, { workspace, ...between }, EVERY));
  await note('bulk_changes', contact.id, await bulkChangeRows.move(db, { workspace, ...between }, EVERY));
  const latest = await moveCalls(db, principal, between, CALLS_AT_ONCE);
  await note('calls', contact.id, latest);
  if (latest.length < CALLS_AT_ONCE) return false;
  await note('calls', contact.id, await moveFirstCall(db, principal, between));
  return true;
};

const assertIdle = async (db: Db, { workspace }: Principal, ids: readonly string[]): Promise<void> => {
  const busy = await db.get(store.findInProgress, { workspace, keys: JSON.stringify(ids) });
  if (!busy) return;
  const message = `The calls of the merge ${busy.id} are still moving. Retry when its status is merged or undone.`;
  throw conflict(message, { merge_id: busy.id }, { 'Retry-After': '2' });
};

const changedSince = () =>
  conflict(
    'What this merge depends on was changed since it was planned. Nothing was merged. Plan it again, review the plan, and send its plan_token.',
  );

/** Merges locked contacts as planned. */
const execute = async (
  db: Db,
  principal: Principal,
  contacts: readonly StoredContact[],
  { plan, choices }: { plan: MergePlan; choices: Merged['choices'] },
): Promise<string> => {
  const { workspace } = principal;
  const [survivor, ...others] = contacts as [StoredContact, ...StoredContact[]];
  const to = survivor.id;
  const id = mergeId.create();
  const note = recorder(db, workspace, id);
  const other_ids = others.map((each) => each.id);
  const keys = JSON.stringify(other_ids);
  const createdBy = new Map(
    (await db.all(creators, { workspace, keys })).map((row) => [row.id, row.created_by]),
  );
  await note('survivor', to, { before: survivor, after: plan.after, choices } satisfies Survivor);
  if (plan.after.phone_identity !== survivor.phone_identity && (await addOriginal(db, survivor, to)))
    await note('original', to, {});
  await note('enrollments', to, plan.enrollments);
  await mergeEnrollments(db, principal, to, plan.enrollments);
  let isMoving = false;
  for (const contact of others) {
    await note('contact', contact.id, { ...contact, created_by: createdBy.get(contact.id) ?? null });
    const isLeft = await moveRecords(db, principal, { contact, to, note });
    isMoving ||= isLeft;
    const { id: contact_id, seq } = contact;
    const moving = isLeft ? 1 : 0;
    await db.run(insertMerged, {
      workspace_id: workspace,
      contact_id,
      merge_id: id,
      survivor_id: to,
      moving,
      seq,
    });
  }
  await deleteKeys(db, workspace, other_ids);
  await writeContacts(
    db,
    principal,
    [{ before: survivor, after: plan.after }, ...others.map((before) => ({ before }))],
    { isMerge: true },
  );
  await db.run(store.insertMerge, {
    workspace_id: workspace,
    id,
    survivor_id: to,
    other_ids: keys,
    status: isMoving ? 'moving' : 'merged',
    counts: JSON.stringify(plan.counts),
    created_by: principal.actor,
    request_id: principal.request ?? null,
    created_at: timestamp(),
    undone_by: null,
    undone_at: null,
    undo: null,
  });
  if (isMoving) await scheduleJob(db, { workspace, kind: MOVING, subject: id });
  await scheduleJob(db, { workspace, kind: EXPIRING, subject: id, inMs: UNDO_DAYS * DAY_MS });
  change(db, principal, {
    action: 'contact.merged',
    subject: to,
    counts: { contacts: others.length },
    event: { contact: to, data: JSON.stringify({ merge_id: id, other_ids }) },
    counters: { after: [store.MERGE_COUNTER] },
  });
  return id;
};

/** Merges contacts, if nothing has changed that the plan depends on. The result has no values: the answer to a request with an
 *  idempotency key is stored. */
export const mergeContacts = write(
  'mergeContacts',
  async (db, principal: Principal, { ids, choices, state }: Merged & { state: string }): Promise<Merge> => {
    const { workspace } = principal;
    // Values of fields are written (see the lock order).
    await lockFields(db, workspace);
    const locked = await db.all(selectByIdsForUpdate, { workspace, keys: JSON.stringify(ids) });
    const contacts = await inOrder(db, principal, ids, locked);
    await assertIdle(db, principal, ids);
    const plan = await planOf(db, principal, contacts, { choices, lock: true });
    if (plan.state !== state) throw changedSince();
    return findView(db, principal, await execute(db, principal, contacts, { plan, choices }));
  },
);
