import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { rotation } from '../../db/migrations/0014_rotation.ts';
import { migrations } from '../../db/migrations/index.ts';
import { longRead, write } from '../../db/operation.ts';
import { statementsOver } from '../../db/statement.ts';

export const ENCRYPTED_COLUMNS = [
  'secret_sealed',
  'token_sealed',
  'old_secret_sealed',
  'old_token_sealed',
] as const;
/** The schema version that added the last of these columns. */
export const ENCRYPTED_SINCE = migrations.indexOf(rotation) + 1;
export type EncryptedColumn = (typeof ENCRYPTED_COLUMNS)[number];

export type EncryptedRow = { id: string } & Record<EncryptedColumn, string | null>;

const statement = statementsOver<{ channels: EncryptedRow & { workspace_id: number } }>();

type Step = { workspace: number; after: string; limit: number };

const listEncryptedRows = statement((query, { workspace, after, limit }: Step) =>
  query
    .selectFrom('channels')
    .select(['id', ...ENCRYPTED_COLUMNS])
    .where('workspace_id', '=', workspace)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit),
);

type NewValue = { workspace: number; id: string; was: string; encrypted: string };

const replacements = Object.fromEntries(
  ENCRYPTED_COLUMNS.map((column) => [
    column,
    statement(
      (_, { workspace, id, was, encrypted }: NewValue) => sql<never>`
        update channels set ${sql.id(column)} = ${encrypted}
        where workspace_id = ${workspace} and id = ${id} and ${sql.id(column)} = ${was}`,
    ),
  ]),
) as Record<EncryptedColumn, ReturnType<typeof statement<NewValue, never>>>;

/** The encrypted values of a workspace's channels, in the order of their ids. */
export const listEncryptedSecrets = longRead(
  'listEncryptedSecrets',
  async (db: Db, _: null, step: Step): Promise<EncryptedRow[]> => db.all(listEncryptedRows, step),
);

/** A secret encrypted with another key; replaces `was` unless the column has changed since. */
export interface Replacement {
  readonly column: EncryptedColumn;
  readonly id: string;
  readonly was: string;
  readonly encrypted: string;
}

/** Returns how many values were replaced. */
export const replaceEncryptedSecrets = write(
  'replaceEncryptedSecrets',
  async (
    db: Db,
    _: null,
    { workspace, replacements: wanted }: { workspace: number; replacements: readonly Replacement[] },
  ): Promise<number> => {
    let changed = 0;
    for (const { column, ...values } of wanted)
      changed += await db.run(replacements[column], { workspace, ...values });
    return changed;
  },
);
