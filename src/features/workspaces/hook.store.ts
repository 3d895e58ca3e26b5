import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { rowsOf } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';

/** Maps the id of a channel, integration or webhook to its workspace. */
type HookRow = { id: string; workspace_id: number };

export const insertHook = rowsOf<HookRow>({ table: 'hooks' }).insert(['workspace_id', 'id']);
export const deleteHook = statement(
  ({ id }: { id: string }) => sql<never>`delete from hooks where id = ${id}`,
);
const findHook = statement(
  ({ id }: { id: string }) => sql<Omit<HookRow, 'id'>>`select workspace_id from hooks where id = ${id}`,
);
const listOfKind = statement(
  ({ pattern }: { pattern: string }) =>
    sql<Omit<HookRow, 'id'>>`select distinct workspace_id from hooks where id like ${pattern}`,
);

/** The workspaces that have a record of a kind, such as `webhook`. */
export const workspacesWith = async (db: Db, kind: string): Promise<number[]> =>
  (await db.all(listOfKind, { pattern: `${kind}%` })).map(({ workspace_id }) => workspace_id);

/** No workspace has this id. */
const NO_WORKSPACE = 0;

/** The workspace of a hook. For an unknown hook this is a workspace that does not exist, so that the look-up of its record
 *  runs the same statements as for a known one. */
export const workspaceOfHook = async (db: Db, id: string): Promise<number> =>
  (await db.get(findHook, { id }))?.workspace_id ?? NO_WORKSPACE;
