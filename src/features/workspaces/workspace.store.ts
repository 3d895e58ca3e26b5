import { sql } from 'kysely';
import { statement } from '../../db/statement.ts';

/** The name of the workspace that the service sets up, until an owner renames it. */
export const DEFAULT_WORKSPACE = 'default';

export type WorkspaceRow = { id: number; name: string; created_at: string };

type NewWorkspace = Omit<WorkspaceRow, 'id'> & { is_default: 0 | 1 };

export const insertWorkspace = statement(
  ({ name, created_at, is_default }: NewWorkspace) => sql<{ id: number }>`
    insert into workspaces (name, created_at, is_default) values (${name}, ${created_at}, ${is_default})
    on conflict (name) do nothing returning id`,
);

export const findWorkspace = statement(
  ({ name }: { name: string }) =>
    sql<WorkspaceRow>`select id, name, created_at from workspaces where name = ${name}`,
);

/** The workspace that the service set up, also if it was renamed. */
export const findDefault = statement(
  ({ name }: { name: string }) => sql<WorkspaceRow>`
    select id, name, created_at from workspaces where is_default = 1 or name = ${name}
    order by is_default desc limit 1`,
);

export const listWorkspaceRows = statement(
  () => sql<WorkspaceRow>`select id, name, created_at from workspaces order by id`,
);
