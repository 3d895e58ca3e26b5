import { sql } from 'kysely';
import { statementsOver } from '../storage/statement.ts';
import type { Role } from './principal.ts';

/** People. The table belongs to the directory: an email says which workspace its owner signs in to. */
export type UserRow = {
  id: string;
  workspace_id: number;
  email: string;
  password: string;
  role: Role;
  created_at: string;
};

const statement = statementsOver<{ users: UserRow }>();

type Key = { workspace: number; id: string };

export const insertUser = statement((query, row: UserRow) =>
  query
    .insertInto('users')
    .values({
      id: row.id,
      workspace_id: row.workspace_id,
      email: row.email,
      password: row.password,
      role: row.role,
      created_at: row.created_at,
    })
    .onConflict((conflict) => conflict.column('email').doNothing()),
);

export const findByEmail = statement((query, { email }: { email: string }) =>
  query.selectFrom('users').selectAll().where('email', '=', email),
);

export const findUserRow = statement((query, { workspace, id }: Key) =>
  query.selectFrom('users').selectAll().where('workspace_id', '=', workspace).where('id', '=', id),
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

export const setRoleRow = statement((query, { workspace, id, role }: Key & { role: Role }) =>
  query.updateTable('users').set({ role }).where('workspace_id', '=', workspace).where('id', '=', id),
);

export const deleteUserRow = statement((query, { workspace, id }: Key) =>
  query.deleteFrom('users').where('workspace_id', '=', workspace).where('id', '=', id),
);

/** The owners, locked, so that two who leave at once are counted one after the other. */
export const takeOwners = statement((query, { workspace }: { workspace: number }, can) =>
  query
    .selectFrom('users')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where('role', '=', sql.lit('owner' as const))
    .modifyEnd(can.lockRow()),
);
