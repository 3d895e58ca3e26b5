import { count } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import type { Storage } from '../../db/storage.ts';
import { COMMAND_LINE } from '../audit/audit.service.ts';
import { countersOf } from '../calls/call.service.ts';
import { contactsById, deleteLocked } from '../contacts/contact.bulk.ts';
import type { Principal } from '../workspaces/principal.ts';
import * as store from './demo.store.ts';

const STEP = 500;

/** Deleting a contact is more work than deleting a row. */
const CONTACTS_PER_STEP = 100;

/** Deletes sessions, keys and users, so that no request can write to the workspace. */
const revokeAccess = write('revokeAccess', async (db: Db, { workspace }: Principal): Promise<void> => {
  for (const statement of store.deleteAccess) await db.run(statement, { workspace });
});

const removeContacts = async (db: Db, principal: Principal): Promise<number> => {
  const { workspace } = principal;
  const ids = (await db.all(store.nextContacts, { workspace, limit: CONTACTS_PER_STEP })).map(({ id }) => id);
  await deleteLocked(db, principal, [...(await contactsById(db, principal, ids)).values()]);
  return ids.length;
};

const removeCalls = async (db: Db, { workspace }: Principal): Promise<number> => {
  const calls = await db.all(store.deleteCalls, { workspace, limit: STEP });
  for (const call of calls) count(db, workspace, countersOf(call), -1);
  return calls.length;
};

/** Deletes the next records, and finally the workspace. Each step keeps counters and search entries correct, so that an
 *  interrupted removal can be resumed. Returns how many records it deleted; 0 after the last. */
const removeStep = write('removeStep', async (db: Db, principal: Principal): Promise<number> => {
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

export const removeSample = async (
  storage: Storage,
  workspace: number,
  onProgress: (records: number) => void,
): Promise<void> => {
  const principal: Principal = { workspace, actor: COMMAND_LINE };
  await storage.run(revokeAccess, principal, null);
  let done = 0;
  for (let removed = 1; removed > 0; ) {
    removed = await storage.run(removeStep, principal, null);
    done += removed;
    onProgress(done);
  }
};
