import { sql } from 'kysely';
import { columnsOf, rowsOf } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';

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
const NEW_COLUMNS = ['workspace_id', 'id', 'name', 'secret_hash', 'created_at'] as const;
const OLD_SECRET = ['old_secret_hash', 'old_secret_expires_at'] as const;
const HEALTH = ['last_delivery_at', 'errors'] as const;
const COLUMNS = [...NEW_COLUMNS, ...OLD_SECRET, ...HEALTH] as const;

export const insertIntegration = rows.insert(NEW_COLUMNS);
export const findIntegration = rows.find(COLUMNS);
export const lockIntegration = rows.lock(COLUMNS);
export const updateIntegration = rows.set(['name', 'secret_hash', ...OLD_SECRET, ...HEALTH]);
export const deleteIntegration = rows.remove;

const list = <C extends keyof IntegrationRow>(columns: readonly C[]) =>
  statement(
    (_, { workspace }: { workspace: number }) => sql<Pick<IntegrationRow, C>>`
      select ${columnsOf(columns)} from integrations where workspace_id = ${workspace} order by id desc`,
  );

export const listIntegrationRows = list(['id', 'name', 'old_secret_expires_at', 'created_at']);
export const listHealth = list(['id', ...HEALTH]);
