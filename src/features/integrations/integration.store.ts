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
  /** The last accepted request. */
  last_delivery_at: string | null;
  /** A JSON array of the last errors (see integration.health.ts). */
  errors: string | null;
};

type Health = Pick<IntegrationRow, 'last_delivery_at' | 'errors'>;

type OldSecret = Extract<keyof IntegrationRow, `old_${string}`>;

const statement = statementsOver<{ integrations: IntegrationRow }>();

type Key = { workspace: number; id: string };

export const insertIntegration = statement((query, row: Omit<IntegrationRow, OldSecret | keyof Health>) =>
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

export const setNameRow = statement((query, { workspace, id, name }: Key & { name: string }) =>
  query.updateTable('integrations').set({ name }).where('workspace_id', '=', workspace).where('id', '=', id),
);

const HEALTH_COLUMNS = ['id', 'last_delivery_at', 'errors'] as const;

export const listHealth = statement((query, { workspace }: { workspace: number }) =>
  query
    .selectFrom('integrations')
    .select(HEALTH_COLUMNS)
    .where('workspace_id', '=', workspace)
    .orderBy('id', 'desc'),
);

export const selectHealthForUpdate = statement((query, { workspace, id }: Key, dialect) =>
  query
    .selectFrom('integrations')
    .select(HEALTH_COLUMNS)
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .modifyEnd(dialect.lockRow()),
);

export const setHealth = statement((query, row: Key & Health) =>
  query
    .updateTable('integrations')
    .set(pickColumns(row, ['last_delivery_at', 'errors']))
    .where('workspace_id', '=', row.workspace)
    .where('id', '=', row.id),
);
