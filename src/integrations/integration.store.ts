import { sql } from 'kysely';
import { statementsOver } from '../storage/statement.ts';

export type IntegrationRow = {
  workspace_id: number;
  id: string;
  name: string;
  secret_hash: string;
  created_at: string;
};

const statement = statementsOver<{ integrations: IntegrationRow }>();

type Key = { workspace: number; id: string };

export const insertIntegration = statement((query, row: IntegrationRow) =>
  query.insertInto('integrations').values({
    workspace_id: row.workspace_id,
    id: row.id,
    name: row.name,
    secret_hash: row.secret_hash,
    created_at: row.created_at,
  }),
);

export const deleteIntegrationRow = statement((query, { workspace, id }: Key) =>
  query.deleteFrom('integrations').where('workspace_id', '=', workspace).where('id', '=', id),
);

/** The integration of a hook's address, by one statement, whether it exists or not. */
export const findByHook = statement(
  (_, { id }: { id: string }) => sql<IntegrationRow>`
    select i.workspace_id, i.id, i.name, i.secret_hash, i.created_at from hooks as h
    join integrations as i on i.workspace_id = h.workspace_id and i.id = h.id where h.id = ${id}`,
);

export const listIntegrationRows = statement((query, { workspace }: { workspace: number }) =>
  query
    .selectFrom('integrations')
    .select(['id', 'name', 'created_at'])
    .where('workspace_id', '=', workspace)
    .orderBy('id', 'desc'),
);
