import type { DatabaseSync } from 'node:sqlite';
import { MOVE_TABLE, unfinishedMoveError } from '../database.ts';
import { pendingAfter, rowsAfter, SCHEMA_VERSION } from '../migrations/index.ts';
import { openFile } from './connection.ts';

const EXISTS = "select 1 from sqlite_schema where type = 'table' and name = ?";

/** Runs all missing migrations up to a version under one write lock, so that a second process waits. Only a move accepts the
 *  target of an unfinished move. */
export const migrateConnection = (
  db: DatabaseSync,
  { forMove = false, version: last = SCHEMA_VERSION } = {},
): void => {
  db.exec('begin immediate');
  if (!forMove && db.prepare(EXISTS).get(MOVE_TABLE)) throw unfinishedMoveError();
  db.exec('create table if not exists migrations (number int primary key, name text not null) strict');
  let applied = Number(db.prepare('select count(*) as count from migrations').get()?.count);
  const record = db.prepare('insert into migrations (number, name) values (?, ?)');
  for (const migration of pendingAfter(applied)) {
    if (migration.version > last) break;
    for (const statement of migration.statements('sqlite')) db.exec(statement);
    for (const row of rowsAfter(applied, migration)) record.run(...row);
    applied = migration.version;
  }
  db.exec('commit');
};

/** `probe` writes a page, which fails on a full disk. */
export const migrateSqlite = (path: string, { probe = false } = {}): void => {
  using db = openFile(path);
  db.exec('pragma busy_timeout = 60000');
  migrateConnection(db);
  if (probe) db.exec('pragma user_version = 0');
};
