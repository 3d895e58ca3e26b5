import { rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { openExclusively } from '../db/sqlite/exclusive-lock.ts';
import { migrateConnection } from '../db/sqlite/migrate.ts';
import { countAllNgrams, indexAllContacts } from '../db/sqlite/search/rebuild.ts';
import type { MoveTarget } from './database.ts';
import { sqliteReader } from './sqlite-reader.ts';
import { columnNames } from './tables.ts';

/** A killed process loses nothing. A power failure may lose the last batches with their record, but not the file. */
const SETTINGS = `pragma journal_mode = wal; pragma wal_autocheckpoint = 4000; pragma synchronous = normal;
  pragma temp_store = file; pragma cache_size = -16000`;

const open = (path: string): DatabaseSync => {
  const db = openExclusively(path);
  db.exec(SETTINGS);
  return db;
};

const inTransaction = async (db: DatabaseSync, work: () => Promise<void> | void): Promise<void> => {
  db.exec('begin immediate');
  try {
    await work();
    db.exec('commit');
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
};

const continueIds = (db: DatabaseSync, lastIds: ReadonlyMap<string, string>): void => {
  const update = db.prepare('update sqlite_sequence set seq = max(seq, cast(? as int)) where name = ?');
  for (const [table, last] of lastIds) update.run(last, table);
};

export const openSqliteTarget = (path: string): MoveTarget => {
  let db = open(path);
  return {
    // A discarded file has another connection.
    tables: () => sqliteReader(db).tables(),
    select: (sql) => sqliteReader(db).select(sql),
    lastIds: () => sqliteReader(db).lastIds(),
    quote: sqliteReader(db).quote,
    close: async () => db.close(),
    has: async (table) => db.prepare('select 1 from sqlite_schema where name = ?').get(table) !== undefined,
    run: (...statements) => inTransaction(db, () => db.exec(statements.join(';'))),
    migrate: async () => migrateConnection(db, { forMove: true }),
    discard: async () => {
      db.close();
      for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
      db = open(path);
    },
    write: (table, batches, statement) =>
      inTransaction(db, async () => {
        const values = table.columns.map(() => '?').join(', ');
        const insert = db.prepare(`insert into ${table.name} (${columnNames(table)}) values (${values})`);
        for await (const rows of batches) for (const row of rows) insert.run(...row);
        db.exec(statement);
      }),
    complete: async (lastIds, onProgress) => {
      await inTransaction(db, () => continueIds(db, lastIds));
      await indexAllContacts(db, onProgress);
      await countAllNgrams(db);
      db.exec('pragma synchronous = full; pragma wal_checkpoint(truncate)');
    },
  };
};
