import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { longRead, write } from '../../db/operation.ts';
import { statement } from '../../db/statement.ts';

type Step = { workspace: number; after: string; limit: number };
type NewValue = { workspace: number; id: string; was: string; encrypted: string };

export type EncryptedRow = { id: string } & Record<string, string | null>;

/** A secret encrypted with another key; replaces `was` unless the column has changed since. */
export interface Replacement {
  readonly column: string;
  readonly id: string;
  readonly was: string;
  readonly encrypted: string;
}

interface Encrypted {
  readonly table: string;
  readonly columns: readonly string[];
  /** See `Check`. */
  readonly since?: number;
  /** The names of the two operations. */
  readonly operations: readonly [list: string, replace: string];
}

/** The columns of a table with secrets that are encrypted for the id of their record, and operations to encrypt them with another
 *  key. */
export const encryptedColumns = ({ table, columns, since, operations: [list, replace] }: Encrypted) => {
  const listRows = statement(
    ({ workspace, after, limit }: Step) => sql<EncryptedRow>`
      select id, ${sql.join(columns.map((column) => sql.id(column)))} from ${sql.table(table)}
      where workspace_id = ${workspace} and id > ${after} order by id limit ${limit}`,
  );
  const replacements = new Map(
    columns.map((column) => [
      column,
      statement(
        ({ workspace, id, was, encrypted }: NewValue) => sql<never>`
          update ${sql.table(table)} set ${sql.id(column)} = ${encrypted}
          where workspace_id = ${workspace} and id = ${id} and ${sql.id(column)} = ${was}`,
      ),
    ]),
  );
  return {
    table,
    columns,
    since,
    /** The encrypted values of a workspace, in the order of the ids. */
    list: longRead(
      list,
      async (db: Db, _: null, step: Step): Promise<EncryptedRow[]> => db.all(listRows, step),
    ),
    /** Returns how many values were replaced. */
    replace: write(
      replace,
      async (
        db: Db,
        _: null,
        { workspace, replacements: wanted }: { workspace: number; replacements: readonly Replacement[] },
      ): Promise<number> => {
        let changed = 0;
        for (const { column, ...values } of wanted) {
          const update = replacements.get(column);
          if (update) changed += await db.run(update, { workspace, ...values });
        }
        return changed;
      },
    ),
  };
};
export type EncryptedColumns = ReturnType<typeof encryptedColumns>;
