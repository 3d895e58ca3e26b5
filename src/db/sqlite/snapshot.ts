import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Snapshot } from '../check.ts';
import { DatabaseSetupError } from '../database.ts';
import { MOVE_TABLE, unfinishedMoveError } from '../unfinished-move.ts';
import { sqliteChecks } from './checks.ts';
import { BUSY_MS } from './connection.ts';

/** Why a file cannot be read, by SQLite's result code. */
const REASONS: Record<number, string> = {
  5: 'is locked by another process',
  11: 'is damaged: its tables cannot be listed',
  14: 'cannot be opened. Check that you may read it and write in its folder',
  26: 'is not a database',
};

const explain = (path: string, error: unknown): unknown => {
  const reason = REASONS[Object(error).errcode & 0xff];
  return reason ? new DatabaseSetupError(`${path} ${reason}.`) : error;
};

const open = (path: string): DatabaseSync => {
  if (!existsSync(path)) throw new DatabaseSetupError(`There is no database at ${path}.`);
  try {
    return new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
  } catch (error) {
    throw explain(path, error);
  }
};

const MUCH_MEMORY = 'pragma temp_store = memory; pragma cache_size = -64000';
/** A move may run on a small machine next to the server that it fills. The limit makes SQLite release pages of its caches: with
 *  a million contacts, the checks need 70 MB less and take the same time. */
const LITTLE_MEMORY =
  'pragma temp_store = file; pragma cache_size = -4000; pragma soft_heap_limit = 32000000';

/** The first read fixes the snapshot. Returns the schema version. */
const begin = (db: DatabaseSync, path: string, forMove: boolean): number => {
  try {
    db.exec(`${forMove ? LITTLE_MEMORY : MUCH_MEMORY}; begin`);
    const has = (table: string) => db.prepare('select 1 from sqlite_schema where name = ?').get(table);
    if (!forMove && has(MOVE_TABLE)) throw unfinishedMoveError();
    if (!has('migrations')) throw new DatabaseSetupError(`${path} is not a Roster database.`);
    return Number(db.prepare('select count(*) as count from migrations').get()?.count);
  } catch (error) {
    db.close();
    throw explain(path, error);
  }
};

/** A read transaction. In write-ahead mode it neither waits for a writer nor blocks one. */
export const openSqliteSnapshot = (path: string, forMove: boolean): Snapshot => {
  const db = open(path);
  return {
    schema: begin(db, path, forMove),
    checks: sqliteChecks,
    eachText: (json) => `json_each(${json}) as each`,
    all: async <R>(sql: string) => db.prepare(sql).all() as R[],
    close: async () => db.close(),
  };
};
