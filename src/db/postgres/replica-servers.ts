import type { Client } from 'pg';
import { DatabaseSetupError } from '../database.ts';
import { disconnect, newClient, type Queryable } from './connection.ts';
import { codeOf } from './errors.ts';
import { hostsOf } from './servers.ts';

export interface DatabaseIdentity {
  /** The identifier of the cluster and of the database in it. A physical copy has the same. */
  readonly id: string;
  readonly is_citus: boolean;
}

const IDENTITY = `select (select system_identifier::text from pg_control_system()) || '/' ||
    (select oid::text from pg_database where datname = current_database()) as id,
  exists (select 1 from pg_extension where extname = 'citus') as is_citus`;

/** Functions are missing (42883), or an administrator has restricted them (42501). */
const NOT_AVAILABLE = new Set(['42883', '42501']);

export const readIdentity = async (server: Queryable): Promise<DatabaseIdentity> => {
  try {
    return (await server.query(IDENTITY)).rows[0];
  } catch (error) {
    if (!NOT_AVAILABLE.has(codeOf(error))) throw error;
    throw new DatabaseSetupError(
      'DATABASE_REPLICA_URL needs the functions pg_control_system and pg_control_checkpoint of PostgreSQL. Ask an administrator to run "grant execute on function pg_control_system(), pg_control_checkpoint() to" the role, or remove the variable.',
      { cause: error },
    );
  }
};

const IS_READABLE = `select coalesce(has_table_privilege(to_regclass('contacts'), 'select'), false) as is_readable,
  current_user::text as role`;

/** The role may not read the tables, or does not have them in its search path. */
export class NotReadableError extends Error {
  readonly role: string;

  constructor(role: string) {
    super(`the role ${role} may not read the tables`);
    this.role = role;
  }
}

export const assertReadable = async (replica: Queryable): Promise<void> => {
  const { rows } = await replica.query(IS_READABLE);
  if (!rows[0].is_readable) throw new NotReadableError(rows[0].role);
};

const TIMEOUT_MS = 2_000;

/** Connects to a replica. Throws if its database is not a copy of the one of the primary. */
export const connectReplica = async (url: string, primary: DatabaseIdentity): Promise<Client> => {
  const client = newClient(url, 'replica check', TIMEOUT_MS);
  try {
    await client.connect();
    const { id } = await readIdentity(client);
    if (id !== primary.id)
      throw new DatabaseSetupError(
        `DATABASE_REPLICA_URL leads to a database at ${hostsOf(url)} that is not a replica of the one in DATABASE_URL. Use a standby of the same server and the same database name.`,
      );
    return client;
  } catch (error) {
    disconnect(client);
    throw error;
  }
};
