import { DatabaseSync } from 'node:sqlite';
import { existingPostgres, type TestDatabase } from './engines.ts';

/** Every row of every table as text with the type of each value, sorted, without the counters of SQLite's search. */
export type TableDump = Record<string, string[]>;

const dumpSqlite = (path: string): TableDump => {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = db
      .prepare(`select name from pragma_table_list where schema = 'main' and type = 'table'
        and name <> 'sqlite_schema' order by name`)
      .all();
    return Object.fromEntries(
      tables.map(({ name }) => {
        const where = name === 'tallies' ? `where list not like 'contacts~%'` : '';
        const rows = db.prepare(`select * from ${name} ${where}`);
        rows.setReadBigInts(true);
        const texts = rows
          .all()
          .map((row) =>
            JSON.stringify(
              Object.entries(row).map(([column, value]) => [column, typeof value, String(value)]),
            ),
          );
        return [String(name), texts.sort()];
      }),
    );
  } finally {
    db.close();
  }
};

/** Counters are added up, because each connection has its own row. Those of SQLite's search are left out: a move rebuilds them. */
const COUNTERS = `select workspace_id, list, sum(count) from tallies where list not like 'contacts~%'
  group by 1, 2 having sum(count) <> 0`;

const dumpPostgres = async (url: string): Promise<TableDump> => {
  const { query } = existingPostgres(url);
  const tables = await query(`select relname as name from pg_class
    where relkind = 'r' and relpersistence = 'p' and relnamespace = 'public'::regnamespace order by 1`);
  const dump: TableDump = {};
  for (const { name } of tables) {
    const rows = await query(
      `select moved::text as row from ${name === 'tallies' ? `(${COUNTERS})` : name} as moved`,
    );
    dump[String(name)] = rows.map(({ row }) => String(row)).sort();
  }
  return dump;
};

export const dumpTables = async ({ database }: TestDatabase): Promise<TableDump> =>
  database.engine === 'sqlite' ? dumpSqlite(database.path) : dumpPostgres(database.url);

/** The tables that differ, with an example. */
export const differences = (one: TableDump, other: TableDump): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((table) => {
    const [rows, others] = [one[table] ?? [], other[table] ?? []];
    if (rows.length === others.length && rows.every((row, at) => row === others[at])) return [];
    const at = rows.findIndex((row, index) => row !== others[index]);
    return [`${table}: ${rows.length} and ${others.length} rows, first ${rows[at]} and ${others[at]}`];
  });
