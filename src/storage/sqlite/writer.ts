import type { DatabaseSync } from 'node:sqlite';
import type { Operation } from '../storage.ts';
import { SqliteDb } from './connection.ts';
import { asUnavailable, isOfTheRequest } from './faults.ts';

export interface Request {
  readonly operation: Operation;
  readonly who: unknown;
  readonly input: unknown;
}

export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** The one writer. Requests that arrive together share a commit, each within a savepoint of its own, so that one
 *  that fails leaves nothing behind and takes nobody with it; no outcome is known before the commit is on disk. */
export class Writer {
  readonly #db: DatabaseSync;
  readonly #handle: SqliteDb;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#handle = new SqliteDb(db);
  }

  async run(requests: readonly Request[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    try {
      this.#db.exec('begin immediate');
      for (const request of requests) outcomes.push(await this.#runOne(request));
      this.#db.exec('commit');
      return outcomes;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('rollback');
      return requests.map(() => ({ error: asUnavailable(error) }));
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
