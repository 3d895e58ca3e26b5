import type { Pool, QueryConfig } from 'pg';
import { Semaphore } from '../../lib/concurrency.ts';
import { unavailable } from '../../lib/errors.ts';
import { gauge, type Metric } from '../../lib/metric.ts';
import { type Kind, kindOf, type RunAsync } from '../operation.ts';
import type { Storage } from '../storage.ts';
import { BatchedWrites, BEGIN_BATCH } from './batched-writes.ts';
import type { ClusterNodes } from './citus/nodes.ts';
import { runOnNodes } from './citus/run-on-nodes.ts';
import { PostgresDb, type Queryable } from './connection.ts';
import { asUnavailable, readOnlyError } from './errors.ts';
import { PipelinedConnections } from './pipelined-connections.ts';
import { IS_READ_ONLY } from './pool.ts';
import { maxLongReads } from './pool-size.ts';
import { sharedQuotas } from './rate-limits.ts';
import type { Replica } from './replica.ts';
import { inTransaction, LONG_MS, readFrom, retryConflicts, SHORT_MS } from './transaction.ts';

/** A write is answered 503 after at most 20 seconds. */
const MAX_COMMIT_SECONDS = 10;

/** Commits of Roster that no synchronous standby confirms keep waiting on the server, also after their callers got 503. */
const WAITS_FOR_STANDBY = `exists (select from pg_stat_activity where wait_event = 'SyncRep' and datname = current_database()
  and application_name like 'roster%' and query_start < clock_timestamp() - interval '${MAX_COMMIT_SECONDS} seconds')`;

const WAITING = `Commits have waited ${MAX_COMMIT_SECONDS} seconds for a synchronous standby. Start a standby, or change synchronous_standby_names on the primary.`;

interface StorageParts {
  /** Those of a Citus cluster. */
  readonly nodes: ClusterNodes | undefined;
  /** Preferred for long reads. */
  readonly replica?: Replica | undefined;
}

export const openPostgres = (pool: Pool, { nodes, replica }: StorageParts): Storage => {
  const writeAlone: RunAsync = (operation, principal, input) =>
    retryConflicts(() => inTransaction(pool, (db) => operation(db, principal, input)));
  const batched = new BatchedWrites(
    (work) => inTransaction(pool, work, { begin: [BEGIN_BATCH] }),
    writeAlone,
  );
  const pipelined = new PipelinedConnections(pool);
  const readWith = (source: Queryable, timeoutMs: number): RunAsync =>
    readFrom({
      prepared: new PostgresDb(source, { timeoutMs }),
      unprepared: new PostgresDb(pool, { timeoutMs, prepare: false }),
      renew: async () => (source === pipelined ? pipelined.renew() : undefined),
    });
  const longReads = new Semaphore(maxLongReads(pool.options.max));
  const readLong = readWith(pool, LONG_MS);
  const longRead: RunAsync = (...call) => longReads.run(() => readLong(...call));
  const cluster = nodes && runOnNodes(nodes);
  const run: Record<Kind, RunAsync> = cluster?.run ?? {
    read: readWith(pipelined, SHORT_MS),
    longRead: replica?.prefer(longRead, pipelined) ?? longRead,
    write: (operation, principal, input) =>
      operation.runMany
        ? batched.write(operation, principal, input)
        : writeAlone(operation, principal, input),
  };
  const waiting = () => ({
    longReads: longReads.waiting + (replica?.waiting ?? 0),
    batchedWrites: batched.waiting,
  });
  return {
    run: ((operation, principal, input) =>
      run[kindOf(operation, input)](operation, principal, input)) as Storage['run'],
    consumeQuota: sharedQuotas(nodes ? (workspace) => nodes.nodeOf(workspace) : () => pool),
    ping: async () => {
      const text = `${IS_READ_ONLY}, ${WAITS_FOR_STANDBY} as waits`;
      const { rows } = await pool.query({ text, query_timeout: SHORT_MS } as QueryConfig);
      if (rows[0].waits) throw unavailable(WAITING);
      if (rows[0].read_only) throw readOnlyError();
    },
    probe: () => probeSpace(pool),
    metrics: () => [...poolMetrics(pool, cluster?.waiting() ?? waiting()), ...(replica?.metrics() ?? [])],
    size: async () => {
      const query = { text: 'select pg_database_size(current_database()) as bytes', query_timeout: SHORT_MS };
      const { rows } = await pool.query(query as QueryConfig);
      return rows[0].bytes;
    },
    close: async () => {
      await replica?.close();
      await (cluster ?? pipelined).renew();
      await pool.end();
    },
  };
};

/** Rows of 800 KB, so that the table needs new pages. */
const NEW_PAGES = `create temporary table roster_space_probe on commit drop
  as select repeat('x', 400) as filler from generate_series(1, 2000)`;

/** Any other error, such as a missing right to create temporary tables, says nothing about the space. */
const probeSpace = async (pool: Pool): Promise<void> => {
  const query = { text: NEW_PAGES, query_timeout: SHORT_MS } as QueryConfig;
  await pool.query(query).catch((error) => {
    if (asUnavailable(error) !== error) throw error;
  });
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
