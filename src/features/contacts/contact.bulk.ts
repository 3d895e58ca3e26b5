import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { timestampAfter } from '../../lib/clock.ts';
import type { Principal } from '../workspaces/principal.ts';
import { updateDerivedData } from './contact.derived.ts';
import type { ProfileText, Source } from './contact.schema.ts';
import { contactDeletion, contactId } from './contact.service.ts';
import * as store from './contact.store.ts';

export type LockedContact = store.StoredContact;

/** What an import can write. */
export type ContactFacts = Pick<
  store.ContactRow,
  'phone_number' | 'phone_identity' | 'phone_conflict' | ProfileText
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

const byId =
  (statement: typeof store.selectByIdsForUpdate) =>
  async (db: Db, { workspace }: Pick<Principal, 'workspace'>, ids: readonly string[]) => {
    const found = await db.all(statement, { workspace, keys: JSON.stringify(ids) });
    return new Map(found.map((row) => [row.id, row]));
  };

export const contactsById = byId(store.selectByIdsForUpdate);
export const unlockedContactsById = byId(store.findStoredByIds);

/** Inserts contacts and returns their ids; undefined for a contact whose number was taken in the meantime. */
export const insertContacts = write(
  'insertContacts',
  async (
    db: Db,
    principal: Principal,
    {
      facts,
      crmIds,
      source,
      now,
    }: {
      facts: readonly ContactFacts[];
      /** The column `crm_ids` of each contact, if any has ids. */
      crmIds?: readonly string[] | undefined;
      source: Source;
      now: string;
    },
  ): Promise<(string | undefined)[]> => {
    const times = { first_contact_at: now, last_contact_at: now, created_at: now, updated_at: now };
    const rows = facts.map((each) => {
      const id = contactId.create();
      const tags = JSON.stringify(each.tags);
      return store.rowOf({ ...each, ...times, workspace_id: principal.workspace, id, tags, source });
    });
    const inserted = await insertRows(db, principal, rows, crmIds);
    return rows.map((row) => (inserted.has(row) ? row.id : undefined));
  },
);

const NO_CRM_IDS = '{}';

/** A new contact with its position in the list. */
export interface PlacedRow {
  readonly row: store.ContactRow;
  readonly seq: number;
  readonly crm_ids?: string | undefined;
}

/** Allocates positions in the order of the rows. */
export const placeRows = async (
  db: Db,
  workspace: number,
  rows: readonly store.ContactRow[],
  crmIds?: readonly string[],
): Promise<PlacedRow[]> => {
  const seqs = await db.all(store.allocateSeqs, { workspace, items: JSON.stringify(rows.map(() => 0)) });
  return rows.map((row, at) => ({ row, seq: seqs[at]?.seq ?? 0, crm_ids: crmIds?.[at] }));
};

/** Which rows have a number that was taken in the meantime. The owner can be locked by a transaction that waits for this one, so an
 *  insert of the same number could deadlock. */
export const takenRows = async (
  db: Db,
  workspace: number,
  rows: readonly store.ContactRow[],
): Promise<Set<store.ContactRow>> => {
  if (rows.length === 0) return new Set();
  const keys = JSON.stringify(rows.flatMap(({ phone_identity }) => phone_identity ?? []));
  const owners = await db.all(store.idsOfIdentities, { workspace, keys });
  const taken = new Set(owners.map(({ phone_identity }) => phone_identity));
  return new Set(rows.filter(({ phone_identity }) => phone_identity !== null && taken.has(phone_identity)));
};

/** Inserts contacts in the order of the list, and returns those whose number was not taken in the meantime. */
const insertRows = async (
  db: Db,
  principal: Principal,
  rows: readonly store.ContactRow[],
  crmIds?: readonly string[],
): Promise<Set<store.ContactRow>> => {
  const placed = await placeRows(db, principal.workspace, rows, crmIds);
  const taken = await takenRows(db, principal.workspace, rows);
  return insertPlaced(
    db,
    principal,
    placed.filter(({ row }) => !taken.has(row)),
  );
};

export const insertPlaced = async (
  db: Db,
  principal: Principal,
  placed: readonly PlacedRow[],
): Promise<Set<store.ContactRow>> => {
  // An insert waits for another one of the same number, so all transactions insert in the order of the numbers.
  const sorted = placed.toSorted((one, other) => (numberKey(one.row) < numberKey(other.row) ? -1 : 1));
  const changes = await db.each(
    store.insertContactAt,
    sorted.map(({ row, seq, crm_ids = NO_CRM_IDS }) => ({
      ...row,
      seq,
      crm_ids,
      created_by: principal.actor,
    })),
  );
  const inserted = sorted.filter((_, at) => changes[at] === 1);
  for (const { row, seq, crm_ids = NO_CRM_IDS } of inserted)
    updateDerivedData(db, principal, { seq, crm_ids }, undefined, row);
  return new Set(inserted.map(({ row }) => row));
};

export interface FactChange {
  contact: LockedContact;
  changes: Partial<ContactFacts>;
  /** The new column `crm_ids`, if it changes. */
  crm_ids?: string;
}

/** Updates locked contacts and returns the new `updated_at` of each. */
export const replaceFacts = async (
  db: Db,
  principal: Principal,
  changed: readonly FactChange[],
): Promise<string[]> => {
  const rows = changed.map(({ contact, changes }) => {
    const { seq: _, crm_ids: __, ...before } = contact;
    const { tags, ...texts } = changes;
    const next = { ...before, ...texts, ...(tags && { tags: JSON.stringify(tags) }) };
    return store.rowOf({ ...next, updated_at: timestampAfter(contact.updated_at) });
  });
  await replaceRows(
    db,
    principal,
    rows.map((after, at) => {
      const { contact, crm_ids } = changed[at] as FactChange;
      return { before: contact, after, crm_ids };
    }),
  );
  return rows.map(({ updated_at }) => updated_at);
};

export interface RowChange {
  readonly before: LockedContact;
  readonly after: store.ContactRow;
  readonly crm_ids?: string | undefined;
}

/** Writes the new rows of locked contacts. */
export const replaceRows = async (
  db: Db,
  principal: Principal,
  changed: readonly RowChange[],
): Promise<void> => {
  await db.each(
    store.updateContactRow,
    changed.map(({ after }) => after),
  );
  const linked = changed.flatMap(({ after, crm_ids }) =>
    crm_ids === undefined ? [] : [{ workspace: principal.workspace, id: after.id, crm_ids }],
  );
  if (linked.length > 0) await db.each(store.setCrmIds, linked);
  for (const { before, after, crm_ids = before.crm_ids } of changed) {
    updateDerivedData(db, principal, { seq: before.seq, crm_ids }, before, after);
  }
};

export const deleteLocked = async (
  db: Db,
  principal: Principal,
  contacts: readonly LockedContact[],
): Promise<void> => {
  if (contacts.length === 0) return;
  const { workspace } = principal;
  const deleted = contacts.map(({ id, phone_identity }) => ({ id, identity: phone_identity }));
  await contactDeletion.run(db, principal, deleted);
  await db.each(
    store.deleteContactRow,
    deleted.map(({ id }) => ({ workspace, id })),
  );
  for (const contact of contacts) updateDerivedData(db, principal, contact, contact, undefined);
};
