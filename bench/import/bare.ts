import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { openFile } from '../../src/db/sqlite/connection.ts';
import { migrateSqlite } from '../../src/db/sqlite/migrate.ts';

const BATCH = 1_000;

/** The inserts of a bare loop into one table: a row is an array, a statement is prepared once. */
const inserter = (db: DatabaseSync, table: string, columns: readonly string[]) => {
  const statement = db.prepare(
    `insert into ${table} (${columns.join()}) values (${columns.map(() => '?').join()})`,
  );
  return (rows: readonly SQLInputValue[][]) => {
    for (const row of rows) statement.run(...row);
  };
};

const columnsOf = (db: DatabaseSync, table: string) =>
  db
    .prepare(`select name from pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => String(name));

/** Inserts the rows of an import into an empty database with the same tables and indexes, a thousand per transaction, and
 *  returns the seconds that took. Only the inserts are timed: the rows are read before. */
export const insertBare = (from: string, path: string): number => {
  migrateSqlite(path);
  const [source, db] = [openFile(from, { readOnly: true }), openFile(path)];
  for (const table of ['workspaces', 'imports', 'tallies']) {
    const columns = columnsOf(source, table);
    const insert = inserter(db, table, columns);
    insert(rowsOf(source, `select ${columns.join()} from ${table}`));
  }
  const { workspace, import_id, last } = source
    .prepare('select workspace_id as workspace, import_id, max(number) as last from import_rows')
    .get() as { workspace: number; import_id: string; last: number };
  const contact = columnsOf(source, 'contacts');
  const row = columnsOf(source, 'import_rows');
  const contacts = `from contacts where workspace_id = ${workspace} and seq between`;
  const tables = [
    { name: 'contacts', columns: contact, select: `select ${contact.join()} ${contacts}` },
    {
      name: 'contact_tags',
      columns: ['workspace_id', 'tag', 'seq'],
      select: `select workspace_id, value, seq ${contacts.replace('contacts', 'contacts, json_each(tags)')}`,
    },
    {
      name: 'import_rows',
      columns: row,
      select: `select ${row.join()} from import_rows
        where workspace_id = ${workspace} and import_id = '${import_id}' and number between`,
    },
    {
      name: 'contacts_search',
      columns: ['rowid', 'text', 'phone'],
      select: `select workspace_id << 40 | seq, search_text, search_phone ${contacts}`,
    },
  ].map(({ name, columns, select }) => ({ insert: inserter(db, name, columns), select }));
  let seconds = 0;
  for (let after = 0; after < last; after += BATCH) {
    const batches = tables.map(({ insert, select }) => {
      const rows = rowsOf(source, `${select} ${after + 1} and ${after + BATCH}`);
      return () => insert(rows);
    });
    const began = performance.now();
    db.exec('begin');
    for (const insert of batches) insert();
    db.exec('commit');
    seconds += (performance.now() - began) / 1_000;
  }
  source.close();
  db.close();
  return seconds;
};

const rowsOf = (db: DatabaseSync, text: string): SQLInputValue[][] => {
  const statement = db.prepare(text);
  statement.setReturnArrays(true);
  return statement.all() as unknown as SQLInputValue[][];
};
