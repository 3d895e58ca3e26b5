import { statementsOver } from '../../db/statement.ts';

export type WorkspaceRow = { id: number; name: string; created_at: string };

const statement = statementsOver<{ workspaces: Omit<WorkspaceRow, 'id'> & { id: number } }>();

export const insertWorkspace = statement((query, { name, created_at }: Omit<WorkspaceRow, 'id'>) =>
  query
    .insertInto('workspaces')
    .values({ name, created_at } as never)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id'),
);

export const findWorkspace = statement((query, { name }: { name: string }) =>
  query.selectFrom('workspaces').select(['id', 'name', 'created_at']).where('name', '=', name),
);

export const listWorkspaceRows = statement((query) =>
  query.selectFrom('workspaces').select(['id', 'name', 'created_at']).orderBy('id'),
);
