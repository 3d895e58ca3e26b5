import type { Db } from '../../db/db.ts';
import { TransactionConflict } from '../../lib/errors.ts';
import type { Definitions } from '../fields/field.values.ts';
import type { Principal } from '../workspaces/principal.ts';
import { lockByAnyForm, lockByNumber } from './contact.holder.ts';
import { survivorOf } from './contact.merged.ts';
import { insertContact, type NewContact } from './contact.service.ts';
import * as store from './contact.store.ts';
import { writeContacts } from './contact.write.ts';
import { findFormerHolder } from './identity.store.ts';
import { identityOf } from './phone.identity.ts';

export const beingCreated = () => new TransactionConflict('Another request is creating this contact. Retry.');

/** Locks the contact with this international number, or creates it. If another request creates it between the read and the
 *  write, the transaction is retried. By default, a variant of the number is another number. */
export const lockOrCreateContact = async (
  db: Db,
  principal: Principal,
  input: NewContact,
  { definitions, lock = lockByNumber }: { definitions?: Definitions; lock?: typeof lockByNumber } = {},
): Promise<{ contact: store.StoredContact; isNew: boolean }> => {
  const known = await lock(db, principal, input.fields.phone_number);
  if (known) return { contact: known, isNew: false };
  const contact = await insertContact(db, principal, input, definitions);
  if (contact) return { contact, isNew: true };
  throw beingCreated();
};

interface Seen {
  /** A contact to prefer to that of the number, if it still exists. */
  readonly id?: string | null | undefined;
  readonly number: string;
  readonly near: string;
  readonly at: string;
  readonly create: boolean;
  /** Whether `at` was reported, so that the contact that had the number then is meant. */
  readonly isReported?: boolean;
}

/** Locks a contact, or the one that it was merged into. */
const lockNamed = async (db: Db, workspace: number, id: string) => {
  const found = await db.get(store.selectContactForUpdate, { workspace, id });
  const merged = found ? undefined : await survivorOf(db, workspace, id);
  return merged ? db.get(store.selectContactForUpdate, { workspace, id: merged.survivor_id }) : found;
};

const lockSeen = async (
  db: Db,
  principal: Principal,
  { id, number, near, at, create, isReported = false }: Seen,
): Promise<store.StoredContact | undefined> => {
  const { workspace } = principal;
  const preferred = id ? await lockNamed(db, workspace, id) : undefined;
  if (preferred) return preferred;
  const identity = identityOf(number, near);
  if (identity === undefined) return undefined;
  const former = isReported ? await db.get(findFormerHolder, { workspace, value: identity, at }) : undefined;
  const holder = former && (await db.get(store.selectContactForUpdate, { workspace, id: former.contact_id }));
  if (holder) return holder;
  const input = { source: 'inbound', fields: { phone_number: identity }, at } as const;
  return create
    ? (await lockOrCreateContact(db, principal, input, { lock: lockByAnyForm })).contact
    : lockByAnyForm(db, principal, identity);
};

/** Finds the contact of a number in any format, or creates it with the source `inbound` if `create` is set, and extends its
 *  times of first and last contact to `at`. Returns null if there is none, and for a caller without a number. */
export const recordContactSeen = async (db: Db, principal: Principal, seen: Seen): Promise<string | null> => {
  const contact = await lockSeen(db, principal, seen);
  if (!contact) return null;
  const { at } = seen;
  const first_contact_at = at < contact.first_contact_at ? at : contact.first_contact_at;
  const last_contact_at = at > contact.last_contact_at ? at : contact.last_contact_at;
  if (first_contact_at !== contact.first_contact_at || last_contact_at !== contact.last_contact_at) {
    const after = store.rowOf({ ...contact, first_contact_at, last_contact_at });
    await writeContacts(db, principal, [{ before: contact, after }]);
  }
  return contact.id;
};
