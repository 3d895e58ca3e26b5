import { setTimeout as pause } from 'node:timers/promises';
import { backoff } from '../../lib/concurrency.ts';
import { TransactionConflict, unavailable } from '../../lib/errors.ts';
import { asUnavailable, codeOf, isStaleStatement } from './errors.ts';

/** Conflicts with another transaction: a serialization failure, a deadlock, or a unique value taken or a record deleted
 *  between a read and a write. A retry succeeds, or gets the right error. */
const RETRYABLE = new Set(['40001', '40P01', '23505', '23503']);
/** The pauses before them take 0.3 s on average, long enough for other transactions on a busy machine. */
const MAX_ATTEMPTS = 7;
const FIRST_PAUSE_MS = 3;

/** Runs a transaction again after a conflict. */
export const retryConflicts = async <T>(transact: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transact();
    } catch (error) {
      const isConflict = error instanceof TransactionConflict;
      if (!isConflict && !RETRYABLE.has(codeOf(error)) && !isStaleStatement(error))
        throw asUnavailable(error);
      if (attempt === MAX_ATTEMPTS) throw isConflict ? error : Object.assign(unavailable(), { cause: error });
      await pause(backoff(FIRST_PAUSE_MS, attempt));
    }
  }
};
