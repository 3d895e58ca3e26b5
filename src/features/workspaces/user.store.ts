import { sql } from 'kysely';
import { namesOf, number, rowsOf, text, typed } from '../../db/rows.ts';
import { pickColumns, statementsOver } from '../../db/statement.ts';
import type { Role } from './principal.ts';

/** Users of all workspaces. An email is unique within a workspace and may belong to users of several workspaces. */
const columns = {
  workspace_id: number,
  id: text,
  email: text,
  password: text,
  role: typed<Role>(),
  created_at: text,
};
export type UserRow = typeof columns;
const COLUMNS = namesOf(columns);

const users = rowsOf<UserRow>({ table: 'users' });

const statement = statementsOver<{ users: UserRow }>();

export const findUserRow = users.find(COLUMNS);
export const findInWorkspace = users.find(COLUMNS, { by: { email: 'email' } });
export const setRoleRow = users.set(['role']);
export const deleteUserRow = users.remove;

type Key = { workspace: number; id: string };

export const insertUser = statement((query, row: UserRow) =>
  query
    .insertInto('users')
    .values(pickColumns(row, COLUMNS))
    .onConflict((conflict) => conflict.columns(['workspace_id', 'email']).doNothing()),
);

/** Emails are compared case-insensitively. */
export const emailOf = (text: string): string => text.toLowerCase();

/** The user with an email in the named workspace. If the name is empty, the oldest user in any workspace, preferably one
 *  whose password is not `none`. */
export const findByEmail = statement(
  (_, { email, workspace, none }: { email: string; workspace: string; none: string }) => sql<UserRow>`
    select users.* from users join workspaces on workspaces.id = users.workspace_id
    where users.email = ${email} and (${workspace} = '' or workspaces.name = ${workspace})
    order by case when users.password = ${none} then 1 else 0 end, users.created_at, users.id limit 1`,
);

export const listUserRows = statement((query, { workspace }: { workspace: number }) =>
  query
    .selectFrom('users')
    .select(['id', 'email', 'role', 'created_at'])
    .where('workspace_id', '=', workspace)
    .orderBy('created_at')
    .orderBy('id'),
);

export const setPasswordRow = statement(
  (query, { workspace, id, was, password }: Key & { was: string; password: string }) =>
    query
      .updateTable('users')
      .set({ password })
      .where('workspace_id', '=', workspace)
      .where('id', '=', id)
      .where('password', '=', was),
);

/** Locks the owners, so that two concurrent removals cannot remove the last two. */
export const lockOwners = statement((query, { workspace }: { workspace: number }, dialect) =>
  query
    .selectFrom('users')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where('role', '=', sql.lit('owner' as const))
    .modifyEnd(dialect.lockRow()),
);
