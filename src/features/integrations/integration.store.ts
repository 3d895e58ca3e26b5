import { pickColumns, statementsOver } from '../../db/statement.ts';

export type IntegrationRow = {
  workspace_id: number;
  id: string;
  name: string;
  secret_hash: string;
  /** The previous secret, accepted until it expires. */
  old_secret_hash: string | null;
  old_secret_expires_at: string | null;
  created_at: string;
};

type OldSecret = Extract<keyof IntegrationRow, `old_${string}`>;

const statement = statementsOver<{ integrations: IntegrationRow }>();

type Key = { workspace: number; id: string };

export const insertIntegration = statement((query, row: Omit<IntegrationRow, OldSecret>) =>
  query
    .insertInto('integrations')
    .values(pickColumns(row, ['workspace_id', 'id', 'name', 'secret_hash', 'created_at'])),
);

export const deleteIntegrationRow = statement((query, { workspace, id }: Key) =>
  query.deleteFrom('integrations').where('workspace_id', '=', workspace).where('id', '=', id),
);

export const findIntegration = statement((query, { workspace, id }: Key) =>
  query.selectFrom('integrations').selectAll().where('workspace_id', '=', workspace).where('id', '=', id),
);

const LISTED_COLUMNS = ['id', 'name', 'old_secret_expires_at', 'created_at'] as const;

export const selectIntegrationForUpdate = statement((query, { workspace, id }: Key, dialect) =>
  query
    .selectFrom('integrations')
    .select([...LISTED_COLUMNS, 'secret_hash', 'old_secret_hash'])
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .modifyEnd(dialect.lockRow()),
);

type Secrets = Pick<IntegrationRow, 'secret_hash' | OldSecret>;

export const setSecretRow = statement((query, row: Key & Secrets) =>
  query
    .updateTable('integrations')
    .set(pickColumns(row, ['secret_hash', 'old_secret_hash', 'old_secret_expires_at']))
    .where('workspace_id', '=', row.workspace)
    .where('id', '=', row.id),
);

export const listIntegrationRows = statement((query, { workspace }: { workspace: number }) =>
  query
    .selectFrom('integrations')
    .select(LISTED_COLUMNS)
    .where('workspace_id', '=', workspace)
    .orderBy('id', 'desc'),
);
