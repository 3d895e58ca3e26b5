import type { Db } from '../../db/db.ts';
import { movedRows, type RowKeys } from '../../records/moved-rows.ts';
import type { StoredContact } from './contact.store.ts';
import { type IdentityValue, isAmong } from './identity.column.ts';
import { originalRow } from './identity.list.ts';
import { deleteIdentityRow, identitiesOfContacts, insertIdentity, originalId } from './identity.store.ts';

/* Identities of merged contacts. Their rows move, and a number that had no row gets one. A merge and its undo write the rows themselves,
 * so writeContacts does not. */

const rows = movedRows({ table: 'identities', key: ['id'] });
export const countIdentities = rows.count;

const EVERY = 10_000;

/** Gives a contact's number a row, which refers to `to`, unless it has one. Returns whether it did. */
export const addOriginal = async (db: Db, contact: StoredContact, to: string): Promise<boolean> =>
  contact.phone_identity !== null &&
  (await db.run(insertIdentity, { ...originalRow(contact), contact_id: to })) > 0;

/** Moves the identities of a contact, and returns the keys of their rows. */
export const moveIdentities = (
  db: Db,
  workspace: number,
  between: { from: string; to: string },
): Promise<RowKeys> => rows.move(db, { workspace, ...between }, EVERY);

/** Moves identities back to a contact that exists again, except current ones that `stays` names. */
export const moveIdentitiesBack = async (
  db: Db,
  workspace: number,
  { from, to, keys, stays }: { from: string; to: string; keys: RowKeys; stays: readonly IdentityValue[] },
): Promise<void> => {
  const all = await db.all(identitiesOfContacts, { workspace, keys: JSON.stringify([from]) });
  const kept = new Set(
    all.filter((row) => row.valid_until === null && isAmong(row, stays)).map(({ id }) => id),
  );
  await rows.moveBack(
    db,
    { workspace, from, to },
    keys.filter(({ id }) => !kept.has(String(id))),
  );
};

/** Removes the row of a contact's number that a merge has added, unless it is a former one by now. */
export const removeOriginal = async (db: Db, workspace: number, contact: string): Promise<void> => {
  const id = originalId(contact);
  const all = await db.all(identitiesOfContacts, { workspace, keys: JSON.stringify([contact]) });
  if (all.some((each) => each.id === id && each.valid_until === null))
    await db.run(deleteIdentityRow, { workspace, id });
};
