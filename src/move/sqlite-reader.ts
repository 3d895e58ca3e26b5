import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MOVE_TABLE } from '../db/database.ts';
import { parentsFirst } from '../db/parents-first.ts';
import { openExclusively } from '../db/sqlite/exclusive-lock.ts';
import { BATCH_CHARACTERS, BATCH_ROWS, type MoveReader, sizeOf } from './database.ts';
import type { Column, MovedTable, Row } from './tables.ts';

/** The tables of the search index are virtual or belong to a virtual table. */
const TABLES = `select name from pragma_table_list where schema = 'main' and type = 'table'
  and name not like 'sqlite\\_%' escape '\\' and name not in ('migrations', '${MOVE_TABLE}') order by name`;
const COLUMNS = 'select name, type, pk from pragma_table_info(?) order by name';
const PARENTS = 'select distinct "table" as parent from pragma_foreign_key_list(?) order by 1';

interface ColumnRow extends Column {
  readonly type: string;
  /** The position in the primary key, from 1; 0 for other columns. */
  readonly pk: number;
}

const readTables = (db: DatabaseSync): MovedTable[] => {
  const all = <T>(sql: string, ...values: string[]) => db.prepare(sql).all(...values) as T[];
  const tables = all<{ name: string }>(TABLES).map(({ name }): MovedTable => {
    const columns = all<ColumnRow>(COLUMNS, name);
    const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
    return {
      name,
      columns: columns.map((column) => ({ name: column.name, isInteger: /^int/i.test(column.type) })),
      key: key.map((column) => column.name),
      parents: all<{ parent: string }>(PARENTS, name).map(({ parent }) => parent),
    };
  });
  return parentsFirst(tables);
};

type StoredRow = readonly (string | bigint | null)[];

const textOf = (value: string | bigint | null) => (typeof value === 'bigint' ? value.toString() : value);

async function* readRows(db: DatabaseSync, sql: string): AsyncGenerator<Row[]> {
  const statement = db.prepare(sql);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  let [rows, size]: [Row[], number] = [[], 0];
  for (const stored of statement.iterate() as unknown as Iterable<StoredRow>) {
    const row = stored.map(textOf);
    rows.push(row);
    size += sizeOf(row);
    if (rows.length < BATCH_ROWS && size < BATCH_CHARACTERS) continue;
    yield rows;
    // SQLite answers synchronously. Signals are handled between two turns of the event loop.
    await nextTurn();
    [rows, size] = [[], 0];
  }
  if (rows.length > 0) yield rows;
}

export const sqliteReader = (db: DatabaseSync): MoveReader => ({
  tables: async () => readTables(db),
  select: (sql) => readRows(db, sql),
  lastIds: async () => {
    const rows = db.prepare('select name, cast(seq as text) as seq from sqlite_sequence').all();
    return new Map(rows.map(({ name, seq }) => [String(name), String(seq)]));
  },
  quote: (text) => `'${text.replaceAll("'", "''")}'`,
  close: async () => db.close(),
});

/** No other process can open the file before it is closed, so that it does not change. */
export const openSqliteSource = (path: string): MoveReader => {
  const db = openExclusively(path);
  db.exec('pragma query_only = on; pragma cache_size = -8000; pragma temp_store = file');
  return sqliteReader(db);
};
