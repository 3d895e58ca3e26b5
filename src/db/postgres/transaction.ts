import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient, QueryConfig } from 'pg';
import { backoff } from '../../lib/concurrency.ts';
import { TransactionConflict, unavailable } from '../../lib/errors.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import type { RunAsync } from '../operation.ts';
import type { Arguments } from '../statement.ts';
import { checkReplicated, inOnePacket, PostgresDb, withClient } from './connection.ts';
import { asUnavailable, codeOf, isStaleStatement } from './errors.ts';

/** Timeouts of short queries and of all others, for a single connection that died silently. The health check notices an
 *  unreachable server sooner. */
export const SHORT_MS = 4_500;
export const LONG_MS = 20_000;

interface TransactionOptions {
  readonly begin?: readonly string[];
  /** Called before each statement of the transaction. */
  readonly onStatement?: (client: PoolClient, sql: string, args: Arguments) => void;
}

/** Runs work in one transaction, which is rolled back after an error. */
export const inTransaction = <O>(
  pool: Pick<Pool, 'connect'>,
  work: (db: PostgresDb) => MaybePromise<O>,
  { begin = ['begin'], onStatement = () => {} }: TransactionOptions = {},
): Promise<O> =>
  withClient(pool, async (client) => {
    const clientFor = (sql: string, args: Arguments) => {
      onStatement(client, sql, args);
      return client;
    };
    const db = new PostgresDb(client, { timeoutMs: LONG_MS, clientFor });
    const [value] = await inOnePacket(client, () => {
      // `begin` costs nothing, so a connection that does not answer it is dead. The first statement is sent with it.
      const begun = begin.map((text) => client.query({ text, query_timeout: SHORT_MS } as QueryConfig));
      return Promise.all([work(db), ...begun]);
    });
    await inOnePacket(client, () => db.commit());
    checkReplicated(client);
    return value as O;
  });

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

interface ReadSources {
  readonly prepared: PostgresDb;
  readonly unprepared: PostgresDb;
  /** Replaces connections that are not returned to a pool. */
  readonly renew: () => Promise<void>;
}

/** Runs a read, again without prepared statements if a newer version of Roster has changed a table under one of them. */
export const readFrom =
  ({ prepared, unprepared, renew }: ReadSources): RunAsync =>
  async (operation, principal, input) => {
    try {
      try {
        return await operation(prepared, principal, input);
      } catch (error) {
        if (!isStaleStatement(error)) throw error;
        await renew();
        return await operation(unprepared, principal, input);
      }
    } catch (error) {
      throw asUnavailable(error);
    }
  };
