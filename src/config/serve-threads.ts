import { availableParallelism } from 'node:os';
import type { Database } from '../db/database.ts';
import { DEFAULT_POOL_SIZE, MIN_POOL_SIZE } from '../db/postgres/pool-size.ts';

export const MAX_THREADS = 64;

/** Systems on which several threads can listen on the same port. */
const PORT_SHARING: readonly NodeJS.Platform[] = ['linux', 'freebsd', 'sunos', 'aix'];

/** How many threads serve requests if it is not configured. They leave one core to the writer of SQLite, or to the rest of the
 *  service on PostgreSQL, where each needs connections. */
export const defaultThreads = (
  database: Database,
  { cores = availableParallelism(), platform = process.platform } = {},
): number => {
  if (!PORT_SHARING.includes(platform)) return 1;
  const threads = Math.min(MAX_THREADS, Math.max(1, cores - 1));
  if (database.engine === 'sqlite') return threads;
  return Math.min(threads, Math.floor((database.poolSize ?? DEFAULT_POOL_SIZE) / MIN_POOL_SIZE));
};
