import type { Db } from '../../db/db.ts';
import { cascade } from '../../lib/cascade.ts';
import { TransactionConflict } from '../../lib/errors.ts';
import type { Definitions } from '../fields/field.values.ts';
import type { Principal } from '../workspaces/principal.ts';
import { recordWrite } from './contact.derived.ts';
import { mergedIds } from './contact.merged.ts';
import * as store from './contact.store.ts';
import { phonesOf } from './identity.column.ts';
import { freeFormerNumbers, holdersOf } from './identity.store.ts';
import { type AddedIdentity, addIdentities, endIdentities, takenNumbers } from './identity.sync.ts';

/* Every write of contacts is one of these two: requests create, and all else is a write of many. Both write the rows, and record the
 * changes in derived tables, events and the timeline. */

/** A contact before and after a change: no `before` means a create, no `after` a delete. The caller has locked `before`. */
export interface ContactWrite {
  readonly before?: store.StoredContact;
  readonly after?: store.ContactRow;
  /** Of the identities that it adds. */
  readonly added?: AddedIdentity;
  /** Of a contact that exists again: where it was, and who created it. */
  readonly restored?: { readonly seq: number; readonly created_by: string | null };
}

export interface DeletedContact {
  readonly id: string;
  /** Its numbers, also former ones that no other contact has. */
  readonly numbers: readonly string[];
}

/** Runs before contacts are deleted, so that other features delete or unlink what they store about them. */
export const contactDeletion = cascade<[Db, Principal, readonly DeletedContact[]]>();

/** Whether a write gives a number to a contact. */
export const getsNumber = ({ before, after }: ContactWrite): boolean =>
  before === undefined || before.phone_identity !== after?.phone_identity;

const changesIdentities = ({ before, after }: ChangedContact): boolean =>
  before.phone_identity !== after.phone_identity || before.identities !== after.identities;

/** The row of a new contact, and who creates it. */
interface NewRow {
  readonly principal: Principal;
  readonly after: store.ContactRow;
}

/** Writes new contacts of a workspace in the order of their numbers, in which all transactions lock them. Returns the position of each,
 *  or undefined if its number is taken. */
export const createContacts = async (
  db: Db,
  created: readonly NewRow[],
  definitions?: Definitions,
): Promise<(number | undefined)[]> => {
  const sorted = created.toSorted((one, other) => (numberKey(one.after) < numberKey(other.after) ? -1 : 1));
  const rows = sorted.map(({ principal, after }) => ({ ...after, created_by: principal.actor }));
  const workspace = rows[0]?.workspace_id ?? 0;
  // Both begin together, in this order.
  const [inserted, taken] = await Promise.all([
    Promise.all(db.insertRows(store.insertContacts, rows)),
    rows.length === 0 ? [] : takenNumbers(db, workspace, rows),
  ]);
  const seqs = new Map(inserted.flat().map(({ id, seq }) => [id, seq]));
  const undone = taken.flatMap(({ id }) => (seqs.delete(id) ? [{ workspace, id }] : []));
  if (undone.length > 0) await db.each(store.deleteContactRow, undone);
  for (const { principal, after } of sorted) {
    const seq = seqs.get(after.id);
    if (seq !== undefined) recordWrite(db, principal, { after }, { seq, isAudited: true, definitions });
  }
  return created.map(({ after }) => seqs.get(after.id));
};

/** The key by which a contact is found: its identity or, if it has none, the displayed number. */
export const numberKey = ({
  phone_identity,
  phone_number,
}: Pick<store.ContactRow, 'phone_identity' | 'phone_number'>): string => phone_identity ?? `=${phone_number}`;

type Deleted = Required<Pick<ContactWrite, 'before'>>;
type Numbered = ContactWrite & Required<Pick<ContactWrite, 'after'>>;
export type ChangedContact = ContactWrite & Required<Pick<ContactWrite, 'before' | 'after'>>;

interface Writer {
  readonly db: Db;
  readonly principal: Principal;
  /** False if the changes have one audit entry, not one each. */
  readonly isAudited: boolean;
  /** Whether deleted contacts become a part of another one, or such ones exist again: nothing is erased, and the caller writes the
   *  identities. */
  readonly isMerge: boolean;
}

const record = ({ db, principal, isAudited }: Writer, write: ContactWrite, seq: number): void =>
  recordWrite(db, principal, write, { seq, isAudited });

/** Deletes what is stored about contacts, and about those that were merged into them. */
const eraseContacts = async ({ db, principal }: Writer, deleted: readonly Deleted[]): Promise<void> => {
  const { workspace } = principal;
  const merged = await mergedIds(
    db,
    workspace,
    deleted.map(({ before }) => before.id),
  );
  const keys = JSON.stringify(deleted.map(({ before }) => before.id));
  const former = Map.groupBy(await db.all(freeFormerNumbers, { workspace, keys }), (row) => row.contact_id);
  const contacts = deleted.map(({ before }) => ({
    id: before.id,
    numbers: [...phonesOf(before), ...(former.get(before.id) ?? []).map(({ value }) => value)],
  }));
  await contactDeletion.run(db, principal, [...contacts, ...merged.map((id) => ({ id, numbers: [] }))]);
};

const deleteContacts = async (writer: Writer, deleted: readonly Deleted[]): Promise<void> => {
  if (deleted.length === 0) return;
  const { db, principal } = writer;
  if (!writer.isMerge) await eraseContacts(writer, deleted);
  await db.each(
    store.deleteContactRow,
    deleted.map(({ before }) => ({ workspace: principal.workspace, id: before.id })),
  );
  for (const each of deleted) record(writer, each, each.before.seq);
};

const updateContacts = async (writer: Writer, changed: readonly ChangedContact[]): Promise<void> => {
  await writer.db.each(
    store.updateContactRow,
    changed.map(({ after }) => after),
  );
  for (const each of changed) record(writer, each, each.before.seq);
};

const numbersTaken = () =>
  new TransactionConflict('Other requests are creating contacts with these numbers. Retry.');

/** Inserts contacts at their positions. */
const insertContacts = async (
  writer: Writer,
  created: readonly Numbered[],
  seqOf: (write: Numbered) => number,
): Promise<void> => {
  const created_by = writer.principal.actor;
  const changes = await writer.db.each(
    store.insertContacts.one,
    created.map((each) => ({ ...each.after, created_by, seq: seqOf(each), ...each.restored })),
  );
  if (changes.includes(0)) throw numbersTaken();
  const rows = created.map(({ after }) => after);
  if ((await takenNumbers(writer.db, writer.principal.workspace, rows)).length > 0) throw numbersTaken();
  for (const each of created) record(writer, each, seqOf(each));
};

/** If a contact takes the number that another one gives up, all numbers are given up first: they are unique at every moment. */
const releaseNumbers = async (
  db: Db,
  moved: readonly ChangedContact[],
  numbered: readonly Numbered[],
): Promise<void> => {
  const released = new Set(moved.map(({ before }) => before.phone_identity));
  if (!numbered.some(({ after }) => released.has(after.phone_identity))) return;
  await db.each(
    store.updateContactRow,
    moved.map(({ before }) => ({ ...before, phone_identity: null })),
  );
};

/** Gives numbers to contacts, new ones and others, in the order of the numbers: a statement waits for another transaction that has
 *  given the same number, so all transactions follow one order. The owner of a number that was taken in the meantime can be locked by a
 *  transaction that waits for this one, so an insert of the same number could deadlock. */
const giveNumbers = async (writer: Writer, numbered: readonly Numbered[]): Promise<void> => {
  const { db } = writer;
  const { workspace } = writer.principal;
  const created = numbered.filter(({ before, restored }) => !before && !restored);
  const items = JSON.stringify(created.map(() => 0));
  const { allocate } = store.insertContacts;
  const seqs = allocate && created.length > 0 ? await db.all(allocate, { workspace, items }) : [];
  const places = new Map(created.map((each, at) => [each, seqs[at]?.seq ?? 0]));
  const keys = JSON.stringify(numbered.flatMap(({ after }) => after.phone_identity ?? []));
  const owners = new Map(numbered.map(({ after }) => [after.phone_identity, after.id]));
  const holders = await db.all(holdersOf, { workspace, keys });
  if (holders.some(({ value, id }) => owners.get(value) !== id)) throw numbersTaken();
  const sorted = numbered.toSorted((one, other) => (numberKey(one.after) < numberKey(other.after) ? -1 : 1));
  for (let from = 0; from < sorted.length; ) {
    const isMove = sorted[from]?.before !== undefined;
    const end = sorted.findIndex(({ before }, at) => at > from && (before !== undefined) !== isMove);
    const run = sorted.slice(from, end === -1 ? undefined : end);
    if (isMove) await updateContacts(writer, run as ChangedContact[]);
    else await insertContacts(writer, run, (each) => each.restored?.seq ?? places.get(each) ?? 0);
    from += run.length;
  }
};

/** Writes contacts, each at most once. If a number was taken in the meantime, the transaction is retried. Numbers are given before other
 *  contacts are changed: a transaction that inserts a number waits for one that changes its contact, but not for one that has only
 *  locked it. */
export const writeContacts = async (
  db: Db,
  principal: Principal,
  writes: readonly ContactWrite[],
  { isAudited = false, isMerge = false }: Partial<Pick<Writer, 'isAudited' | 'isMerge'>> = {},
): Promise<void> => {
  const writer = { db, principal, isAudited, isMerge };
  const deleted = writes.filter((each): each is Deleted => !each.after);
  const numbered = writes.filter((each): each is Numbered => each.after !== undefined && getsNumber(each));
  const changed = writes.filter(
    (each): each is ChangedContact => each.after !== undefined && !getsNumber(each),
  );
  const numbers = new Set(numbered.map(({ after }) => numberKey(after)));
  const isReused = ({ before }: Deleted) =>
    [numberKey(before), ...phonesOf(before)].some((key) => numbers.has(key));
  await deleteContacts(writer, deleted.filter(isReused));
  const moved = numbered.filter((each): each is ChangedContact => each.before !== undefined);
  const identified = isMerge ? [] : [...moved, ...changed].filter(changesIdentities);
  await endIdentities(db, identified);
  await releaseNumbers(db, moved, numbered);
  if (numbered.length > 0) await giveNumbers(writer, numbered);
  await deleteContacts(
    writer,
    deleted.filter((each) => !isReused(each)),
  );
  await updateContacts(writer, changed);
  await addIdentities(db, identified);
};
