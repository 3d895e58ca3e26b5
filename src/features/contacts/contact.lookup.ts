import type { Db } from '../../db/db.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { ProfileText } from './contact.schema.ts';
import * as store from './contact.store.ts';
import { numberKey } from './contact.write.ts';

export type LockedContact = store.StoredContact;

/** What an import can write. */
export type ContactFacts = Pick<
  store.ContactRow,
  'phone_number' | 'phone_identity' | 'phone_conflict' | ProfileText
> & { tags: string[] };

/** `written` is the number as it is in the file. */
export type WrittenFacts = ContactFacts & { written: string };

/** All keys of a row: a legacy contact may be stored with the number as it is written, without an identity. */
const numberKeys = (facts: WrittenFacts): string[] =>
  facts.phone_identity === facts.written ? [facts.written] : [numberKey(facts), `=${facts.written}`];

/** Finds the contacts that have the numbers of some rows, and returns a lookup by row. In a write they stay locked until the
 *  transaction ends. */
export const contactsOf = async (
  db: Db,
  principal: Principal,
  many: readonly WrittenFacts[],
): Promise<(facts: WrittenFacts) => LockedContact | undefined> => {
  const found = await contactsByNumber(db, principal, [...new Set(many.flatMap(numberKeys))]);
  return (facts) => {
    const key = numberKeys(facts).find((each) => found.has(each));
    return key === undefined ? undefined : found.get(key);
  };
};

const contactsByNumber = async (
  db: Db,
  { workspace }: Principal,
  keys: readonly string[],
): Promise<Map<string, LockedContact>> => {
  const displayed = keys.filter((key) => key.startsWith('=')).map((key) => key.slice(1));
  const identities = { workspace, keys: JSON.stringify(keys.filter((key) => !key.startsWith('='))) };
  const legacy =
    displayed.length > 0
      ? await db.all(store.idsOfDisplayed, { workspace, keys: JSON.stringify(displayed) })
      : [];
  if (legacy.length === 0) return byNumber(await db.all(store.selectByIdentitiesForUpdate, identities));
  // One statement locks all of them, in the order of their ids.
  const ids = [...legacy, ...(await db.all(store.idsOfIdentities, identities))].map(({ id }) => id);
  const found = await db.all(store.selectByIdsForUpdate, { workspace, keys: JSON.stringify(ids) });
  const wanted = new Set(keys);
  return byNumber(found.filter((row) => wanted.has(numberKey(row))));
};

const byNumber = (found: readonly LockedContact[]) => new Map(found.map((row) => [numberKey(row), row]));

const byId =
  (statement: typeof store.selectByIdsForUpdate) =>
  async (db: Db, { workspace }: Pick<Principal, 'workspace'>, ids: readonly string[]) => {
    const found = await db.all(statement, { workspace, keys: JSON.stringify(ids) });
    return new Map(found.map((row) => [row.id, row]));
  };

export const contactsById = byId(store.selectByIdsForUpdate);
export const unlockedContactsById = byId(store.findStoredByIds);
