import type { Db } from '../../db/db.ts';
import { movedRows, type RowKeys } from '../../records/moved-rows.ts';
import type { StoredContact } from './contact.store.ts';
import { type IdentityValue, isAmong } from './identity.column.ts';
import { originalRow } from './identity.list.ts';
import {
  deleteIdentityRow,
  identitiesOfContacts,
  identityId,
  insertIdentity,
  originalId,
  setValidUntil,
} from './identity.store.ts';

/* Identities of merged contacts. Their rows move, and a number that had no row gets one. A merge and its undo write the rows themselves,
 * so writeContacts does not. */

const rows = movedRows({ table: 'identities', key: ['id'] });
export const countIdentities = rows.count;

const EVERY = 10_000;

/** Gives a contact's number a row, which refers to `to`, unless it has one. Returns whether an undo removes it again. */
export const addOriginal = async (db: Db, contact: StoredContact, to: string): Promise<boolean> => {
  if (contact.phone_identity === null) return false;
  const row = { ...originalRow(contact), contact_id: to };
  if ((await db.run(insertIdentity, row)) > 0) return true;
  // The id can be that of a former number.
  await db.run(insertIdentity, { ...row, id: identityId.create() });
  return false;
};

/** Moves the identities of a contact, and returns the keys of their rows. */
export const moveIdentities = (
  db: Db,
  workspace: number,
  between: { from: string; to: string },
): Promise<RowKeys> => rows.move(db, { workspace, ...between }, EVERY);

interface Returning {
  readonly from: string;
  readonly to: string;
  readonly keys: RowKeys;
  /** The current identities of the contact that exists again. Others that are current stay. */
  readonly given: readonly IdentityValue[];
}

/** Moves identities back to a contact that exists again. A number that it needs and that no one has is current again. */
export const moveIdentitiesBack = async (
  db: Db,
  workspace: number,
  { from, to, keys, given }: Returning,
): Promise<void> => {
  const rowsOfContact = (id: string) =>
    db.all(identitiesOfContacts, { workspace, keys: JSON.stringify([id]) });
  const isCurrent = ({ valid_until }: { valid_until: string | null }) => valid_until === null;
  const stays = (await rowsOfContact(from)).filter((row) => isCurrent(row) && !isAmong(row, given));
  const kept = new Set(stays.map(({ id }) => id));
  await rows.moveBack(
    db,
    { workspace, from, to },
    keys.filter(({ id }) => !kept.has(String(id))),
  );
  const own = await rowsOfContact(to);
  const former = own.filter(
    (row) => !isCurrent(row) && isAmong(row, given) && !isAmong(row, own.filter(isCurrent)),
  );
  const latest = new Map(former.map((row) => [row.value, row]));
  await db.each(
    setValidUntil,
    [...latest.values()].map((row) => ({ ...row, valid_until: null })),
  );
};

/** Removes the row of a contact's number that a merge has added, unless it is a former one by now. */
export const removeOriginal = async (db: Db, workspace: number, contact: string): Promise<void> => {
  const id = originalId(contact);
  const all = await db.all(identitiesOfContacts, { workspace, keys: JSON.stringify([contact]) });
  if (all.some((each) => each.id === id && each.valid_until === null))
    await db.run(deleteIdentityRow, { workspace, id });
};
