import type { Db } from '../../db/db.ts';
import { ApiError, TransactionConflict } from '../../lib/errors.ts';
import type { Principal } from '../workspaces/principal.ts';
import { recordContact } from './contact.derived.ts';
import type { ContactCreate, Source } from './contact.schema.ts';
import { createContact } from './contact.service.ts';
import * as store from './contact.store.ts';
import { identityOf } from './phone.identity.ts';

const lockByIdentity = (db: Db, { workspace }: Principal, identity: string) =>
  db.get(store.selectByIdentityForUpdate, { workspace, identity });

const isTaken = (error: unknown) => error instanceof ApiError && error.code === 'CONFLICT';

/** Locks the contact with this international number, or creates it. If another request creates it between the read and the
 *  write, the transaction is retried. */
export const lockOrCreateContact = async (
  db: Db,
  principal: Principal,
  input: { source: Source; fields: ContactCreate; at?: string },
): Promise<{ id: string; known?: NonNullable<Awaited<ReturnType<typeof lockByIdentity>>> }> => {
  const known = await lockByIdentity(db, principal, input.fields.phone_number);
  if (known) return { id: known.id, known };
  try {
    return { id: (await createContact(db, principal, input)).id };
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw new TransactionConflict('Another request is creating this contact. Retry.');
  }
};

/** Finds the contact of a number in any format, or creates it with the source `inbound` if `create` is set, and extends its
 *  times of first and last contact to `at`. Returns null if there is none, and for a caller without a number. */
export const recordContactSeen = async (
  db: Db,
  principal: Principal,
  { number, near, at, create }: { number: string; near: string; at: string; create: boolean },
): Promise<string | null> => {
  const identity = identityOf(number, near);
  if (identity === undefined) return null;
  const { known, id } = create
    ? await lockOrCreateContact(db, principal, { source: 'inbound', fields: { phone_number: identity }, at })
    : { known: await lockByIdentity(db, principal, identity) };
  if (!known) return id ?? null;
  const first_contact_at = at < known.first_contact_at ? at : known.first_contact_at;
  const last_contact_at = at > known.last_contact_at ? at : known.last_contact_at;
  if (first_contact_at !== known.first_contact_at || last_contact_at !== known.last_contact_at) {
    const { seq: _, crm_ids, ...facts } = known;
    const row = store.rowOf({ ...facts, first_contact_at, last_contact_at });
    await db.run(store.updateContactRow, row);
    recordContact(db, principal, { crm_ids }, known, row);
  }
  return known.id;
};
