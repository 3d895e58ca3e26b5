import type { Db } from '../../db/db.ts';
import { TransactionConflict } from '../../lib/errors.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { StoredContact } from './contact.store.ts';
import * as contacts from './contact.store.ts';
import { currentOf, type IdentityValue, isAmong, primaryOf, secondaryOf } from './identity.column.ts';
import * as store from './identity.store.ts';

/* The table of identities follows the rows of contacts: what a row no longer has becomes a former identity, and what it gets is
 * added. A new contact has only its number, so a create writes no identity. */

/** What is known about the identities that a write adds. */
export interface AddedIdentity {
  readonly verified_by?: string | null | undefined;
  readonly valid_from?: string | undefined;
}

export interface IdentityChange {
  readonly before: StoredContact;
  readonly after: contacts.ContactRow;
  readonly added?: AddedIdentity | undefined;
}

const taken = () =>
  new TransactionConflict('Other requests are changing contacts with these identities. Retry.');

/** Claims a number that is to be a secondary one: until the transaction ends, no other one can give it to a contact as its number. A
 *  contact that is deleted again makes them wait at the unique index. */
const claimNumber = async (db: Db, row: contacts.ContactRow, value: string): Promise<void> => {
  const id = store.contactOfOriginal(store.identityId.create());
  const placeholder = { ...row, id, phone_identity: value, seq: -Math.ceil(Math.random() * 2 ** 40) };
  const [inserted] = await db.each(contacts.insertContacts.one, [{ ...placeholder, created_by: null }]);
  if (inserted !== 1) throw taken();
  await db.run(contacts.deleteContactRow, { workspace: row.workspace_id, id });
};

const changedIdentity = (
  { before, after }: IdentityChange,
  { kind, value }: IdentityValue,
  changes: Partial<store.IdentityRow>,
): store.IdentityRow => ({
  workspace_id: before.workspace_id,
  id: store.identityId.create(),
  contact_id: before.id,
  kind,
  value,
  verified_by: null,
  valid_from: after.updated_at,
  valid_until: null,
  ...changes,
});

/** The number of a contact as it was before a change. If it has no row, it is the original one. */
const originalOf = (change: IdentityChange, valid_until: string | null): store.IdentityRow[] =>
  primaryOf(change.before).map((identity) => {
    const { id, created_at: valid_from } = change.before;
    return changedIdentity(change, identity, { id: store.originalId(id), valid_from, valid_until });
  });

/** Makes the identities that locked contacts give up former ones, before others get them. */
export const endIdentities = async (db: Db, changes: readonly IdentityChange[]): Promise<void> => {
  for (const change of changes) {
    const [is, valid_until] = [currentOf(change.after), change.after.updated_at];
    const gone = currentOf(change.before).filter((each) => !isAmong(each, is));
    const counts = await db.each(
      store.endIdentity,
      gone.map((each) => changedIdentity(change, each, { valid_until })),
    );
    const withoutRow = gone.filter((_, at) => counts[at] === 0);
    const originals = originalOf(change, valid_until).filter((each) => isAmong(each, withoutRow));
    await db.each(store.insertIdentity, originals);
  }
};

/** Adds the new identities of contacts whose rows were written. If another contact has one of them, the transaction is retried. */
export const addIdentities = async (db: Db, changes: readonly IdentityChange[]): Promise<void> => {
  for (const change of changes) {
    const { before, after, added } = change;
    const [was, is] = [currentOf(before), currentOf(after)];
    const others = secondaryOf(after);
    await db.each(
      store.insertIdentity,
      originalOf(change, null).filter((each) => isAmong(each, others)),
    );
    const given = is.filter((each) => !isAmong(each, was));
    for (const { kind, value } of given.filter((each) => isAmong(each, others)))
      if (kind === 'phone') await claimNumber(db, after, value);
    const { verified_by = null, valid_from = after.updated_at } = added ?? {};
    const rows = given.map((each) => changedIdentity(change, each, { verified_by, valid_from }));
    if ((await db.each(store.giveIdentity, rows)).includes(0)) throw taken();
  }
};

/** Which of the new rows have a number that another contact has as a secondary one. It runs after the rows were written: a transaction
 *  that adds a secondary number makes the unique index wait, so one of the two sees the other. */
export const takenNumbers = async (
  db: Db,
  workspace: number,
  created: readonly contacts.ContactRow[],
): Promise<contacts.ContactRow[]> => {
  const keys = JSON.stringify(created.flatMap(({ phone_identity }) => phone_identity ?? []));
  const holders = await db.all(store.rowHoldersOf, { workspace, keys });
  if (holders.length === 0) return [];
  const holderOf = new Map(holders.map(({ value, id }) => [value, id]));
  return created.filter(({ id, phone_identity }) => (holderOf.get(phone_identity ?? '') ?? id) !== id);
};

/** Deletes the identities of deleted contacts, also former ones. */
export const deleteIdentities = async (
  db: Db,
  { workspace }: Principal,
  deleted: readonly { id: string }[],
): Promise<void> => {
  const args = { workspace, keys: JSON.stringify(deleted.map(({ id }) => id)) };
  for (const statement of store.deletionsOfContacts) await db.run(statement, args);
};
