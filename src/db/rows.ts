import { type RawBuilder, sql } from 'kysely';
import type { Page } from '../lib/page.ts';
import type { SqlDialect } from './dialect.ts';
import {
  type Arguments,
  type InsertedRow,
  type RowInsert,
  type Statement,
  type StatementOptions,
  statementsWith,
} from './statement.ts';

/** What names a record of a workspace. */
export type Key = { workspace: number; id: string };

/** Rows before `before` have expired; those after `ahead` were written while the clock was wrong. */
export type Expired = { workspace: number; before: string; ahead: string; limit: number };

/** Records by a JSON array of ids or other values. */
export type Keys = { workspace: number; keys: string };

/** Declares the types of a table's columns, so that the type of its rows and the names of the columns need no second list:
 *  `const columns = { id: text, note: textOrNull, status: typed<Status>() }`. The values mean nothing. */
export const typed = <T>(): T => undefined as T;
export const text = typed<string>();
export const textOrNull = typed<string | null>();
export const number = typed<number>();
export const namesOf = <T extends object>(columns: T) => Object.keys(columns) as (keyof T & string)[];

/** A list of columns in SQL. */
export const columnsOf = (columns: readonly string[], table?: string): RawBuilder<unknown> =>
  sql.join(columns.map((column) => sql.ref(table === undefined ? column : `${table}.${column}`)));

/** Selects one page of a list, newest first, as one row with the JSON of the whole page, so that no object is built for
 *  each record. `rows` selects the `seq` and the stored JSON (`wire`) of the page's records in order. */
export const pageOf = (
  dialect: SqlDialect,
  rows: RawBuilder<unknown>,
  total: RawBuilder<number>,
): RawBuilder<Page> => sql`select ${total} as total, coalesce((${dialect.aggregateJson(rows)}), '') as json`;

type Column<Row> = keyof Row & string;

/** The arguments that identify rows, next to `workspace`, and their columns. */
type By<Row> = Readonly<Record<string, Column<Row>>>;
type ById = { readonly id: 'id' };
type KeyArgs<Row, B extends By<Row>> = { workspace: number } & { [A in keyof B]: Row[B[A]] };

/** Which rows a statement is about: by default the one with an id. */
interface Which<B> {
  readonly by?: B;
  /** A condition without arguments. */
  readonly where?: RawBuilder<unknown>;
  /** The order of those that are found. */
  readonly order?: RawBuilder<unknown>;
}

const condition = (args: Arguments, { by = { id: 'id' }, where }: Which<object>, workspace = 'workspace') => {
  const keys = Object.entries(by).map(([argument, column]) => sql`${sql.ref(column)} = ${args[argument]}`);
  const all = [sql`workspace_id = ${args[workspace]}`, ...keys, ...(where ? [where] : [])];
  return sql`where ${sql.join(all, sql` and `)}`;
};

/** The statements that most tables need. Columns are always listed: a new column must not change the result of a prepared
 *  statement. */
export const rowsOf = <Row extends Arguments & { workspace_id: number }>({
  table,
  ...options
}: StatementOptions & { table: string }) => {
  const statement = statementsWith(options);
  const name = sql.table(table);
  const select =
    (lock: (dialect: SqlDialect) => RawBuilder<unknown>) =>
    <C extends Column<Row>, const B extends By<Row> = ById>(columns: readonly C[], which: Which<B> = {}) =>
      statement((args: Arguments, dialect) => {
        const sorted = which.order ? sql`order by ${which.order}` : sql``;
        return sql<Pick<Row, C>>`
          select ${columnsOf(columns)} from ${name} ${condition(args, which)} ${sorted} ${lock(dialect)}`;
      }) as unknown as Statement<KeyArgs<Row, B>, Pick<Row, C>>;
  const removeBy = <A>(which: Which<object>) =>
    statement(
      (args: Arguments) => sql<never>`delete from ${name} ${condition(args, which)}`,
    ) as unknown as Statement<A & Arguments, never>;
  return {
    find: select(() => sql``),
    /** Locks the row until the transaction ends. */
    lock: select((dialect) => dialect.lockRow()),
    /** The same without waiting: undefined if another transaction has locked it. */
    lockIfFree: select((dialect) => dialect.lockUnlockedRows()),
    /** Several transactions may hold this lock together. */
    share: select((dialect) => dialect.lockRowShared()),
    count: <const B extends By<Row>>(which: Which<B>) =>
      statement(
        (args: Arguments) => sql<{ count: number }>`
          select count(*) as count from ${name} ${condition(args, which)}`,
      ) as unknown as Statement<KeyArgs<Row, B>, { count: number }>,
    /** The rows with one of the values of a JSON array, `keys`, in a column. */
    findMany: <C extends Column<Row>>(
      columns: readonly C[],
      column: Column<Row> = 'id',
      where = sql``,
    ): Statement<Keys, Pick<Row, C>> =>
      statement(
        ({ workspace, keys }: Keys, dialect) => sql<Pick<Row, C>>`
          select ${columnsOf(columns)} from ${name} where workspace_id = ${workspace} ${where}
          and ${sql.ref(column)} in (select value from ${dialect.eachText(keys)})`,
      ),
    /** With `seq`, the position in the table's list is allocated. */
    insert: <C extends Column<Row>>(
      columns: readonly C[],
      { seq = false }: { seq?: boolean } = {},
    ): Statement<Pick<Row, C | 'workspace_id'>, never> =>
      statement(
        (row: Pick<Row, C | 'workspace_id'>, dialect) => sql<never>`
          insert into ${name} (${columnsOf([...columns, ...(seq ? ['seq'] : [])])})
          values (${sql.join([
            ...columns.map((column) => sql`${row[column]}`),
            ...(seq ? [dialect.nextSeq(table, row.workspace_id)] : []),
          ])})`,
      ),
    /** For many rows whose columns are text, apart from `workspace_id` and `integers`. `seq` is the position of each. With `unique`,
     *  rows that have the same values in these columns as others are skipped. PostgreSQL opens the indexes and prepares their
     *  expressions once for all rows: the server needs a fifth less time for each create. */
    insertAll: (
      columns: readonly Column<Row>[],
      seq?: (dialect: SqlDialect, workspace: number) => RawBuilder<number>,
      { unique = [], integers = [] }: { unique?: Column<Row>[]; integers?: Column<Row>[] } = {},
    ): RowInsert<Row> => {
      const names = seq ? [...columns, 'seq'] : columns;
      const texts = columns.filter((column) => column !== 'workspace_id');
      const read = texts.map((column) => {
        const value = sql`value ->> ${sql.lit(column)}`;
        return integers.includes(column) ? sql`cast(${value} as int)` : value;
      });
      const skip = unique.length > 0 ? sql`on conflict (${columnsOf(unique)}) do nothing` : sql``;
      return {
        one: statement(
          (row: Arguments) => sql<never>`
            insert into ${name} (${columnsOf(names)}) values (${sql.join(names.map((column) => row[column]))}) ${skip}`,
        ),
        ...(seq && {
          allocate: statement(
            ({ workspace, items }: { workspace: number; items: string }, dialect) => sql<{ seq: number }>`
              select ${seq(dialect, workspace)} as seq from ${dialect.eachObject(items)}`,
          ),
        }),
        many: statement(
          ({ workspace, rows }: { workspace: number; rows: string }, dialect) => sql<InsertedRow>`
            insert into ${name} (${columnsOf(['workspace_id', ...(seq ? ['seq'] : []), ...texts])})
            select ${sql.join([workspace, ...(seq ? [seq(dialect, workspace)] : []), ...read])}
            from ${dialect.eachObject(rows)} where true ${skip}
            ${unique.length > 0 ? sql`returning ${columnsOf(seq ? ['id', 'seq'] : ['id'])}` : sql``}`,
        ),
      };
    },
    /** Writes some columns of a row. */
    set: <C extends Column<Row>, const B extends By<Row> = ById>(
      columns: readonly C[],
      { by, where }: Which<B> = {},
    ): Statement<Pick<Row, C | B[keyof B] | 'workspace_id'>, never> =>
      statement((row: Arguments) => {
        const set = sql.join(columns.map((column) => sql`${sql.ref(column)} = ${row[column]}`));
        const key = by && Object.fromEntries(Object.values(by).map((column) => [column, column]));
        const which = { ...(key && { by: key }), ...(where && { where }) };
        return sql<never>`update ${name} set ${set} ${condition(row, which, 'workspace_id')}`;
      }),
    /** The row with an id. */
    get remove() {
      return removeBy<Key>({});
    },
    removeBy: <const B extends By<Row>>(which: Which<B>) => removeBy<KeyArgs<Row, B>>(which),
    /** Some rows whose time `at` has passed, by an index by time. It skips rows that others have locked, such as the deletion of a contact.
     *  The bound by time is for PostgreSQL, which would scan the table to join the rows. */
    removeOldest: (...key: Column<Row>[]): Statement<Expired, never> =>
      statement(
        ({ workspace, before, limit }: Expired, dialect) => sql<never>`
          with oldest as materialized (
            select ${columnsOf([...new Set([...key, 'at'])])} from ${name} where workspace_id = ${workspace} and at < ${before}
            order by at limit ${limit} ${dialect.lockUnlockedRows()}
          )
          delete from ${name} where workspace_id = ${workspace} and at <= (select max(at) from oldest)
          and (${columnsOf(key)}) in (select ${columnsOf(key)} from oldest)`,
      ),
    /** Some rows whose time `at` has passed. It scans the oldest ones by a key in the order of time, so it needs no index by time.
     *  Rows in the future are removed together with the next expired one; alone they stay, because it may be the current clock that
     *  is wrong. */
    removeExpired: (key: Column<Row>): Statement<Expired, never> =>
      statement(
        ({ workspace, before, ahead, limit }: Expired) => sql<never>`
          delete from ${name} where workspace_id = ${workspace} and (at < ${before} or at > ${ahead})
          and ${sql.ref(key)} <= (
            select max(${sql.ref(key)}) from (
              select ${sql.ref(key)}, at from ${name} where workspace_id = ${workspace} and at <= ${ahead}
              order by ${sql.ref(key)} limit ${limit}
            ) as oldest where at < ${before}
          )`,
      ),
  };
};
