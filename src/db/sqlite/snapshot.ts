import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Snapshot } from '../check.ts';
import { DatabaseSetupError, MOVE_TABLE, unfinishedMoveError } from '../database.ts';
import { sqliteChecks } from './checks.ts';
import { BUSY_MS, UNTRUSTED } from './connection.ts';

/** Plain JavaScript, so that every form of the program can start it without a file. */
const SCRIPT = `
const { parentPort, workerData } = require('node:worker_threads');
const { DatabaseSync } = require('node:sqlite');
let db;
const failure = ({ message, errcode }) => ({ message, errcode });
parentPort.on('message', (sql) => {
  try {
    if (!db) {
      db = new DatabaseSync(workerData.path, { readOnly: true, timeout: workerData.timeout });
      db.exec(workerData.begin);
    }
    parentPort.postMessage({ rows: db.prepare(sql).all() });
  } catch (error) {
    parentPort.postMessage({ error: failure(error) });
  }
});`;

type Answer = { readonly rows: unknown[] } | { readonly error: { message: string; errcode?: number } };

/** A read-only connection on a thread of its own, which runs `begin` before its first statement. Checking a large file takes minutes,
 *  during which the process must be able to react to signals. */
export const openSnapshotThread = (path: string, begin: string) => {
  const workerData = { path, timeout: BUSY_MS, begin: `${UNTRUSTED}; ${begin}` };
  const worker = new Worker(SCRIPT, { eval: true, workerData });
  return {
    /** Callers wait for a statement before they send the next one. */
    all: async <R>(sql: string): Promise<R[]> => {
      worker.postMessage(sql);
      const [answer] = (await once(worker, 'message')) as [Answer];
      if ('rows' in answer) return answer.rows as R[];
      throw Object.assign(new Error(answer.error.message), answer.error);
    },
    /** Also after an error that has ended the thread. */
    close: async (): Promise<void> => void (await worker.terminate()),
  };
};

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

type SnapshotThread = ReturnType<typeof openSnapshotThread>;

/** The first read fixes the snapshot. Returns the schema version. */
const begin = async ({ all }: SnapshotThread, path: string, forMove: boolean): Promise<number> => {
  const tables = (await all<{ name: string }>(TABLES)).map(({ name }) => name);
  if (!forMove && tables.includes(MOVE_TABLE)) throw unfinishedMoveError();
  if (!tables.includes('migrations')) throw new DatabaseSetupError(`${path} is not a Roster database.`);
  const [applied] = await all<{ count: number }>('select count(*) as count from migrations');
  return Number(applied?.count);
};

/** A read transaction. In write-ahead mode it neither waits for a writer nor blocks one. */
export const openSqliteSnapshot = async (path: string, forMove: boolean): Promise<Snapshot> => {
  if (!existsSync(path)) throw new DatabaseSetupError(`There is no database at ${path}.`);
  const thread = openSnapshotThread(path, `${forMove ? LITTLE_MEMORY : MUCH_MEMORY}; begin`);
  try {
    return {
      schema: await begin(thread, path, forMove),
      checks: sqliteChecks,
      eachText: (json) => `json_each(${json}) as each`,
      eachKey: (json) => `json_each(${json}) as each`,
      ...thread,
    };
  } catch (error) {
    await thread.close();
    throw explain(path, error);
  }
};
