import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, QueryConfig } from 'pg';
import { formatBytes } from '../../lib/diagnosis.ts';
import { DatabaseSetupError } from '../database.ts';
import { statementName } from '../statement.ts';
import type { Queryable } from './connection.ts';
import { codeOf } from './errors.ts';
import { openPool, type PoolOptions } from './pool.ts';
import { hostsOf, Servers } from './servers.ts';
import { SHORT_MS } from './transaction.ts';

export interface DatabaseIdentity {
  /** The identifier of the cluster and of the database in it. A physical copy has the same. */
  readonly id: string;
  readonly is_citus: boolean;
  /** The schema of the tables. */
  readonly schema: string;
}

const IDENTITY = `select (select system_identifier::text from pg_control_system()) || '/' ||
    (select oid::text from pg_database where datname = current_database()) as id,
  exists (select 1 from pg_extension where extname = 'citus') as is_citus,
  coalesce(current_schema(), 'public')::text as schema`;

/** Functions are missing (42883), or an administrator has restricted them (42501). */
const NOT_AVAILABLE = new Set(['42883', '42501']);

export const readIdentity = async (server: Queryable): Promise<DatabaseIdentity> => {
  try {
    return (await server.query({ text: IDENTITY, query_timeout: SHORT_MS } as QueryConfig)).rows[0];
  } catch (error) {
    if (!NOT_AVAILABLE.has(codeOf(error))) throw error;
    throw new DatabaseSetupError(
      'DATABASE_REPLICA_URL needs the functions pg_control_system and pg_control_checkpoint of PostgreSQL. Ask an administrator to run "grant execute on function pg_control_system(), pg_control_checkpoint() to" the role, or remove the variable.',
      { cause: error },
    );
  }
};

/** Opens a pool to a server of DATABASE_REPLICA_URL. Throws if its database is not a copy of the one of the primary. */
export const openReplica = async (
  url: string,
  primary: DatabaseIdentity,
  options: Pick<PoolOptions, 'sockets' | 'size'> = {},
): Promise<Pool> => {
  const pool = await openPool({
    servers: new Servers(url),
    allowStandby: true,
    onFault: () => {},
    ...options,
  });
  try {
    if ((await readIdentity(pool)).id === primary.id) return pool;
    throw new DatabaseSetupError(
      `DATABASE_REPLICA_URL leads to a database at ${hostsOf(url)} that is not a replica of the one in DATABASE_URL. Use a standby of the same server and the same database name.`,
    );
  } catch (error) {
    await pool.end();
    throw error;
  }
};

/** A position in the log of the primary, after every write that was acknowledged before it was read. */
interface LogPosition {
  readonly lsn: string;
  readonly timeline: number;
}

const named = (text: string) => ({ name: statementName(text), text });

/** A commit is acknowledged after its flush. The first eight digits of the name of a log file are its timeline. */
const POSITION = named(`select pg_current_wal_flush_lsn()::text as lsn,
  left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) as timeline`);

/** The timeout of short reads: after a shorter one, a pipelined connection would end with all reads on it. */
export const readLogPosition = async (primary: Queryable): Promise<LogPosition> => {
  const { rows } = await primary.query({ ...POSITION, query_timeout: SHORT_MS } as QueryConfig);
  return { lsn: rows[0].lsn, timeline: Number.parseInt(rows[0].timeline, 16) };
};

/** After a fail-over, positions of different timelines cannot be compared. The control file has the timeline of the last
 *  restart point. Roles that may read statistics also see the timeline that is being received. */
const REPLAYED = named(`select pg_is_in_recovery() as is_standby,
  coalesce((select received_tli from pg_stat_wal_receiver), (select timeline_id from pg_control_checkpoint())) = $2::int
    as is_same_timeline,
  coalesce(pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()), 'Infinity')::float8 as lag_bytes,
  coalesce(has_table_privilege(to_regclass('contacts'), 'select'), false) as is_readable, current_user::text as role`);

const TIMEOUT_MS = 2_000;

interface ReplayState {
  readonly is_standby: boolean;
  readonly is_same_timeline: boolean;
  /** Zero or less after the position was replayed. */
  readonly lag_bytes: number;
  /** Whether the role may read the tables, and has them in its search path. */
  readonly is_readable: boolean;
  readonly role: string;
}

/** Whether a server has everything but the last writes, which can change every second. */
export const isBehind = ({ is_standby, is_same_timeline, lag_bytes }: ReplayState): boolean =>
  is_standby && is_same_timeline && lag_bytes > 0;

/** Why a server cannot answer reads. Undefined if it can, and has replayed the position. */
export const findProblem = (state: ReplayState): string | undefined => {
  if (!state.is_standby) return 'it is not a standby';
  if (!state.is_same_timeline) return 'it follows another timeline than the primary';
  if (state.lag_bytes === Number.POSITIVE_INFINITY) return 'it has not replayed anything';
  if (isBehind(state)) return `it is ${formatBytes(state.lag_bytes)} behind`;
  return state.is_readable ? undefined : `the role ${state.role} may not read the tables`;
};

const MAX_DELAY_MS = 20;

/** Waits until a replica has replayed a position. Returns its last state. In a transaction, statements after this one see
 *  everything up to the position only if the isolation level is read committed: a snapshot of this statement would be
 *  older than its result. */
export const waitForReplay = async (
  replica: Queryable,
  position: LogPosition,
  waitMs: number,
): Promise<ReplayState> => {
  const values = [position.lsn, position.timeline];
  const query = { ...REPLAYED, values, query_timeout: TIMEOUT_MS } as QueryConfig;
  const until = performance.now() + waitMs;
  for (let delay = 1; ; delay = Math.min(delay * 2, MAX_DELAY_MS)) {
    const state: ReplayState = (await replica.query(query)).rows[0];
    if (!isBehind(state) || performance.now() + delay > until) return state;
    await pause(delay, undefined, { ref: false });
  }
};
