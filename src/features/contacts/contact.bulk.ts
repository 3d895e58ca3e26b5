import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { timestampAfter } from '../../lib/clock.ts';
import type { Principal } from '../workspaces/principal.ts';
import { updateDerivedData } from './contact.derived.ts';
import type { profileTexts, Source } from './contact.schema.ts';
import { contactDeleted, contactId } from './contact.service.ts';
import * as store from './contact.store.ts';

export type LockedContact = store.StoredContact;

/** What an import can write. */
export type ContactFacts = Pick<
  store.ContactRow,
  'phone_number' | 'phone_identity' | 'phone_conflict' | (typeof profileTexts)[number]
> & { tags: string[] };

/** The key by which a contact is found: its identity or, if it has none, the displayed number. */
export const numberKey = ({
  phone_identity,
  phone_number,
}: Pick<ContactFacts, 'phone_identity' | 'phone_number'>): string => phone_identity ?? `=${phone_number}`;

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

/** Like `contactsOf`, by identity only, and without contacts that another transaction has locked. */
export const unlockedContactsOf = async (
  db: Db,
  { workspace }: Principal,
  many: readonly WrittenFacts[],
): Promise<(facts: WrittenFacts) => LockedContact | undefined> => {
  const keys = JSON.stringify(many.flatMap(({ phone_identity }) => phone_identity ?? []));
  const found = byNumber(await db.all(store.selectUnlockedByIdentities, { workspace, keys }));
  return (facts) => found.get(numberKey(facts));
};

const byNumber = (found: readonly LockedContact[]) => new Map(found.map((row) => [numberKey(row), row]));

export const contactsById = async (db: Db, { workspace }: Principal, ids: readonly string[]) =>
  new Map(
    (await db.all(store.selectByIdsForUpdate, { workspace, keys: JSON.stringify(ids) })).map((row) => [
      row.id,
      row,
    ]),
  );

/** Inserts contacts and returns their ids; undefined for a contact whose number was taken in the meantime. */
export const insertContacts = write(
  'insertContacts',
  async (
    db: Db,
    { workspace }: Principal,
    { facts, source, now }: { facts: readonly ContactFacts[]; source: Source; now: string },
  ): Promise<(string | undefined)[]> => {
    const times = { first_contact_at: now, last_contact_at: now, created_at: now, updated_at: now };
    const seqs = await db.all(store.allocateSeqs, { workspace, items: JSON.stringify(facts.map(() => 0)) });
    const rows = facts.map((each, at) => {
      const id = contactId.create();
      const tags = JSON.stringify(each.tags);
      const row = store.rowOf({ ...each, ...times, workspace_id: workspace, id, tags, source });
      return Object.assign(row, { seq: seqs[at]?.seq ?? 0 });
    });
    // An insert waits for another one of the same number, so all transactions insert in the order of the numbers.
    const sorted = rows.toSorted((one, other) => (numberKey(one) < numberKey(other) ? -1 : 1));
    const changes = await db.each(store.insertContactAt, sorted);
    const inserted = new Set(sorted.filter((_, at) => changes[at] === 1));
    return rows.map((row) => {
      if (!inserted.has(row)) return undefined;
      updateDerivedData(db, { workspace, seq: row.seq }, undefined, row);
      return row.id;
    });
  },
);

export interface FactChange {
  contact: LockedContact;
  changes: Partial<ContactFacts>;
}

/** Updates locked contacts and returns the new `updated_at` of each. */
export const replaceFacts = async (
  db: Db,
  { workspace }: Principal,
  changed: readonly FactChange[],
): Promise<string[]> => {
  const rows = changed.map(({ contact, changes }) => {
    const { seq: _, crm_ids: __, ...before } = contact;
    const { tags, ...texts } = changes;
    const next = { ...before, ...texts, ...(tags && { tags: JSON.stringify(tags) }) };
    return store.rowOf({ ...next, updated_at: timestampAfter(contact.updated_at) });
  });
  await db.each(store.updateContactRow, rows);
  for (const [at, { contact }] of changed.entries()) {
    updateDerivedData(db, { workspace, seq: contact.seq }, contact, rows[at]);
  }
  return rows.map(({ updated_at }) => updated_at);
};

export const deleteLocked = async (db: Db, principal: Principal, contact: LockedContact): Promise<void> => {
  const { workspace } = principal;
  await contactDeleted.emit(db, principal, { id: contact.id, identity: contact.phone_identity });
  await db.run(store.deleteContactRow, { workspace, id: contact.id });
  updateDerivedData(db, { workspace, seq: contact.seq }, contact, undefined);
};
