import { count } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import type { Storage } from '../../db/storage.ts';
import { COMMAND_LINE } from '../audit/audit.service.ts';
import { listsOf } from '../calls/call.service.ts';
import { contactsById, deleteLocked } from '../contacts/contact.bulk.ts';
import type { Principal } from '../workspaces/principal.ts';
import * as store from './demo.store.ts';

const STEP = 500;

/** Removing a contact is more work than removing a row. */
const CONTACTS_PER_STEP = 100;

/** Deletes sessions, keys and users, so that no request can write to the workspace. */
const revokeAccess = write('shut', async (db: Db, { workspace }: Principal): Promise<void> => {
  for (const statement of store.deleteAccess) await db.run(statement, { workspace });
});

/** Removes the next contacts by the rules of deleting one. */
const removeContacts = async (db: Db, principal: Principal): Promise<number> => {
  const { workspace } = principal;
  const ids = (await db.all(store.someContacts, { workspace, limit: CONTACTS_PER_STEP })).map(({ id }) => id);
  for (const held of (await contactsById(db, principal, ids)).values()) {
    await deleteLocked(db, principal, held);
  }
  return ids.length;
};

const removeCalls = async (db: Db, { workspace }: Principal): Promise<number> => {
  const calls = await db.all(store.deleteCalls, { workspace, limit: STEP });
  for (const call of calls) count(db, workspace, listsOf(call), -1);
  return calls.length;
};

/** Removes the next records, and at the end the workspace itself. Each step leaves counts and search entries true, so
 *  that one that was interrupted can be gone on with. Says how many records it removed; 0 after the last. */
const step = write('step', async (db: Db, principal: Principal): Promise<number> => {
  const { workspace } = principal;
  const removed =
    (await db.run(store.deleteImportRows, { workspace, limit: STEP })) ||
    (await removeContacts(db, principal)) ||
    (await removeCalls(db, principal));
  if (removed > 0) return removed;
  for (const statement of [...store.deleteAccess, ...store.deleteRecords, store.deleteWorkspace]) {
    await db.run(statement, { workspace });
  }
  return 0;
});

/** Removes a workspace of sample data with everything in it. */
export const removeSample = async (
  storage: Storage,
  workspace: number,
  onProgress: (records: number) => void,
): Promise<void> => {
  const principal: Principal = { workspace, actor: COMMAND_LINE };
  await storage.run(revokeAccess, principal, null);
  let done = 0;
  for (let removed = 1; removed > 0; ) {
    removed = await storage.run(step, principal, null);
    done += removed;
    onProgress(done);
  }
};
