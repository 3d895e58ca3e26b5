import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Call, type Operation, type Outcome, workspaceOf } from '../operation.ts';
import { BUSY_MS, SqliteDb } from './connection.ts';
import { asUnavailable, isBusy, isRequestError } from './errors.ts';

export interface Request extends Call<unknown, unknown> {
  readonly operation: Operation;
}

const POLL_MS = 1;
const SHORT_WAIT_MS = 100;
const sleepCell = new Int32Array(new SharedArrayBuffer(4));

/** Prepared once, because parsing them would cost each request some microseconds. */
const STATEMENTS = {
  begin: 'begin immediate',
  commit: 'commit',
  rollback: 'rollback',
  savepoint: 'savepoint request',
  release: 'release request',
  rollbackTo: 'rollback to request',
} as const;

/** Divides requests into sequences with the same operation and workspace. */
const sequencesOf = (requests: readonly Request[]): Request[][] => {
  const sequences: Request[][] = [];
  for (const request of requests) {
    const last = sequences.at(-1);
    const [first] = last ?? [];
    const isNext = first?.operation === request.operation && workspaceOf(first) === workspaceOf(request);
    if (last && isNext) last.push(request);
    else sequences.push([request]);
  }
  return sequences;
};

/** The transaction is rolled back, and each request runs in its own savepoint. */
class SavepointsNeeded extends Error {}

/** The only writer. Requests that arrive together share a commit. Each has its own savepoint, so that a failed request
 *  changes nothing and does not affect the others. Those of an operation with a form for several requests run together without
 *  savepoints. Outcomes are reported after the commit is on disk. Derived tables are written once for all requests (see
 *  deferred-writes.ts). */
export class Writer {
  readonly #db: DatabaseSync;
  readonly #handle: SqliteDb;
  readonly #busyTimeout: number;
  readonly #onProgress: () => void;
  /** Requests that queued during a wait that timed out have already waited as long, so their own wait is short. */
  #lastWaitTimedOut = false;
  readonly #statements: Record<keyof typeof STATEMENTS, StatementSync>;

  /** Takes over the connection and turns off SQLite's own busy timeout. `onProgress` is called after each request, or all that ran together,
   *  and while the writer waits for a lock: a batch has no limit, and a long one does not hang. */
  constructor(db: DatabaseSync, { busyTimeout = BUSY_MS, onProgress = () => {} } = {}) {
    db.exec('pragma busy_timeout = 0');
    this.#db = db;
    this.#handle = new SqliteDb(db);
    this.#busyTimeout = busyTimeout;
    this.#onProgress = onProgress;
    const prepared = Object.entries(STATEMENTS).map(([name, sql]) => [name, db.prepare(sql)]);
    this.#statements = Object.fromEntries(prepared) as Record<keyof typeof STATEMENTS, StatementSync>;
  }

  async run(requests: readonly Request[], { grouped = true } = {}): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    const rollBackDeferred = this.#handle.deferred.savepoint();
    try {
      this.#begin();
      for (const sequence of grouped ? sequencesOf(requests) : [requests]) {
        const runMany = grouped ? sequence[0]?.operation.runMany : undefined;
        const known = runMany ? await this.#runGrouped(runMany, sequence) : [];
        for (const [at, request] of sequence.entries()) {
          outcomes.push(known[at] ?? (await this.#runOne(request)));
          this.#onProgress();
        }
      }
      this.#handle.deferred.end(this.#handle);
      this.#onProgress();
      this.#statements.commit.run();
      return outcomes;
    } catch (error) {
      rollBackDeferred();
      if (this.#db.isTransaction) this.#statements.rollback.run();
      if (error instanceof SavepointsNeeded) return this.run(requests, { grouped: false });
      return requests.map(() => ({ error: asUnavailable(error) }));
    }
  }

  /** Polls often while other processes write. SQLite's own busy handler sleeps longer each time, so a process that writes
   *  at short intervals would starve this one for seconds. */
  #begin() {
    const until = performance.now() + (this.#lastWaitTimedOut ? SHORT_WAIT_MS : this.#busyTimeout);
    this.#lastWaitTimedOut = true;
    while (!this.#tryBegin(performance.now() < until)) {
      this.#onProgress();
      Atomics.wait(sleepCell, 0, 0, POLL_MS);
    }
    this.#lastWaitTimedOut = false;
  }

  #tryBegin(mayWait: boolean): boolean {
    try {
      this.#statements.begin.run();
      return true;
    } catch (error) {
      if (mayWait && isBusy(error)) return false;
      throw error;
    }
  }

  async #runGrouped(
    runMany: NonNullable<Operation['runMany']>,
    requests: readonly Request[],
  ): Promise<(Outcome | undefined)[]> {
    try {
      return await runMany(this.#handle, requests);
    } catch (error) {
      throw this.#db.isTransaction && isRequestError(error) ? new SavepointsNeeded() : error;
    }
  }

  async #runOne({ operation, principal, input }: Request): Promise<Outcome> {
    const rollBackDeferred = this.#handle.deferred.savepoint();
    this.#statements.savepoint.run();
    try {
      const value = await operation(this.#handle, principal, input);
      this.#statements.release.run();
      return { value };
    } catch (error) {
      // A full or failing disk ends the whole transaction, so no request in it can succeed.
      if (!this.#db.isTransaction || !isRequestError(error)) throw error;
      rollBackDeferred();
      this.#statements.rollbackTo.run();
      this.#statements.release.run();
      return { error };
    }
  }
}
