import type { Pool, QueryConfig } from 'pg';
import { DatabaseSetupError } from '../database.ts';
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
