import { type RawBuilder, sql } from 'kysely';
import type { SqlDialect } from './dialect.ts';
import { type Arguments, type Statement, statementsOver } from './statement.ts';

/** What names a record of a workspace. */
export type Key = { workspace: number; id: string };

type KeyColumn = 'workspace_id' | 'id';

/** A list of columns in SQL. */
export const columnsOf = (columns: readonly string[], table?: string): RawBuilder<unknown> =>
  sql.join(columns.map((column) => sql.ref(table === undefined ? column : `${table}.${column}`)));

/** The statements for single rows of a table whose key is `workspace_id` and `id`. Columns are always listed: a new column must not
 *  change the result of a prepared statement. */
export const rowsOf = <Row extends Arguments & { workspace_id: number; id: string }>({
  table,
}: {
  table: string;
}) => {
  const statement = statementsOver<unknown>();
  const name = sql.table(table);
  const where = ({ workspace, id }: Key) => sql`where workspace_id = ${workspace} and id = ${id}`;
  const select =
    (lock: (dialect: SqlDialect) => RawBuilder<unknown>) =>
    <C extends keyof Row & string>(columns: readonly C[]): Statement<Key, Pick<Row, C>> =>
      statement(
        (_, key: Key, dialect) =>
          sql<Pick<Row, C>>`select ${columnsOf(columns)} from ${name} ${where(key)} ${lock(dialect)}`,
      );
  return {
    find: select(() => sql``),
    /** Locks the row until the transaction ends. */
    lock: select((dialect) => dialect.lockRow()),
    /** The same without waiting: undefined if another transaction has locked it. */
    lockIfFree: select((dialect) => dialect.lockUnlockedRows()),
    /** With `seq`, the position in the table's list is allocated. */
    insert: <C extends keyof Row & string>(
      columns: readonly C[],
      { seq = false }: { seq?: boolean } = {},
    ): Statement<Pick<Row, C | 'workspace_id'>, never> =>
      statement(
        (_, row: Pick<Row, C | 'workspace_id'>, dialect) => sql<never>`
          insert into ${name} (${columnsOf([...columns, ...(seq ? ['seq'] : [])])})
          values (${sql.join([
            ...columns.map((column) => sql`${row[column]}`),
            ...(seq ? [dialect.nextSeq(table, row.workspace_id)] : []),
          ])})`,
      ),
    /** Writes some columns of a row. */
    set: <C extends keyof Row & string>(columns: readonly C[]): Statement<Pick<Row, C | KeyColumn>, never> =>
      statement((_, row: Pick<Row, C | KeyColumn>) => {
        const set = sql.join(columns.map((column) => sql`${sql.ref(column)} = ${row[column]}`));
        return sql<never>`update ${name} set ${set} ${where({ workspace: row.workspace_id, id: row.id })}`;
      }),
    remove: statement((_, key: Key) => sql<never>`delete from ${name} ${where(key)}`),
  };
};
