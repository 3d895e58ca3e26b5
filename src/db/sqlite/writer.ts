import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Operation } from '../storage.ts';
import { BUSY_MS, SqliteDb } from './connection.ts';
import { asUnavailable, isBusy, isOfTheRequest } from './errors.ts';

export interface Request {
  readonly operation: Operation;
  readonly who: unknown;
  readonly input: unknown;
}

export type Outcome = { readonly value: unknown } | { readonly error: unknown };

const LOOK_EVERY_MS = 1;
const MOMENT_MS = 100;
const nothing = new Int32Array(new SharedArrayBuffer(4));

/** The words of a transaction, prepared once: reading them anew would cost each request some microseconds. */
const WORDS = {
  begin: 'begin immediate',
  commit: 'commit',
  rollback: 'rollback',
  mark: 'savepoint one',
  keep: 'release one',
  takeBack: 'rollback to one',
} as const;

/** The one writer. Requests that arrive together share a commit, each within a savepoint of its own, so that one
 *  that fails leaves nothing behind and takes nobody with it; no outcome is known before the commit is on disk. What is
 *  kept beside the records is written once for all of them (see held.ts). */
export class Writer {
  readonly #db: DatabaseSync;
  readonly #handle: SqliteDb;
  readonly #patience: number;
  /** Whether the last wait for others was in vain. Then those who queued behind it have waited as well. */
  #waitedInVain = false;
  readonly #say: Record<keyof typeof WORDS, StatementSync>;

  /** Takes the connection for itself: it no longer waits for other processes in SQLite's own way. */
  constructor(db: DatabaseSync, patience = BUSY_MS) {
    db.exec('pragma busy_timeout = 0');
    this.#db = db;
    this.#handle = new SqliteDb(db);
    this.#patience = patience;
    const words = Object.entries(WORDS).map(([name, sql]) => [name, db.prepare(sql)]);
    this.#say = Object.fromEntries(words) as Record<keyof typeof WORDS, StatementSync>;
  }

  async run(requests: readonly Request[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    const forget = this.#handle.held.mark();
    try {
      this.#begin();
      for (const request of requests) outcomes.push(await this.#runOne(request));
      this.#handle.held.write(this.#handle);
      this.#say.commit.run();
      return outcomes;
    } catch (error) {
      forget();
      if (this.#db.isTransaction) this.#say.rollback.run();
      return requests.map(() => ({ error: asUnavailable(error) }));
    }
  }

  /** Waits for other processes that write, looking often: SQLite's own wait sleeps ever longer, and whoever writes in
   *  short intervals would keep us out for seconds. */
  #begin() {
    const until = performance.now() + (this.#waitedInVain ? MOMENT_MS : this.#patience);
    this.#waitedInVain = true;
    while (!this.#hasBegun(performance.now() < until)) Atomics.wait(nothing, 0, 0, LOOK_EVERY_MS);
    this.#waitedInVain = false;
  }

  #hasBegun(mayWait: boolean): boolean {
    try {
      this.#say.begin.run();
      return true;
    } catch (error) {
      if (mayWait && isBusy(error)) return false;
      throw error;
    }
  }

  async #runOne({ operation, who, input }: Request): Promise<Outcome> {
    const forget = this.#handle.held.mark();
    this.#say.mark.run();
    try {
      const value = await operation(this.#handle, who, input);
      this.#say.keep.run();
      return { value };
    } catch (error) {
      // A full disk or a failing one ends the whole transaction; then nobody's work can be kept.
      if (!this.#db.isTransaction || !isOfTheRequest(error)) throw error;
      forget();
      this.#say.takeBack.run();
      this.#say.keep.run();
      return { error };
    }
  }
}
