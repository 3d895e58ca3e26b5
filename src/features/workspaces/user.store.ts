import { sql } from 'kysely';
import { columnsOf, type Key, namesOf, number, rowsOf, text, typed } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
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
/** What the API shows. */
export const SHOWN = ['id', 'email', 'role', 'created_at'] as const;

const users = rowsOf<UserRow>({ table: 'users' });

export const findUserRow = users.find(COLUMNS);
export const findInWorkspace = users.find(COLUMNS, { by: { email: 'email' } });
export const listUserRows = users.find(SHOWN, { by: {}, order: sql`created_at, id` });
export const setRoleRow = users.set(['role']);
export const deleteUserRow = users.remove;

export const insertUser = statement(
  (row: UserRow) => sql<never>`
    insert into users (${columnsOf(COLUMNS)}) values (${sql.join(COLUMNS.map((column) => row[column]))})
    on conflict (workspace_id, email) do nothing`,
);

/** Emails are compared case-insensitively. */
export const emailOf = (text: string): string => text.toLowerCase();

/** The user with an email in the named workspace. If the name is empty, the oldest user in any workspace, preferably one
 *  whose password is not `none`. */
export const findByEmail = statement(
  ({ email, workspace, none }: { email: string; workspace: string; none: string }) => sql<UserRow>`
    select users.* from users join workspaces on workspaces.id = users.workspace_id
    where users.email = ${email} and (${workspace} = '' or workspaces.name = ${workspace})
    order by case when users.password = ${none} then 1 else 0 end, users.created_at, users.id limit 1`,
);

export const setPasswordRow = statement(
  ({ workspace, id, was, password }: Key & { was: string; password: string }) => sql<never>`
    update users set password = ${password} where workspace_id = ${workspace} and id = ${id} and password = ${was}`,
);

/** Locks the owners, so that two concurrent removals cannot remove the last two. */
export const lockOwners = users.lock(['id'], { by: {}, where: sql`role = 'owner'` });

type LinkRow = { workspace_id: number; user_id: string; hash: string; expires_at: string };

/** Creates or replaces the link of a user. Locks the user's row. */
export const upsertLink = statement(
  (row: LinkRow, dialect) => sql<never>`
    insert into sign_in_links (workspace_id, user_id, hash, expires_at)
    select workspace_id, id, ${row.hash}, ${row.expires_at} from users
    where workspace_id = ${row.workspace_id} and id = ${row.user_id} ${dialect.lockRow()}
    on conflict (workspace_id, user_id) do update set hash = excluded.hash, expires_at = excluded.expires_at`,
);

/** Deletes a link and returns its user, to only one of several concurrent requests. */
export const deleteLinkByHash = statement(
  ({ workspace, hash, now }: { workspace: number; hash: string; now: string }) => sql<{ user_id: string }>`
    delete from sign_in_links where workspace_id = ${workspace} and hash = ${hash} and expires_at > ${now}
    returning user_id`,
);

export const deleteLinkOf = rowsOf<LinkRow>({ table: 'sign_in_links' }).removeBy({ by: { user: 'user_id' } });
