import { sql } from 'kysely';
import { statementsOver } from '../../db/statement.ts';

/** The name of the workspace that the service sets up, until an owner renames it. */
export const DEFAULT_WORKSPACE = 'default';

export type WorkspaceRow = { id: number; name: string; created_at: string };

const statement = statementsOver<{ workspaces: WorkspaceRow & { is_default: number } }>();

type NewWorkspace = Omit<WorkspaceRow, 'id'> & { is_default: 0 | 1 };

export const insertWorkspace = statement((query, { name, created_at, is_default }: NewWorkspace) =>
  query
    .insertInto('workspaces')
    .values({ name, created_at, is_default } as never)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id'),
);

export const findWorkspace = statement((query, { name }: { name: string }) =>
  query.selectFrom('workspaces').select(['id', 'name', 'created_at']).where('name', '=', name),
);

/** The workspace that the service set up, also if it was renamed. */
export const findDefault = statement((query, { name }: { name: string }) =>
  query
    .selectFrom('workspaces')
    .select(['id', 'name', 'created_at'])
    .where((eb) => eb.or([eb('is_default', '=', sql.lit(1)), eb('name', '=', name)]))
    .orderBy('is_default', 'desc')
    .limit(sql.lit(1)),
);

export const listWorkspaceRows = statement((query) =>
  query.selectFrom('workspaces').select(['id', 'name', 'created_at']).orderBy('id'),
);
