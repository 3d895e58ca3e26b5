import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
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

/** A read-only connection on a thread of its own. Checking a large file takes minutes, during which the process must be able to
 *  react to signals. */
export class SnapshotThread {
  readonly #worker: Worker;

  /** Runs `begin` before the first statement. */
  constructor(path: string, begin: string) {
    this.#worker = new Worker(SCRIPT, {
      eval: true,
      workerData: { path, timeout: BUSY_MS, begin: `${UNTRUSTED}; ${begin}` },
    });
  }

  /** Callers wait for a statement before they send the next one. */
  async all<R>(sql: string): Promise<R[]> {
    this.#worker.postMessage(sql);
    const [answer] = (await once(this.#worker, 'message')) as [Answer];
    if ('rows' in answer) return answer.rows as R[];
    throw Object.assign(new Error(answer.error.message), answer.error);
  }

  /** Also after an error that has ended the thread. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
