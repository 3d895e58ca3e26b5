import { existsSync } from 'node:fs';
import type { Snapshot } from '../check.ts';
import { DatabaseSetupError } from '../database.ts';
import { MOVE_TABLE, unfinishedMoveError } from '../unfinished-move.ts';
import { sqliteChecks } from './checks.ts';
import { SnapshotThread } from './snapshot-thread.ts';

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

const MUCH_MEMORY = 'pragma temp_store = memory; pragma cache_size = -64000';
/** A move may run on a small machine next to the server that it fills. The limit makes SQLite release pages of its caches: with
 *  a million contacts, the checks need 70 MB less and take the same time. */
const LITTLE_MEMORY =
  'pragma temp_store = file; pragma cache_size = -4000; pragma soft_heap_limit = 32000000';

const TABLES = `select name from sqlite_schema where name in ('migrations', '${MOVE_TABLE}')`;

/** The first read fixes the snapshot. Returns the schema version. */
const begin = async (thread: SnapshotThread, path: string, forMove: boolean): Promise<number> => {
  const tables = (await thread.all<{ name: string }>(TABLES)).map(({ name }) => name);
  if (!forMove && tables.includes(MOVE_TABLE)) throw unfinishedMoveError();
  if (!tables.includes('migrations')) throw new DatabaseSetupError(`${path} is not a Roster database.`);
  const [applied] = await thread.all<{ count: number }>('select count(*) as count from migrations');
  return Number(applied?.count);
};

/** A read transaction. In write-ahead mode it neither waits for a writer nor blocks one. */
export const openSqliteSnapshot = async (path: string, forMove: boolean): Promise<Snapshot> => {
  if (!existsSync(path)) throw new DatabaseSetupError(`There is no database at ${path}.`);
  const thread = new SnapshotThread(path, `${forMove ? LITTLE_MEMORY : MUCH_MEMORY}; begin`);
  try {
    return {
      schema: await begin(thread, path, forMove),
      checks: sqliteChecks,
      eachText: (json) => `json_each(${json}) as each`,
      eachKey: (json) => `json_each(${json}) as each`,
      all: (sql) => thread.all(sql),
      close: () => thread.close(),
    };
  } catch (error) {
    await thread.close();
    throw explain(path, error);
  }
};
