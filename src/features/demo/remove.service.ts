import { sql } from 'kysely';
import { count } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import { statementsOver } from '../../db/statement.ts';
import type { Storage } from '../../db/storage.ts';
import { COMMAND_LINE } from '../../records/change.ts';
import { countersOf } from '../calls/call.service.ts';
import { contactsById, deleteLocked } from '../contacts/contact.bulk.ts';
import type { Principal } from '../workspaces/principal.ts';

const statement = statementsOver<{ workspaces: { id: number; name: string; sample: number } }>({
  readsDerived: true,
});

type OfWorkspace = { workspace: number };
type Part = OfWorkspace & { limit: number };

const findSample = statement((query, { name }: { name: string }) =>
  query.selectFrom('workspaces').select(['id', 'sample']).where('name', '=', name),
);

export const markSample = statement((query, { workspace }: OfWorkspace) =>
  query
    .updateTable('workspaces')
    .set({ sample: sql.lit(1) })
    .where('id', '=', workspace),
);

const deleteWorkspace = statement((query, { workspace }: OfWorkspace) =>
  query.deleteFrom('workspaces').where('id', '=', workspace).where('sample', '=', sql.lit(1)),
);

const nextContacts = statement(
  (_, { workspace, limit }: Part) =>
    sql<{
      id: string;
    }>`select id from contacts where workspace_id = ${workspace} order by seq limit ${limit}`,
);

const deleteCalls = statement(
  (_, { workspace, limit }: Part) => sql<{ started_at: string }>`
    with chosen as materialized (
      select seq from calls where workspace_id = ${workspace} order by seq limit ${limit}
    )
    delete from calls where workspace_id = ${workspace} and seq in (select seq from chosen) returning started_at`,
);

const deleteAll = (table: string) =>
  statement(
    (_, { workspace }: OfWorkspace) =>
      sql<never>`delete from ${sql.table(table)} where workspace_id = ${workspace}`,
  );

/** Keys, users and jobs are deleted first, so that no one writes while the rest is deleted. */
const deleteAccess = [
  'sign_in_links', 'sign_in_addresses', 'notice_reads', 'sessions', 'keys', 'users', 'hooks', 'jobs',
].map(deleteAll); // biome-ignore format: a table

/** All other tables except contacts and calls, each after the tables that refer to it. */
const deleteRecords = [
  'import_rows', 'imports', 'enrollments', 'campaigns', 'channels', 'integrations', 'deploys', 'agent_versions', 'agents',
  'contact_tags', 'tallies', 'retries', 'audit_entries', 'saved_views', 'notices', 'events', 'webhook_endpoints',
  'webhook_deliveries', 'webhook_attempts',
].map(deleteAll); // biome-ignore format: a table

/** The workspace with this name, and whether it contains sample data. */
export const findDemo = read(
  'findDemo',
  async (
    db: Db,
    _: null,
    { name }: { name: string },
  ): Promise<{ id: number; isSample: boolean } | undefined> => {
    const found = await db.get(findSample, { name });
    return found && { id: found.id, isSample: found.sample === 1 };
  },
);

/** Deletes sessions, keys and users, so that no request can write to the workspace. */
const revokeAccess = write('revokeAccess', async (db: Db, { workspace }: Principal): Promise<void> => {
  for (const statement of deleteAccess) await db.run(statement, { workspace });
});

const STEP = 100;

/** Deletes the next records, and finally the workspace. Each step keeps counters and search entries correct, so that an
 *  interrupted removal can be resumed. Returns how many records it deleted; 0 after the last. */
const removeStep = write('removeStep', async (db: Db, principal: Principal): Promise<number> => {
  const { workspace } = principal;
  const ids = (await db.all(nextContacts, { workspace, limit: STEP })).map(({ id }) => id);
  if (ids.length > 0) {
    await deleteLocked(db, principal, [...(await contactsById(db, principal, ids)).values()]);
    return ids.length;
  }
  const calls = await db.all(deleteCalls, { workspace, limit: STEP });
  for (const call of calls) count(db, workspace, countersOf(call), -1);
  if (calls.length > 0) return calls.length;
  for (const statement of [...deleteAccess, ...deleteRecords, deleteWorkspace])
    await db.run(statement, { workspace });
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
