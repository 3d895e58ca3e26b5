import type { Db } from '../../db/db.ts';
import { ApiError, TransactionConflict } from '../../lib/errors.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { ContactCreate, Source } from './contact.schema.ts';
import { createContact } from './contact.service.ts';
import * as store from './contact.store.ts';
import { identityOf } from './phone.identity.ts';

const lockByIdentity = (db: Db, { workspace }: Principal, identity: string) =>
  db.get(store.selectByIdentityForUpdate, { workspace, identity });

const isTaken = (error: unknown) => error instanceof ApiError && error.code === 'CONFLICT';

/** The contact that has exactly this international number, locked, or else a new one. If another request creates it
 *  between our read and our write, the transaction runs again. */
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

/** The contact that a number belongs to, met at a moment: found, in whatever writing, or made with the source `inbound`
 *  where `make` says so. Its first and last contact move with the moment. Null where there is none, and for a caller
 *  without a number. */
export const recordContactSeen = async (
  db: Db,
  principal: Principal,
  { number, near, at, make }: { number: string; near: string; at: string; make: boolean },
): Promise<string | null> => {
  const identity = identityOf(number, near);
  if (identity === undefined) return null;
  const { known, id } = make
    ? await lockOrCreateContact(db, principal, { source: 'inbound', fields: { phone_number: identity }, at })
    : { known: await lockByIdentity(db, principal, identity) };
  if (!known) return id ?? null;
  const first_contact_at = at < known.first_contact_at ? at : known.first_contact_at;
  const last_contact_at = at > known.last_contact_at ? at : known.last_contact_at;
  if (first_contact_at !== known.first_contact_at || last_contact_at !== known.last_contact_at) {
    const { seq: _, crm_ids: __, ...facts } = known;
    await db.run(store.updateContactRow, store.rowOf({ ...facts, first_contact_at, last_contact_at }));
  }
  return known.id;
};
