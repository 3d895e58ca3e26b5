import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/db.ts';
import type { SqlDialect } from '../db/dialect.ts';
import { columnsOf } from '../db/rows.ts';
import { statement } from '../db/statement.ts';

interface Declaration {
  readonly table: string;
  /** The column with the contact's id. */
  readonly column?: string;
  /** The columns that identify a row, next to the workspace. */
  readonly key: readonly string[];
  readonly integers?: readonly string[];
  /** A contact has at most one row for each value of this column. Rows for which the other contact has one stay. */
  readonly scope?: string;
  readonly order?: RawBuilder<unknown>;
}

type Between = { workspace: number; from: string; to: string };

/** Keys of rows, as JSON objects. */
export type RowKeys = readonly Readonly<Record<string, string | number>>[];

/** The rows of a table that refer to a contact, as a merge moves them to another one and an undo moves them back. */
export interface MovedRows {
  count(db: Db, workspace: number, contacts: readonly string[]): Promise<number>;
  /** Moves rows, at most `limit`, and returns their keys. */
  move(db: Db, between: Between, limit: number): Promise<RowKeys>;
  /** Moves those of the rows with these keys that still refer to `from`, and returns how many. */
  moveBack(db: Db, between: Between, keys: RowKeys): Promise<number>;
}

export const movedRows = (declaration: Declaration): MovedRows => {
  const { key, column = 'contact_id', integers = [], scope } = declaration;
  const table = sql.table(declaration.table);
  const contact = sql.ref(column);
  const order = declaration.order ?? columnsOf(key);
  const names = columnsOf(key);
  const given = (keys: string, dialect: SqlDialect) => {
    const read = key.map((name) => {
      const value = sql`value ->> ${sql.lit(name)}`;
      return integers.includes(name) ? sql`cast(${value} as bigint)` : value;
    });
    return sql`with given (${names}) as materialized (select ${sql.join(read)} from ${dialect.eachObject(keys)})`;
  };
  const isFree = ({ workspace, to }: Pick<Between, 'workspace' | 'to'>) =>
    scope === undefined
      ? sql``
      : sql`and not exists (select 1 from ${table} as other where other.workspace_id = ${workspace}
          and ${sql.ref(`other.${column}`)} = ${to} and ${sql.ref(`other.${scope}`)} = ${sql.ref(`${declaration.table}.${scope}`)})`;
  const countRows = statement(
    ({ workspace, contacts }: { workspace: number; contacts: string }, dialect) => sql<{ count: number }>`
      select count(*) as count from ${table} where workspace_id = ${workspace}
      and ${contact} in (select value from ${dialect.eachText(contacts)})`,
  );
  const lockNext = statement(
    ({ workspace, from, to, limit }: Between & { limit: number }, dialect) => sql<RowKeys[number]>`
      select ${names} from ${table} where workspace_id = ${workspace} and ${contact} = ${from}
      ${isFree({ workspace, to })} order by ${order} limit ${limit} ${dialect.lockRow()}`,
  );
  const setContact = statement(
    ({ workspace, from, to, keys }: Between & { keys: string }, dialect) => sql<never>`
      ${given(keys, dialect)}
      update ${table} set ${contact} = ${to} where workspace_id = ${workspace} and ${contact} = ${from}
      and (${names}) in (select ${names} from given)`,
  );
  const moveBack: MovedRows['moveBack'] = async (db, between, keys) =>
    keys.length === 0 ? 0 : db.run(setContact, { ...between, keys: JSON.stringify(keys) });
  return {
    count: async (db, workspace, contacts) =>
      Number((await db.get(countRows, { workspace, contacts: JSON.stringify(contacts) }))?.count),
    move: async (db, between, limit) => {
      const keys = await db.all(lockNext, { ...between, limit });
      await moveBack(db, between, keys);
      return keys;
    },
    moveBack,
  };
};
