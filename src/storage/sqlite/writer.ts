import type { DatabaseSync } from 'node:sqlite';
import type { Operation } from '../storage.ts';
import { BUSY_MS, SqliteDb } from './connection.ts';
import { asUnavailable, isBusy, isOfTheRequest } from './faults.ts';

export interface Request {
  readonly operation: Operation;
  readonly who: unknown;
  readonly input: unknown;
}

export type Outcome = { readonly value: unknown } | { readonly error: unknown };

const LOOK_EVERY_MS = 1;
const MOMENT_MS = 100;
const nothing = new Int32Array(new SharedArrayBuffer(4));

/** The one writer. Requests that arrive together share a commit, each within a savepoint of its own, so that one
 *  that fails leaves nothing behind and takes nobody with it; no outcome is known before the commit is on disk. */
export class Writer {
  readonly #db: DatabaseSync;
  readonly #handle: SqliteDb;
  readonly #patience: number;
  /** Whether the last wait for others was in vain. Then those who queued behind it have waited as well. */
  #waitedInVain = false;

  constructor(db: DatabaseSync, patience = BUSY_MS) {
    this.#db = db;
    this.#handle = new SqliteDb(db);
    this.#patience = patience;
  }

  async run(requests: readonly Request[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    try {
      this.#begin();
      for (const request of requests) outcomes.push(await this.#runOne(request));
      this.#db.exec('commit');
      return outcomes;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('rollback');
      return requests.map(() => ({ error: asUnavailable(error) }));
    }
  }

  /** Waits for other processes that write, looking often: SQLite's own wait sleeps ever longer, and whoever writes in
   *  short intervals would keep us out for seconds. */
  #begin() {
    const until = performance.now() + (this.#waitedInVain ? MOMENT_MS : this.#patience);
    this.#db.exec('pragma busy_timeout = 0');
    this.#waitedInVain = true;
    try {
      while (!this.#hasBegun(performance.now() < until)) Atomics.wait(nothing, 0, 0, LOOK_EVERY_MS);
      this.#waitedInVain = false;
    } finally {
      this.#db.exec(`pragma busy_timeout = ${BUSY_MS}`);
    }
  }

  #hasBegun(mayWait: boolean): boolean {
    try {
      this.#db.exec('begin immediate');
      return true;
    } catch (error) {
      if (mayWait && isBusy(error)) return false;
      throw error;
    }
  }

  async #runOne({ operation, who, input }: Request): Promise<Outcome> {
    this.#db.exec('savepoint one');
    try {
      const value = await operation(this.#handle, who, input);
      this.#db.exec('release one');
      return { value };
    } catch (error) {
      // A full disk or a failing one ends the whole transaction; then nobody's work can be kept.
      if (!this.#db.isTransaction || !isOfTheRequest(error)) throw error;
      this.#db.exec('rollback to one; release one');
      return { error };
    }
  }
}
