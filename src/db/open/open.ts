import { dirname } from 'node:path';
import type { WorkerScript } from '../../lib/executable.ts';
import type { StateLog } from '../../lib/log.ts';
import { startPeriodicTask } from '../../lib/periodic-task.ts';
import { RunCounters, type RunRecorder } from '../../lib/run-counters.ts';
import { ThreadHealth } from '../../lib/thread-health.ts';
import type { Database } from '../database.ts';
import { makeFolder } from '../make-folder.ts';
import type { Outage } from '../outage.ts';
import { startNodeHealth } from '../postgres/citus/node-health.ts';
import { ClusterNodes } from '../postgres/citus/nodes.ts';
import { compactCounters } from '../postgres/counter-compaction.ts';
import { probeLocks } from '../postgres/engine-probes.ts';
import { asUnavailable } from '../postgres/errors.ts';
import { startHealthCheck } from '../postgres/health-check.ts';
import { migratePostgres } from '../postgres/migrate.ts';
import { openPool } from '../postgres/pool.ts';
import { PoolSockets } from '../postgres/pool-sockets.ts';
import { Replica } from '../postgres/replica.ts';
import { Servers } from '../postgres/servers.ts';
import { openPostgres } from '../postgres/storage.ts';
import { analyzeGrownTables } from '../postgres/table-statistics.ts';
import { assertNotEmptied, assertWritable } from '../sqlite/file-state.ts';
import { migrateSqlite } from '../sqlite/migrate.ts';
import { openDirect, openThreaded } from '../sqlite/storage.ts';
import type { Storage } from '../storage.ts';
import { explainSetupErrors } from './setup-errors.ts';

const COMPACT_EVERY_MS = 60_000;
const ANALYZE_EVERY_MS = 2_000;

const NO_LOG = { info: () => {}, warn: () => {}, error: () => {} };
const NO_OUTAGE = { lost: () => {}, found: () => {} };

export interface OpenOptions {
  /** The script that runs operations on a thread. A command omits it, and has no threads; without `isFurther`, it also has no replica and no
   *  background work. */
  readonly thread?: WorkerScript;
  readonly onFault: (error: Error) => void;
  /** For changes of the servers that are in use. */
  readonly log?: StateLog;
  /** For outages that the health check finds. */
  readonly outage?: Pick<Outage, 'lost' | 'found'>;
  /** For threads that hang or end. */
  readonly health?: ThreadHealth;
  /** Counts the runs of the background work. */
  readonly tasks?: RunCounters;
  /** Whether this is an additional serving thread of a service that has opened a database of PostgreSQL. It has no work that an
   *  instance does once. */
  readonly isFurther?: boolean;
}

/** Opens the database. Creates and migrates it if necessary. */
export const openStorage = (database: Database, options: OpenOptions): Promise<Storage> =>
  explainSetupErrors(database, () => open(database, options));

const open = async (
  database: Database,
  {
    thread,
    isFurther = false,
    onFault: onError,
    log = NO_LOG,
    outage = NO_OUTAGE,
    health = new ThreadHealth(NO_LOG, () => false),
    tasks = new RunCounters('task', 'task'),
  }: OpenOptions,
): Promise<Storage> => {
  if (database.engine === 'postgres') {
    const onFault = (error: unknown) => onError(asUnavailable(error) as Error);
    const sockets = new PoolSockets();
    const servers = new Servers(database.url);
    const pool = await openPool({ servers, onFault, sockets, size: database.poolSize });
    try {
      const nodes = (await migratePostgres(pool)) ? await ClusterNodes.load(pool) : undefined;
      if (thread) await probeLocks(pool);
      if (!thread && !isFurther) return openPostgres(pool, { nodes });
      const { replicaUrl: url } = database;
      const openReplica = (url: string) =>
        Replica.open({ url, primary: pool, onFault, log, task: tasks.register('replica_check') });
      const replica = url === undefined ? undefined : await openReplica(url);
      const storage = openPostgres(pool, { nodes, replica });
      const stopNodeHealth = nodes && startNodeHealth(nodes, servers, tasks.register('node_check'), onFault);
      const start = (name: string, work: (task: RunRecorder) => Promise<void>, everyMs: number) => {
        const task = tasks.register(name);
        return startPeriodicTask(() => work(task), everyMs, onFault);
      };
      const compact = () => compactCounters(pool, nodes && ((workspace) => nodes.nodeOf(workspace)));
      const background: ReturnType<typeof start>[] = [];
      if (!isFurther)
        background.push(start('counter_compaction', (task) => task.run(compact), COMPACT_EVERY_MS));
      // A cluster has many workspaces, and perhaps a node that does not answer.
      if (!nodes) await background[0]?.first;
      // Citus plans the statements of a shard for its current size.
      if (!isFurther && !nodes)
        background.push(start('analyze', (task) => analyzeGrownTables(pool, task), ANALYZE_EVERY_MS));
      const stopHealthCheck = startHealthCheck(servers, sockets, {
        task: tasks.register('health_check'),
        outage,
      });
      const close = async () => {
        for (const { stop } of background) stop();
        await storage.close();
        // After the pool has ended: a server that does not answer must not delay the stop.
        stopHealthCheck();
        stopNodeHealth?.();
      };
      return { ...storage, close };
    } catch (error) {
      await pool.end();
      throw error;
    }
  }
  makeFolder(dirname(database.path));
  assertNotEmptied(database.path);
  if (thread) assertWritable(database.path);
  migrateSqlite(database.path, { probe: thread !== undefined });
  return thread
    ? openThreaded({ path: database.path, thread, onFault: onError, health, tasks })
    : openDirect(database.path);
};
