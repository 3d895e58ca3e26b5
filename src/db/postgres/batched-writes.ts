import type { Pool } from 'pg';
import { ApiError } from '../../lib/errors.ts';
import type { Operation, Storage } from '../storage.ts';
import { asUnavailable, isKnownUndone } from './errors.ts';
import { inTransaction } from './transaction.ts';

/** So many transactions are under way at once. */
const AT_ONCE = 2;
/** So many changes share one at most. */
const MOST = 32;

/** Nobody waits longer for what only one of them needs and somebody else holds. */
const BEGIN = 'begin; set local lock_timeout = 100';

interface Waiting {
  readonly operation: Operation;
  readonly who: unknown;
  readonly input: unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Changes of several requests in one transaction: what they ask travels together, what is kept beside the records is
 *  written once for all of them, and so is the log. It is all or nothing, so that no change can harm another: where one
 *  refuses or fails, nothing of any is kept, and it is run again by itself. Whoever comes while one is under way is gathered for
 *  the next, which begins beside it when as many wait as share it: begun sooner, each would take fewer and cost as much. */
export class Together {
  readonly #pool: Pool;
  readonly #alone: Storage['write'];
  readonly #waiting: Waiting[] = [];
  #running = 0;
  /** How many share the last one. */
  #size = 0;

  constructor(pool: Pool, alone: Storage['write']) {
    this.#pool = pool;
    this.#alone = alone;
  }

  write<W, I, O>(operation: Operation<W, I, O>, who: W, input: I): Promise<O> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ operation, who, input, resolve: resolve as Waiting['resolve'], reject });
      this.#begin();
    });
  }

  #begin(): void {
    while (this.#running < AT_ONCE && this.#waiting.length >= (this.#running === 0 ? 1 : this.#size)) {
      const some = this.#waiting.splice(0, MOST);
      this.#running++;
      this.#size = some.length;
      this.#run(some).then(() => {
        this.#running--;
        this.#begin();
      });
    }
  }

  async #run(some: readonly Waiting[]): Promise<void> {
    if (some.length === 0) return;
    let outcomes: PromiseSettledResult<unknown>[] = [];
    try {
      await inTransaction(
        this.#pool,
        async (db) => {
          // All of them end before the transaction does.
          outcomes = await Promise.allSettled(
            some.map(async ({ operation, who, input }) => operation(db, who, input)),
          );
          const failed = outcomes.find(({ status }) => status === 'rejected');
          if (failed) throw (failed as PromiseRejectedResult).reason;
        },
        BEGIN,
      );
    } catch (error) {
      // One by itself has seen nobody else.
      if (some.length === 1 && error instanceof ApiError) return some[0]?.reject(error);
      const isCommitted = outcomes.length > 0 && outcomes.every(({ status }) => status === 'fulfilled');
      if (isKnownUndone(error, isCommitted)) return this.#runApart(some, outcomes);
      // Nobody knows whether it was kept.
      for (const { reject } of some) reject(asUnavailable(error));
      return;
    }
    some.forEach(({ resolve }, at) => {
      resolve((outcomes[at] as PromiseFulfilledResult<unknown>).value);
    });
  }

  /** Nothing was kept. Those that refused may have seen what others were about to do, and look again by themselves,
   *  when the others are through. After any other failure nobody knows whose it was. */
  async #runApart(
    some: readonly Waiting[],
    outcomes: readonly PromiseSettledResult<unknown>[],
  ): Promise<void> {
    const hasRefused = (_: unknown, at: number) => {
      const outcome = outcomes[at];
      return outcome?.status === 'rejected' && outcome.reason instanceof ApiError;
    };
    const refused = some.filter(hasRefused);
    if (refused.length > 0) await this.#run(some.filter((each) => !refused.includes(each)));
    this.#runAlone(refused.length > 0 ? refused : some);
  }

  /** Nobody waits for these: they may have to wait for somebody else. */
  #runAlone(some: readonly Waiting[]): void {
    for (const { operation, who, input, resolve, reject } of some) {
      this.#alone(operation, who, input).then(resolve, reject);
    }
  }
}
