import { setTimeout as pause } from 'node:timers/promises';
import { Pool, type PoolConfig, type QueryConfig, types } from 'pg';
import { TransactionConflict, unavailable } from '../../lib/errors.ts';
import { gauge, type Metric } from '../../lib/metric.ts';
import { DatabaseSetupError } from '../database.ts';
import { type Kind, kindOf, type Operation } from '../operation.ts';
import type { Storage } from '../storage.ts';
import { BatchedWrites } from './batched-writes.ts';
import { PostgresDb, type Queryable } from './connection.ts';
import { asUnavailable, codeOf } from './errors.ts';
import { PipelinedConnections } from './pipelined-connections.ts';
import { PoolSockets } from './pool-sockets.ts';
import { sharedRates } from './rate-limits.ts';
import { inTransaction, LONG_MS, SHORT_MS } from './transaction.ts';

const MIN_VERSION = 15;
const INT8 = 20;
/** Connections of one instance, without its health check. */
export const POOL_SIZE = 12;

export interface PostgresOptions {
  readonly url: string;
  readonly onFault: (error: Error) => void;
  readonly sockets?: PoolSockets;
}

/** Rejects a server that is too old. */
export const openPool = async ({
  url,
  onFault,
  sockets = new PoolSockets(),
}: PostgresOptions): Promise<Pool> => {
  const config: PoolConfig = {
    connectionString: url,
    stream: sockets.open,
    application_name: 'roster',
    pipeline: true,
    max: POOL_SIZE,
    connectionTimeoutMillis: 4_000,
    statement_timeout: 15_000,
    lock_timeout: 4_000,
    idle_in_transaction_session_timeout: 15_000,
    // Overrides the server's defaults. A write is acknowledged after its flush. JIT compilation takes longer than our queries.
    options: '-c synchronous_commit=on -c default_transaction_isolation=read\\ committed -c jit=off',
    types: {
      getTypeParser: ((oid: number, format: 'text') =>
        oid === INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  };
  const pool = new Pool(config);
  pool.on('error', onFault); // an idle connection broke; the pool opens another
  // A connection that breaks during a query fails that query. It can also break before or after a query.
  pool.on('connect', (client) => client.on('error', () => {}));
  const { rows } = await pool.query('show server_version_num');
  const version = Math.floor(Number(rows[0]?.server_version_num) / 10_000);
  if (version < MIN_VERSION) {
    await pool.end();
    throw new DatabaseSetupError(
      `Roster needs PostgreSQL ${MIN_VERSION} or newer; the server of DATABASE_URL has version ${version}.`,
    );
  }
  return pool;
};

/** A newer version of Roster has changed a table under statements that this connection has prepared. */
const STALE_STATEMENT = '0A000';
/** Conflicts with another transaction: a serialization failure, a deadlock, or a unique value taken or a record deleted
 *  between a read and a write. A retry succeeds, or gets the right error. */
const RETRYABLE = new Set(['40001', '40P01', '23505', '23503', STALE_STATEMENT]);
const MAX_ATTEMPTS = 5;

/** Stops background work before and after the pool ends. */
interface Background {
  beforeEnd?(): void;
  afterEnd?(): void;
}

type RunAsync = <P, I, O>(operation: Operation<P, I, O>, principal: P, input: I) => Promise<O>;

export const openPostgres = (pool: Pool, background: Background = {}): Storage => {
  const writeAlone: RunAsync = async (operation, principal, input) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await inTransaction(pool, (db) => operation(db, principal, input));
      } catch (error) {
        const isConflict = error instanceof TransactionConflict;
        if (!isConflict && !RETRYABLE.has(codeOf(error))) throw asUnavailable(error);
        if (attempt === MAX_ATTEMPTS)
          throw isConflict ? error : Object.assign(unavailable(), { cause: error });
        await pause(Math.random() * 5 * 2 ** attempt);
      }
    }
  };
  const batched = new BatchedWrites(pool, writeAlone);
  const pipelined = new PipelinedConnections(pool);
  const readFrom = (source: Queryable, timeoutMs: number): RunAsync => {
    const db = new PostgresDb(source, { timeoutMs });
    const unprepared = new PostgresDb(pool, { timeoutMs, prepare: false });
    const readUnprepared: RunAsync = async (operation, principal, input) => {
      try {
        return await operation(unprepared, principal, input);
      } catch (error) {
        throw asUnavailable(error);
      }
    };
    return async (operation, principal, input) => {
      try {
        return await operation(db, principal, input);
      } catch (error) {
        if (codeOf(error) !== STALE_STATEMENT) throw asUnavailable(error);
        if (source === pipelined) await pipelined.renew();
        return await readUnprepared(operation, principal, input);
      }
    };
  };
  const longReads = limitConcurrency(readFrom(pool, LONG_MS));
  const run: Record<Kind, RunAsync> = {
    read: readFrom(pipelined, SHORT_MS),
    longRead: longReads.run,
    write: (operation, principal, input) =>
      operation.batchable
        ? batched.write(operation, principal, input)
        : writeAlone(operation, principal, input),
  };
  return {
    run: ((operation, principal, input) =>
      run[kindOf(operation, input)](operation, principal, input)) as Storage['run'],
    rates: sharedRates(pool),
    ping: async () => {
      await pool.query({ text: 'select 1', query_timeout: SHORT_MS } as QueryConfig);
    },
    metrics: () => poolMetrics(pool, { longReads: longReads.waiting(), batchedWrites: batched.waiting }),
    size: async () => {
      const query = { text: 'select pg_database_size(current_database()) as bytes', query_timeout: SHORT_MS };
      const { rows } = await pool.query(query as QueryConfig);
      return rows[0].bytes;
    },
    close: async () => {
      background.beforeEnd?.();
      await pipelined.renew();
      await pool.end();
      background.afterEnd?.();
    },
  };
};

/** Short reads always occupy two connections (see pipelined-connections.ts). */
const poolMetrics = (pool: Pool, waiting: { longReads: number; batchedWrites: number }): Metric[] => [
  gauge('roster_postgres_pool_connections', 'Connections of the pool by state.', [
    ['state="in_use"', pool.totalCount - pool.idleCount],
    ['state="idle"', pool.idleCount],
  ]),
  gauge('roster_postgres_pool_max_connections', 'Maximum size of the pool.', pool.options.max),
  gauge('roster_postgres_pool_waiting', 'Operations that wait for a connection, by kind.', [
    ['kind="any"', pool.waitingCount],
    ['kind="long_read"', waiting.longReads],
    ['kind="batched_write"', waiting.batchedWrites],
  ]),
];

/** The other connections of the pool are for writes. */
const MAX_LONG_READS = 6;

const limitConcurrency = (longRead: RunAsync): { run: RunAsync; waiting(): number } => {
  let running = 0;
  const waiting: (() => void)[] = [];
  const run: RunAsync = async (operation, principal, input) => {
    if (running >= MAX_LONG_READS) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await longRead(operation, principal, input);
    } finally {
      // The next one in the queue takes this slot.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
  return { run, waiting: () => waiting.length };
};
