import { ApiError, TransactionConflict } from '../../lib/errors.ts';
import { type Call, type Operation, OwnTransactionNeeded, type RunAsync } from '../operation.ts';
import type { PostgresDb } from './connection.ts';
import { asUnavailable, isKnownRolledBack } from './errors.ts';

const MAX_TRANSACTIONS = 2;
const MAX_BATCH = 32;

/** A batch does not wait long for a lock that only one of its operations needs. */
export const BEGIN_BATCH = 'begin; set local lock_timeout = 100';

interface Waiting extends Call<unknown, unknown> {
  readonly operation: Operation;
  readonly key: string;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs work in a transaction. */
type Transact = (work: (db: PostgresDb) => Promise<void>) => Promise<void>;

/** Two batches that lock the same records lock them in the same order. */
const byKey = (one: Waiting, other: Waiting): number => (one.key < other.key ? -1 : 1);

/** Whether an operation changed nothing and has to run alone, after the batch is committed. */
const isPostponed = (outcome: PromiseSettledResult<unknown>): boolean =>
  outcome.status === 'rejected' && outcome.reason instanceof OwnTransactionNeeded;

/** Runs operations of several requests in one transaction, so that they share round trips, the writes of derived tables and
 *  the flush of the log. If one operation rejects or fails, the batch is rolled back and that operation runs again alone.
 *  Operations that arrive while a batch runs wait for the next one. A second batch starts concurrently only when it is as
 *  large as the first: smaller batches would cost as much each. */
export class BatchedWrites {
  readonly #transact: Transact;
  readonly #writeAlone: RunAsync;
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #lastSize = 0;

  constructor(transact: Transact, writeAlone: RunAsync) {
    this.#transact = transact;
    this.#writeAlone = writeAlone;
  }

  /** The number of operations that wait for a batch. */
  get waiting(): number {
    return this.#waiting.length;
  }

  write<P, I, O>(operation: Operation<P, I, O>, principal: P, input: I): Promise<O> {
    return new Promise((resolve, reject) => {
      const { workspace } = principal as { workspace: number };
      const key = `${workspace} ${operation.batchKey?.(input)}`;
      const settle = { resolve: resolve as Waiting['resolve'], reject };
      this.#waiting.push({ operation, principal, input, key, ...settle });
      this.#startBatches();
    });
  }

  #startBatches(): void {
    while (
      this.#running < MAX_TRANSACTIONS &&
      this.#waiting.length >= (this.#running === 0 ? 1 : this.#lastSize)
    ) {
      const batch = this.#waiting.splice(0, MAX_BATCH).sort(byKey);
      this.#running++;
      this.#lastSize = batch.length;
      this.#run(batch).then(() => {
        this.#running--;
        this.#startBatches();
      });
    }
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    if (batch.length === 0) return;
    let outcomes: PromiseSettledResult<unknown>[] = [];
    try {
      await this.#transact(async (db) => {
        db.sharesTransaction = true;
        // All operations settle before the transaction ends.
        outcomes = await Promise.allSettled(
          db.startTogether(() =>
            batch.map(async ({ operation, principal, input }) => operation(db, principal, input)),
          ),
        );
        const failed = outcomes.find((each) => each.status === 'rejected' && !isPostponed(each));
        if (failed) throw (failed as PromiseRejectedResult).reason;
      });
    } catch (error) {
      // A single operation has not seen uncommitted changes of others, so its rejection is final. A conflict is retried.
      const isFinal = error instanceof ApiError && !(error instanceof TransactionConflict);
      if (batch.length === 1 && isFinal) return batch[0]?.reject(error);
      const isCommitSent =
        outcomes.length > 0 && outcomes.every((each) => each.status === 'fulfilled' || isPostponed(each));
      if (isKnownRolledBack(error, isCommitSent)) return this.#runSeparately(batch, outcomes);
      // It is unknown whether the commit succeeded.
      for (const { reject } of batch) reject(asUnavailable(error));
      return;
    }
    batch.forEach((each, at) => {
      const outcome = outcomes[at] as PromiseSettledResult<unknown>;
      if (outcome.status === 'fulfilled') each.resolve(outcome.value);
      else this.#runAlone([each]);
    });
  }

  /** Called after a rollback. Operations that rejected may have seen uncommitted changes of others: they run again alone,
   *  after the others. After any other failure it is unknown which operation caused it, so each runs alone. */
  async #runSeparately(
    batch: readonly Waiting[],
    outcomes: readonly PromiseSettledResult<unknown>[],
  ): Promise<void> {
    const isRejection = (_: unknown, at: number) => {
      const outcome = outcomes[at];
      return outcome?.status === 'rejected' && outcome.reason instanceof ApiError;
    };
    const rejected = batch.filter(isRejection);
    if (rejected.length > 0) await this.#run(batch.filter((each) => !rejected.includes(each)));
    this.#runAlone(rejected.length > 0 ? rejected : batch);
  }

  /** The next batch does not wait for these, because they may wait for a lock. */
  #runAlone(some: readonly Waiting[]): void {
    for (const { operation, principal, input, resolve, reject } of some) {
      this.#writeAlone(operation, principal, input).then(resolve, reject);
    }
  }
}
