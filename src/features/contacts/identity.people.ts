import type { Db } from '../../db/db.ts';
import { timestamp } from '../../lib/clock.ts';
import { TransactionConflict } from '../../lib/errors.ts';
import type { Principal } from '../workspaces/principal.ts';
import { selectContactForUpdate } from './contact.store.ts';
import type { IdentityValue } from './identity.column.ts';
import { attachIdentity, hasMostIdentities } from './identity.service.ts';
import * as store from './identity.store.ts';

/* Identities that reports of calls and messages name, also those of people without a contact. */

export const findIdentity = (db: Db, { workspace }: Principal, identity: IdentityValue) =>
  db.get(store.findCurrent, { workspace, ...identity });

const changing = () => new TransactionConflict('Another request is changing this identity. Retry.');

/** Locks the identity of a person without a contact, or adds it. What is stored with it before the transaction ends is linked when a
 *  contact gets it. */
const lockLoose = async (
  db: Db,
  { workspace }: Principal,
  { kind, value }: IdentityValue,
): Promise<string> => {
  const known = await db.get(store.lockCurrent, { workspace, kind, value });
  if (known && known.contact_id !== null) throw changing();
  if (known) return known.id;
  const id = store.identityId.create();
  const times = { valid_from: timestamp(), valid_until: null };
  const row = { workspace_id: workspace, id, contact_id: null, kind, value, verified_by: null, ...times };
  if ((await db.run(store.insertIdentity, row)) === 0) throw changing();
  return id;
};

/** The id of an identity that a report names, for a locked contact or for none. The contact gets it if no other one has it; otherwise the
 *  contradiction is kept. */
export const attestIdentity = async (
  db: Db,
  principal: Principal,
  identity: IdentityValue,
  contact_id: string | null,
): Promise<string> => {
  if (contact_id === null) return lockLoose(db, principal, identity);
  const { workspace } = principal;
  const known = await findIdentity(db, principal, identity);
  if (known?.contact_id === contact_id) return known.id;
  if (known && known.contact_id !== null) {
    const conflict = { workspace, identity: known.id, contact: contact_id, at: timestamp() };
    await db.run(store.insertConflict, conflict);
    return known.id;
  }
  const contact = await db.get(selectContactForUpdate, { workspace, id: contact_id });
  if (!contact || hasMostIdentities(contact)) return lockLoose(db, principal, identity);
  await attachIdentity(db, principal, contact, identity);
  return (await findIdentity(db, principal, identity))?.id ?? '';
};
