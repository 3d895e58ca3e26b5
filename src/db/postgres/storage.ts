import { setTimeout as pause } from 'node:timers/promises';
import { Pool, type PoolConfig, type QueryConfig, types } from 'pg';
import { TransactionConflict, unavailable } from '../../lib/errors.ts';
import type { Operation, Storage } from '../storage.ts';
import { UnfitError } from '../unfit.ts';
import { Together } from './batched-writes.ts';
import { type Asked, PostgresDb } from './connection.ts';
import { asUnavailable, codeOf } from './errors.ts';
import { Shared } from './pipelined-connections.ts';
import { Lines } from './pool-sockets.ts';
import { sharedRates } from './rate-limits.ts';
import { inTransaction, LONG_MS, SHORT_MS } from './transaction.ts';

const OLDEST = 15;
const INT8 = 20;

export interface PostgresOptions {
  readonly url: string;
  readonly onFault: (error: Error) => void;
  /** What its connections run over, for whoever may have to cut them. */
  readonly lines?: Lines;
}

/** Opens the pool, and refuses a server that is too old to serve. */
export const openPool = async ({ url, onFault, lines = new Lines() }: PostgresOptions): Promise<Pool> => {
  const config: PoolConfig = {
    connectionString: url,
    stream: lines.open,
    application_name: 'roster',
    pipeline: true,
    max: 12,
    connectionTimeoutMillis: 4_000,
    statement_timeout: 15_000,
    lock_timeout: 4_000,
    idle_in_transaction_session_timeout: 15_000,
    // Whatever the server's default, an answered write is on its disk. To compile a plan takes longer than any of ours.
    options: '-c synchronous_commit=on -c default_transaction_isolation=read\\ committed -c jit=off',
    types: {
      getTypeParser: ((oid: number, format: 'text') =>
        oid === INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  };
  const pool = new Pool(config);
  pool.on('error', onFault); // an idle connection that broke; the pool opens another
  // One that breaks in use tells whoever uses it. It may break before they listen, and once more after they have left.
  pool.on('connect', (client) => client.on('error', () => {}));
  const { rows } = await pool.query('show server_version_num');
  const version = Math.floor(Number(rows[0]?.server_version_num) / 10_000);
  if (version < OLDEST) {
    await pool.end();
    throw new UnfitError(
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

interface Background {
  beforeEnd?(): void;
  afterEnd?(): void;
}

/** `background` is what else uses the pool: it is told when the pool is about to end, and when it has. */
export const openPostgres = (pool: Pool, background: Background = {}): Storage => {
  const writeAlone = async <W, I, O>(operation: Operation<W, I, O>, who: W, input: I): Promise<O> => {
    for (let tries = 1; ; tries++) {
      try {
        return await inTransaction(pool, (db) => operation(db, who, input));
      } catch (error) {
        const isConflict = error instanceof TransactionConflict;
        if (!isConflict && !PASSING.has(codeOf(error))) throw asUnavailable(error);
        if (tries === TRIES) throw isConflict ? error : Object.assign(unavailable(), { cause: error });
        await pause(Math.random() * 5 * 2 ** tries);
      }
    }
  };
  const together = new Together(pool, writeAlone);
  const shared = new Shared(pool);
  const reading = (source: Asked, patienceMs: number): Storage['scan'] => {
    const db = new PostgresDb(source, { patienceMs });
    const unprepared = new PostgresDb(pool, { patienceMs, prepare: false });
    const retried: Storage['scan'] = async (operation, who, input) => {
      try {
        return await operation(unprepared, who, input);
      } catch (error) {
        throw asUnavailable(error);
      }
    };
    return async (operation, who, input) => {
      try {
        return await operation(db, who, input);
      } catch (error) {
        if (codeOf(error) !== STALE_STATEMENT) throw asUnavailable(error);
        if (source === shared) await shared.renew();
        return await retried(operation, who, input);
      }
    };
  };
  const read = reading(shared, SHORT_MS);
  const scan = fewAtOnce(reading(pool, LONG_MS));
  return {
    read,
    scan,
    recall: (operation, who, input, { grows }) => (grows ? scan : read)(operation, who, input),
    write: (operation, who, input) =>
      operation.mayShare ? together.write(operation, who, input) : writeAlone(operation, who, input),
    rates: sharedRates(pool),
    ping: async () => {
      await pool.query({ text: 'select 1', query_timeout: SHORT_MS } as QueryConfig);
    },
    close: async () => {
      background.beforeEnd?.();
      await shared.renew();
      await pool.end();
      background.afterEnd?.();
    },
  };
};

/** So many searches are under way at once; the other connections are for writes. */
const MOST_SCANS = 6;

const fewAtOnce = (scan: Storage['scan']): Storage['scan'] => {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (operation, who, input) => {
    if (running >= MOST_SCANS) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await scan(operation, who, input);
    } finally {
      // Whoever waits takes over the place.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
};
