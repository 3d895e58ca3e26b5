import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { migrations, pendingAfter } from '../migrations/index.ts';
import type { MigratedRow, MigrationWork } from '../migrations/migration.ts';
import { MOVE_TABLE, unfinishedMoveError } from '../unfinished-move.ts';
import { openFile } from './connection.ts';

const runWork = (db: DatabaseSync, work: MigrationWork): void => {
  const prepared = new Map<string, StatementSync>();
  for (let step = work.next(); !step.done; ) {
    const { text, values = [] } = step.value;
    const statement = prepared.get(text) ?? db.prepare(text);
    prepared.set(text, statement);
    step = work.next(statement.all(...values) as MigratedRow[]);
  }
};

const EXISTS = "select 1 from sqlite_schema where type = 'table' and name = ?";

/** Runs all missing migrations up to a version under one write lock, so that a second process waits. Only a move accepts the
 *  target of an unfinished move. */
export const migrateConnection = (
  db: DatabaseSync,
  { forMove = false, version = migrations.length } = {},
): void => {
  db.exec('begin immediate');
  if (!forMove && db.prepare(EXISTS).get(MOVE_TABLE)) throw unfinishedMoveError();
  db.exec('create table if not exists migrations (number int primary key, name text not null) strict');
  const applied = Number(db.prepare('select count(*) as count from migrations').get()?.count);
  const record = db.prepare('insert into migrations (number, name) values (?, ?)');
  for (const migration of pendingAfter(applied).slice(0, version - applied)) {
    for (const statement of migration.statements('sqlite')) db.exec(statement);
    if (migration.work) runWork(db, migration.work('sqlite'));
    record.run(migrations.indexOf(migration) + 1, migration.name);
  }
  db.exec('commit');
};

/** `probe` writes a page, which fails on a full disk. */
export const migrateSqlite = (path: string, { probe = false } = {}): void => {
  const db = openFile(path);
  try {
    db.exec('pragma busy_timeout = 60000');
    migrateConnection(db);
    if (probe) db.exec('pragma user_version = 0');
  } finally {
    db.close();
  }
};
