import { sql } from 'kysely';
import { statementsOver } from '../../db/statement.ts';

const statement = statementsOver<{ workspaces: { id: number; name: string; sample: number } }>({
  readsDerived: true,
});

type OfWorkspace = { workspace: number };

export const findSample = statement((query, { name }: { name: string }) =>
  query.selectFrom('workspaces').select(['id', 'sample']).where('name', '=', name),
);

export const markSample = statement((query, { workspace }: OfWorkspace) =>
  query
    .updateTable('workspaces')
    .set({ sample: sql.lit(1) })
    .where('id', '=', workspace),
);

export const deleteWorkspace = statement((query, { workspace }: OfWorkspace) =>
  query.deleteFrom('workspaces').where('id', '=', workspace).where('sample', '=', sql.lit(1)),
);

export const nextContacts = statement(
  (_, { workspace, limit }: OfWorkspace & { limit: number }) =>
    sql<{
      id: string;
    }>`select id from contacts where workspace_id = ${workspace} order by seq limit ${limit}`,
);

export const deleteCalls = statement(
  (_, { workspace, limit }: OfWorkspace & { limit: number }) => sql<{ started_at: string }>`
    with chosen as materialized (
      select seq from calls where workspace_id = ${workspace} order by seq limit ${limit}
    )
    delete from calls where workspace_id = ${workspace} and seq in (select seq from chosen) returning started_at`,
);

export const deleteImportRows = statement(
  (_, { workspace, limit }: OfWorkspace & { limit: number }) => sql<never>`
    with chosen as materialized (
      select import_id, number from import_rows where workspace_id = ${workspace} limit ${limit}
    )
    delete from import_rows where workspace_id = ${workspace}
    and (import_id, number) in (select import_id, number from chosen)`,
);

const all = (table: string) =>
  statement(
    (_, { workspace }: OfWorkspace) =>
      sql<never>`delete from ${sql.table(table)} where workspace_id = ${workspace}`,
  );

/** Access and jobs are deleted first, so that nothing is written while the rest is deleted. */
export const deleteAccess = [
  'sign_in_links',
  'sign_in_addresses',
  'notice_reads',
  'sessions',
  'keys',
  'users',
  'hooks',
  'jobs',
].map(all);

/** All other tables except import rows, contacts and calls, each after the tables that refer to it. */
export const deleteRecords = [
  'imports',
  'enrollments',
  'campaigns',
  'channels',
  'integrations',
  'deploys',
  'agent_versions',
  'agents',
  'contact_tags',
  'tallies',
  'retries',
  'audit_entries',
  'saved_views',
  'notices',
  'events',
  'webhook_endpoints',
  'webhook_deliveries',
  'webhook_attempts',
].map(all);
