import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { rotation } from '../../db/migrations/0014_rotation.ts';
import { migrations } from '../../db/migrations/index.ts';
import { longRead, write } from '../../db/operation.ts';
import { statementsOver } from '../../db/statement.ts';

/** The columns of a channel that hold sealed values. */
export const SEALED_COLUMNS = [
  'secret_sealed',
  'token_sealed',
  'old_secret_sealed',
  'old_token_sealed',
] as const;
/** The schema from which a channel has all of them. */
export const SEALED_SINCE = migrations.indexOf(rotation) + 1;
export type SealedColumn = (typeof SEALED_COLUMNS)[number];

export type SealedRow = { id: string } & Record<SealedColumn, string | null>;

const statement = statementsOver<{ channels: SealedRow & { workspace_id: number } }>();

type Step = { workspace: number; after: string; limit: number };

const listSealedRows = statement((query, { workspace, after, limit }: Step) =>
  query
    .selectFrom('channels')
    .select(['id', ...SEALED_COLUMNS])
    .where('workspace_id', '=', workspace)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit),
);

type Resealed = { workspace: number; id: string; was: string; sealed: string };

const replacements = Object.fromEntries(
  SEALED_COLUMNS.map((column) => [
    column,
    statement(
      (_, { workspace, id, was, sealed }: Resealed) => sql<never>`
        update channels set ${sql.id(column)} = ${sealed}
        where workspace_id = ${workspace} and id = ${id} and ${sql.id(column)} = ${was}`,
    ),
  ]),
) as Record<SealedColumn, ReturnType<typeof statement<Resealed, never>>>;

/** The sealed values of a workspace's channels, in the order of their ids. */
export const listSealed = longRead(
  'listSealed',
  async (db: Db, _: null, step: Step): Promise<SealedRow[]> => db.all(listSealedRows, step),
);

/** A value that another key has sealed, to be put in the place of the one that was read. */
export interface Replacement {
  readonly column: SealedColumn;
  readonly id: string;
  readonly was: string;
  readonly sealed: string;
}

/** Puts sealed values in the place of those that were read; one that was changed since stays. Gives how many. */
export const replaceSealed = write(
  'replaceSealed',
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
