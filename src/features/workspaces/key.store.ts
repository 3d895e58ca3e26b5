import { pickColumns, statementsOver } from '../../db/statement.ts';
import type { Scope } from './principal.ts';

export type KeyRow = {
  workspace_id: number;
  id: string;
  name: string;
  hash: string;
  scope: Scope;
  created_at: string;
  expires_at: string | null;
  /** As `600/1m`; null for the default rate limit. */
  rate_limit: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
};

const statement = statementsOver<{ keys: KeyRow }>();

const NEW_COLUMNS = [
  'workspace_id',
  'id',
  'name',
  'hash',
  'scope',
  'created_at',
  'expires_at',
  'rate_limit',
] as const;
const COLUMNS = [...NEW_COLUMNS, 'revoked_at', 'last_used_at'] as const;

export const insertKey = statement((query, row: Omit<KeyRow, 'revoked_at' | 'last_used_at'>) =>
  query.insertInto('keys').values(pickColumns(row, NEW_COLUMNS) as never),
);

export const findKeyByHash = statement((query, { workspace, hash }: { workspace: number; hash: string }) =>
  query.selectFrom('keys').select(COLUMNS).where('workspace_id', '=', workspace).where('hash', '=', hash),
);

export const listKeyRows = statement((query, { workspace }: { workspace: number }) =>
  query
    .selectFrom('keys')
    .select(COLUMNS)
    .where('workspace_id', '=', workspace)
    .orderBy('created_at')
    .orderBy('id'),
);

export const markRevoked = statement(
  (query, { workspace, id, at }: { workspace: number; id: string; at: string }) =>
    query
      .updateTable('keys')
      .set({ revoked_at: at })
      .where('workspace_id', '=', workspace)
      .where('id', '=', id)
      .where('revoked_at', 'is', null),
);

/** Several instances write times of use late, so only a later time replaces the stored one. */
export const markUsed = statement(
  (query, { workspace, id, at }: { workspace: number; id: string; at: string }) =>
    query
      .updateTable('keys')
      .set({ last_used_at: at })
      .where('workspace_id', '=', workspace)
      .where('id', '=', id)
      .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at)])),
);
