import type { Db } from '../../db/db.ts';
import { TransactionConflict } from '../../lib/errors.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import * as store from './contact.store.ts';
import { phonesOf } from './identity.column.ts';
import { findCurrent, holdersOf } from './identity.store.ts';
import { findByNumber } from './phone.variants.ts';

/* Who has a number now, as the primary or a secondary one. */

/** The contact that has a number. */
export const holderOf = async (db: Db, workspace: number, number: string): Promise<string | undefined> =>
  (await db.all(holdersOf, { workspace, keys: JSON.stringify([number]) }))[0]?.id;

/** The contact that has a number as a secondary one, after a look-up by the primary number found none. */
export const secondaryHolderOf = (
  db: Db,
  workspace: number,
  value: string,
): MaybePromise<string | undefined> =>
  chain(db.get(findCurrent, { workspace, kind: 'phone', value }), (found) => found?.contact_id ?? undefined);

/** Locks the contact that has a number. */
export const lockByNumber = async (
  db: Db,
  { workspace }: { readonly workspace: number },
  number: string,
): Promise<store.StoredContact | undefined> => {
  const primary = await db.get(store.selectByIdentityForUpdate, { workspace, identity: number });
  if (primary) return primary;
  const id = await secondaryHolderOf(db, workspace, number);
  if (id === undefined) return undefined;
  const contact = await db.get(store.selectContactForUpdate, { workspace, id });
  if (contact && phonesOf(contact).includes(number)) return contact;
  throw new TransactionConflict('Another request is changing the contact of this number. Retry.');
};

/** Locks the contact that has a number or, if no one has it, another form of it. */
export const lockByAnyForm: typeof lockByNumber = async (db, principal, number) =>
  findByNumber(number, (each) => lockByNumber(db, principal, each));

/** Locks the contacts that have numbers, and those with some ids, in one statement and in the order of their ids. A number can have
 *  changed before that. */
export const lockByNumbers = async (
  db: Db,
  workspace: number,
  { numbers, ids = [] }: { numbers: readonly string[]; ids?: readonly string[] },
): Promise<store.StoredContact[]> => {
  const keys = JSON.stringify(numbers);
  const holders = numbers.length > 0 ? await db.all(holdersOf, { workspace, keys }) : [];
  const all = [...new Set([...holders.map(({ id }) => id), ...ids])];
  return all.length === 0 ? [] : db.all(store.selectByIdsForUpdate, { workspace, keys: JSON.stringify(all) });
};
