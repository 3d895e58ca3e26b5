import { rowsOf } from '../../db/rows.ts';
import { statementsOver } from '../../db/statement.ts';

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

const rows = rowsOf<IntegrationRow>({ table: 'integrations' });
const SECRETS = ['secret_hash', 'old_secret_hash', 'old_secret_expires_at'] as const;
const LISTED = ['id', 'name', 'old_secret_expires_at', 'created_at'] as const;
const HEALTH = ['last_delivery_at', 'errors'] as const;

export const insertIntegration = rows.insert(['workspace_id', 'id', 'name', 'secret_hash', 'created_at']);
export const deleteIntegrationRow = rows.remove;
export const findIntegration = rows.find(['workspace_id', 'id', ...SECRETS]);
export const selectIntegrationForUpdate = rows.lock([...LISTED, 'secret_hash', 'old_secret_hash']);
export const setSecretRow = rows.set(SECRETS);
export const setNameRow = rows.set(['name']);
export const selectHealthForUpdate = rows.lock(HEALTH);
export const setHealth = rows.set(HEALTH);

const statement = statementsOver<{ integrations: IntegrationRow }>();

const list = <C extends keyof IntegrationRow>(columns: readonly C[]) =>
  statement((query, { workspace }: { workspace: number }) =>
    query
      .selectFrom('integrations')
      .select(columns)
      .where('workspace_id', '=', workspace)
      .orderBy('id', 'desc'),
  );

export const listIntegrationRows = list(LISTED);
export const listHealth = list(['id', ...HEALTH]);
