import { setTimeout as pause } from 'node:timers/promises';
import { Pool, type PoolConfig, types } from 'pg';
import { ApiError, unavailable } from '../../kernel/errors.ts';
import type { Pending } from '../../kernel/pending.ts';
import type { Operation, Storage } from '../storage.ts';
import { inOneJourney, PostgresDb, withClient } from './connection.ts';

const OLDEST = 15;
const INT8 = 20;

export interface PostgresOptions {
  readonly url: string;
  readonly onFault: (error: Error) => void;
}

/** Opens the pool, and refuses a server that is too old to serve. */
export const openPool = async ({ url, onFault }: PostgresOptions): Promise<Pool> => {
  const config: PoolConfig = {
    connectionString: url,
    application_name: 'roster',
    pipeline: true,
    max: 10,
    connectionTimeoutMillis: 4_000,
    statement_timeout: 15_000,
    lock_timeout: 4_000,
    idle_in_transaction_session_timeout: 15_000,
    // Whatever the server's default, an answered write is on its disk.
    options: '-c synchronous_commit=on -c default_transaction_isolation=read\\ committed',
    types: {
      getTypeParser: ((oid: number, format: 'text') =>
        oid === INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  };
  const pool = new Pool(config);
  pool.on('error', onFault); // an idle connection that broke; the pool opens another
  const { rows } = await pool.query('show server_version_num');
  const version = Math.floor(Number(rows[0]?.server_version_num) / 10_000);
  if (version < OLDEST) {
    await pool.end();
    throw new Error(
      `Roster needs PostgreSQL ${OLDEST} or newer; DATABASE_URL names a server of version ${version}.`,
    );
  }
  return pool;
};

/** Conflicts with another transaction that a second try resolves, or at least sees: serialization failure, deadlock, a
 *  unique value taken between our look and our write, a record deleted between them. The last one: a newer version has changed a table under the
 *  statements that this connection has prepared. */
const STALE_STATEMENT = '0A000';
const PASSING = new Set(['40001', '40P01', '23505', '23503', STALE_STATEMENT]);
const TRIES = 5;

/** `beforeClose` ends what else uses the pool. */
export const openPostgres = (pool: Pool, beforeClose: () => void): Storage => {
  const db = new PostgresDb(pool);
  const unprepared = new PostgresDb(pool, { prepare: false });
  const write = async <W, I, O>(operation: Operation<W, I, O>, who: W, input: I): Promise<O> => {
    for (let tries = 1; ; tries++) {
      try {
        return await inTransaction(pool, (db) => operation(db, who, input));
      } catch (error) {
        if (!PASSING.has(codeOf(error))) throw asUnavailable(error);
        if (tries === TRIES) throw Object.assign(unavailable(), { cause: error });
        await pause(Math.random() * 5 * 2 ** tries);
      }
    }
  };
  const read = async <W, I, O>(operation: Operation<W, I, O>, who: W, input: I): Promise<O> => {
    try {
      return await operation(db, who, input);
    } catch (error) {
      if (codeOf(error) === STALE_STATEMENT) return operation(unprepared, who, input);
      throw asUnavailable(error);
    }
  };
  return {
    read,
    scan: read,
    write,
    ping: async () => {
      await pool.query('select 1');
    },
    close: () => {
      beforeClose();
      return pool.end();
    },
  };
};

const inTransaction = <O>(pool: Pool, work: (db: PostgresDb) => Pending<O>): Promise<O> =>
  withClient(pool, async (client) => {
    await client.query('begin');
    const db = new PostgresDb(client);
    const value = await work(db);
    // Behind a statement that fails, the server rolls back where it is told to commit.
    await inOneJourney(db.held.write(db), client.query('commit'));
    return value;
  });

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Connection failures (class 08, 57P), a database that is gone or closed to us (3D000, 28), too many connections (53)
 *  and the time-outs of statements and locks. */
const OUTAGE =
  /^(08|28|3D000|53|57P|57014|55P03|25P03|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ENOENT|ETIMEDOUT|EHOSTUNREACH)/;
const OUTAGE_WORDS = /connect|terminated|timeout exceeded|not queryable/i;

const asUnavailable = (error: unknown): unknown => {
  const code = codeOf(error);
  const outage =
    OUTAGE.test(code) || (code === '' && error instanceof Error && OUTAGE_WORDS.test(error.message));
  return outage && !(error instanceof ApiError) ? Object.assign(unavailable(), { cause: error }) : error;
};
