import { type Call, type Operation, type Outcome, type RunAsync, workspaceOf } from '../operation.ts';
import type { PostgresDb } from './connection.ts';
import { asUnavailable, isKnownRolledBack } from './errors.ts';

const MAX_TRANSACTIONS = 2;
const MAX_BATCH = 32;

/** A batch does not wait long for a lock that only one of its operations needs. */
export const BEGIN_BATCH = 'begin; set local lock_timeout = 100';

interface Waiting extends Call<unknown, unknown> {
  readonly operation: Operation;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs work in a transaction. */
type Transact = (work: (db: PostgresDb) => Promise<void>) => Promise<void>;

/** Requests that one call of an operation runs. Two batches run them in the same order. Each operation locks its records in one order,
 *  but two of different operations can wait for each other, until the lock time-out lets all run alone. */
const groupsOf = (batch: readonly Waiting[]): Waiting[][] =>
  [...Map.groupBy(batch, (each) => `${workspaceOf(each)} ${each.operation.operationName}`)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, group]) => group);

/** Runs operations of several requests in one transaction, so that they share round trips, the writes of derived tables and
 *  the flush of the log. If it fails, the batch is rolled back and each operation runs again alone.
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
      this.#waiting.push({ operation, principal, input, resolve: resolve as Waiting['resolve'], reject });
      this.#startBatches();
    });
  }

  #startBatches(): void {
    while (
      this.#running < MAX_TRANSACTIONS &&
      this.#waiting.length >= (this.#running === 0 ? 1 : this.#lastSize)
    ) {
      const batch = this.#waiting.splice(0, MAX_BATCH);
      this.#running++;
      this.#lastSize = batch.length;
      this.#run(batch).then(() => {
        this.#running--;
        this.#startBatches();
      });
    }
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    let outcomes: Map<Waiting, Outcome | undefined> | undefined;
    try {
      await this.#transact(async (db) => {
        outcomes = await runTogether(db, batch);
      });
    } catch (error) {
      if (isKnownRolledBack(error, outcomes !== undefined)) return this.#runAlone(batch);
      // It is unknown whether the commit succeeded.
      for (const { reject } of batch) reject(asUnavailable(error));
      return;
    }
    for (const each of batch) {
      const outcome = outcomes?.get(each);
      if (!outcome) this.#runAlone([each]);
      else if ('error' in outcome) each.reject(outcome.error);
      else each.resolve(outcome.value);
    }
  }

  /** The next batch does not wait for these, because they may wait for a lock. */
  #runAlone(some: readonly Waiting[]): void {
    for (const { operation, principal, input, resolve, reject } of some) {
      this.#writeAlone(operation, principal, input).then(resolve, reject);
    }
  }
}

const runTogether = async (
  db: PostgresDb,
  batch: readonly Waiting[],
): Promise<Map<Waiting, Outcome | undefined>> => {
  const groups = groupsOf(batch);
  // All operations settle before the transaction ends.
  const runs = await Promise.allSettled(
    groups.map(async (group) => group[0]?.operation.runMany?.(db, group)),
  );
  return new Map(
    groups.flatMap((group, at) => {
      const run = runs[at] as PromiseSettledResult<(Outcome | undefined)[]>;
      if (run.status === 'rejected') throw run.reason;
      return group.map((each, place) => [each, run.value[place]] as const);
    }),
  );
};
