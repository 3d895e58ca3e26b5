import { statementsOver } from '../../db/statement.ts';

export type IntegrationRow = {
  workspace_id: number;
  id: string;
  name: string;
  secret_hash: string;
  /** The secret before this one, accepted until its time. */
  old_secret_hash: string | null;
  old_secret_expires_at: string | null;
  created_at: string;
};

type OldSecret = Extract<keyof IntegrationRow, `old_${string}`>;

const statement = statementsOver<{ integrations: IntegrationRow }>();

type Key = { workspace: number; id: string };

export const insertIntegration = statement((query, row: Omit<IntegrationRow, OldSecret>) =>
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

export const findIntegration = statement((query, { workspace, id }: Key) =>
  query.selectFrom('integrations').selectAll().where('workspace_id', '=', workspace).where('id', '=', id),
);

const SHOWN = ['id', 'name', 'old_secret_expires_at', 'created_at'] as const;

export const selectIntegrationForUpdate = statement((query, { workspace, id }: Key, can) =>
  query
    .selectFrom('integrations')
    .select([...SHOWN, 'secret_hash', 'old_secret_hash'])
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .modifyEnd(can.lockRow()),
);

type Secrets = Pick<IntegrationRow, 'secret_hash' | OldSecret>;

export const setSecretRow = statement((query, row: Key & Secrets) =>
  query
    .updateTable('integrations')
    .set({
      secret_hash: row.secret_hash,
      old_secret_hash: row.old_secret_hash,
      old_secret_expires_at: row.old_secret_expires_at,
    })
    .where('workspace_id', '=', row.workspace)
    .where('id', '=', row.id),
);

export const listIntegrationRows = statement((query, { workspace }: { workspace: number }) =>
  query.selectFrom('integrations').select(SHOWN).where('workspace_id', '=', workspace).orderBy('id', 'desc'),
);
