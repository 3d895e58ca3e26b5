import { rmSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { openExclusively } from '../db/sqlite/exclusive-lock.ts';
import { migrateConnection } from '../db/sqlite/migrate.ts';
import { countAllNgrams, indexAllContacts } from '../db/sqlite/search/rebuild.ts';
import { MOVE_TABLE } from '../db/unfinished-move.ts';
import {
  CREATE_RECORD,
  DROP_RECORD,
  type MoveTarget,
  NOT_EMPTY,
  READ_RECORD,
  type Step,
} from './database.ts';
import { sqliteReader } from './sqlite-reader.ts';
import { columnNames, type MovedTable } from './tables.ts';

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

const recordStep = (db: DatabaseSync, { name, after }: Step): void => {
  db.prepare(
    `insert into ${MOVE_TABLE} (name, value) values (?, ?) on conflict (name) do update set value = excluded.value`,
  ).run(name, after);
};

const continueIds = (db: DatabaseSync, lastIds: ReadonlyMap<string, string>): void => {
  const update = db.prepare('update sqlite_sequence set seq = max(seq, cast(? as int)) where name = ?');
  for (const [table, last] of lastIds) update.run(last, table);
};

export const openSqliteTarget = (path: string): MoveTarget => {
  let db = open(path);
  const inserts = new Map<string, StatementSync>();
  const insertInto = (table: MovedTable): StatementSync => {
    const values = table.columns.map(() => '?').join(', ');
    const found =
      inserts.get(table.name) ??
      db.prepare(`insert into ${table.name} (${columnNames(table)}) values (${values})`);
    inserts.set(table.name, found);
    return found;
  };
  const has = (table: string) => db.prepare('select 1 from sqlite_schema where name = ?').get(table);
  return {
    tables: () => sqliteReader(db).tables(),
    select: (sql) => sqliteReader(db).select(sql),
    close: async () => db.close(),
    recorded: async () =>
      has(MOVE_TABLE)
        ? new Map(
            db
              .prepare(READ_RECORD)
              .all()
              .map(({ name, value }) => [String(name), String(value)]),
          )
        : undefined,
    problem: async () => {
      for (const { name } of await sqliteReader(db).tables()) {
        if (db.prepare(`select 1 from ${name} limit 1`).get()) return NOT_EMPTY;
        if (!has('migrations')) return `has a table ${name} that Roster did not create. Choose another file.`;
      }
      return undefined;
    },
    begin: async (source) => {
      await inTransaction(db, () => {
        db.exec(`${CREATE_RECORD} strict`);
        recordStep(db, source);
      });
      migrateConnection(db, { forMove: true });
    },
    migrate: async () => migrateConnection(db, { forMove: true }),
    discard: async () => {
      db.close();
      for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
      db = open(path);
    },
    write: (table, batches, step) =>
      inTransaction(db, async () => {
        const insert = insertInto(table);
        for await (const rows of batches) for (const row of rows) insert.run(...row);
        recordStep(db, step);
      }),
    complete: async (lastIds, onProgress) => {
      await inTransaction(db, () => continueIds(db, lastIds));
      await indexAllContacts(db, onProgress);
      await countAllNgrams(db);
      db.exec('pragma synchronous = full; pragma wal_checkpoint(truncate)');
    },
    release: async () => {
      await inTransaction(db, () => db.exec(DROP_RECORD));
    },
  };
};
