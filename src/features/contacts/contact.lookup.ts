import type { Db } from '../../db/db.ts';
import type { Principal } from '../workspaces/principal.ts';
import { lockByNumbers } from './contact.holder.ts';
import type { ProfileText } from './contact.schema.ts';
import * as store from './contact.store.ts';
import { numberKey } from './contact.write.ts';
import { phonesOf } from './identity.column.ts';

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
  { workspace }: Principal,
  many: readonly WrittenFacts[],
): Promise<(facts: WrittenFacts) => LockedContact | undefined> => {
  const keys = [...new Set(many.flatMap(numberKeys))];
  const displayed = keys.flatMap((key) => (key.startsWith('=') ? key.slice(1) : []));
  const identities = keys.filter((key) => !key.startsWith('='));
  const legacy =
    displayed.length > 0
      ? await db.all(store.idsOfDisplayed, { workspace, keys: JSON.stringify(displayed) })
      : [];
  const ids = legacy.map(({ id }) => id);
  const locked = await lockByNumbers(db, workspace, { numbers: identities, ids });
  const byNumber = new Map(
    locked.flatMap((row) => [numberKey(row), ...phonesOf(row)].map((key) => [key, row] as const)),
  );
  return (facts) => {
    const key = numberKeys(facts).find((each) => byNumber.has(each));
    return key === undefined ? undefined : byNumber.get(key);
  };
};

const byId =
  (statement: typeof store.selectByIdsForUpdate) =>
  async (db: Db, { workspace }: Pick<Principal, 'workspace'>, ids: readonly string[]) => {
    const found = await db.all(statement, { workspace, keys: JSON.stringify(ids) });
    return new Map(found.map((row) => [row.id, row]));
  };

export const contactsById = byId(store.selectByIdsForUpdate);
export const unlockedContactsById = byId(store.findStoredByIds);
