import type { Pool } from 'pg';
import { type Diagnosis, diagnoses, type Finding, formatBytes } from '../../lib/diagnosis.ts';
import type { PostgresDatabase } from '../database.ts';
import { withPool } from './pool.ts';
import { DEFAULT_POOL_SIZE } from './pool-size.ts';
import { hostsOf } from './servers.ts';

const DURABILITY = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

interface Facts {
  /** Those of a connection of Roster, which sets `synchronous_commit` itself. */
  readonly settings: Readonly<Record<string, string>>;
  /** Connections of other programs. */
  readonly other_connections: number;
  /** Running instances of Roster: each has one connection for its health check. */
  readonly instances: number;
  readonly is_standby: boolean;
  readonly bytes: number;
  readonly is_encrypted: boolean | null;
  readonly is_remote: boolean;
  readonly extensions: number;
  readonly is_citus: boolean;
}

const SETTINGS = [
  'server_version',
  'server_encoding',
  'max_connections',
  'superuser_reserved_connections',
  'max_prepared_transactions',
  ...DURABILITY,
];

const FACTS = `select
  (select json_object_agg(name, setting) from pg_settings where name = any($1)) as settings,
  (select count(*)::int from pg_stat_activity
    where backend_type = 'client backend' and application_name not like 'roster%') as other_connections,
  (select count(*)::int from pg_stat_activity where application_name = 'roster health check') as instances,
  pg_is_in_recovery() as is_standby,
  pg_database_size(current_database()) as bytes,
  (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as is_encrypted,
  coalesce(host(inet_server_addr()) not in (host(inet_client_addr()), '127.0.0.1', '::1'), false) as is_remote,
  (select count(*)::int from pg_available_extensions where name in ('pg_trgm', 'btree_gin')) as extensions,
  exists (select 1 from pg_extension where extname = 'citus') as is_citus`;

/** The nodes of a Citus cluster. */
const countNodes = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query(
    `select count(*)::int as count from pg_dist_node where noderole = 'primary' and isactive and groupid <> 0`,
  );
  return rows[0].count + 1;
};

const durability = ({ settings }: Facts): Finding => {
  const off = DURABILITY.filter((name) => settings[name] === 'off');
  if (off.length === 0)
    return `fsync and full_page_writes are on, synchronous_commit is ${settings.synchronous_commit}.`;
  return [
    'problem',
    `PostgreSQL may lose acknowledged writes: ${off.join(' and ')} off.`,
    `Set ${off.map((name) => `${name} = on`).join(' and ')} in postgresql.conf and reload it.`,
  ];
};

/** Citus commits on several nodes in two phases, which needs prepared transactions. */
const citus = ({ is_citus, settings: { max_prepared_transactions: max } }: Facts): Finding => {
  if (!is_citus) return undefined;
  if (max !== '0') return `max_prepared_transactions is ${max}.`;
  return [
    'warning',
    'max_prepared_transactions is 0, so a failure during a commit can leave nodes with different data.',
    'Set max_prepared_transactions to at least max_connections on every node.',
  ];
};

/** With the health check of each instance, and on Citus with one connection for short reads of each node. Other instances
 *  are assumed to have the same pool size. */
const connections = ({ settings, ...facts }: Facts, poolSize: number, nodes: number): Finding => {
  const instances = Math.max(1, facts.instances);
  const needed = instances * (poolSize + nodes + 1);
  const reserved = Number(settings.superuser_reserved_connections);
  const available = Number(settings.max_connections) - reserved - facts.other_connections;
  const message = `${instances} ${instances === 1 ? 'instance needs' : 'instances need'} up to ${needed} connections; ${available} are available to Roster.`;
  if (needed <= available) return message;
  const fix = 'Raise max_connections of PostgreSQL, lower DATABASE_POOL_SIZE, or use a connection pooler.';
  return ['warning', message, fix];
};

const problemIf = (isWrong: boolean, fine: string, message: string, fix: string): Finding =>
  isWrong ? ['problem', message, fix] : fine;

const encryption = ({ is_encrypted, is_remote }: Facts): Finding =>
  is_remote && is_encrypted === false
    ? [
        'warning',
        'The connection to PostgreSQL is not encrypted.',
        'Add ?sslmode=verify-full to DATABASE_URL.',
      ]
    : is_encrypted
      ? 'The connection uses TLS.'
      : 'The server is on this machine.';

/** Checks a server and its settings. Throws if it cannot be reached. */
export const diagnosePostgres = ({
  url,
  poolSize = DEFAULT_POOL_SIZE,
}: PostgresDatabase): Promise<Diagnosis[]> =>
  withPool({ url, allowStandby: true }, async (pool, server) => {
    const [facts] = (await pool.query<Facts>(FACTS, [SETTINGS])).rows as [Facts];
    const { server_version, server_encoding } = facts.settings;
    return diagnoses({
      Database: `PostgreSQL ${server_version} at ${hostsOf(server)}, ${formatBytes(facts.bytes)}.`,
      Citus: citus(facts),
      Primary: problemIf(
        facts.is_standby,
        'This server accepts writes.',
        'This server is a standby and rejects writes.',
        'Change DATABASE_URL to the primary, or promote this server.',
      ),
      Durability: durability(facts),
      Encoding: problemIf(
        server_encoding !== 'UTF8',
        'UTF8',
        `The database has the encoding ${server_encoding}.`,
        "Create a database with: create database roster encoding 'UTF8' template template0",
      ),
      Extensions: problemIf(
        facts.extensions !== 2,
        'pg_trgm and btree_gin are available.',
        'PostgreSQL does not have the extensions pg_trgm and btree_gin.',
        'Install the contrib package of this PostgreSQL.',
      ),
      Connections: connections(facts, poolSize, facts.is_citus ? await countNodes(pool) : 0),
      Encryption: encryption(facts),
    });
  });
