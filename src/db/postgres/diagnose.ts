import type { Pool } from 'pg';
import { type Diagnosis, type Fault, formatBytes, judge, ok } from '../../lib/diagnosis.ts';
import type { PostgresDatabase } from '../database.ts';
import { openPool } from './pool.ts';
import { DEFAULT_POOL_SIZE } from './pool-size.ts';
import { diagnoseServerLog, LOG_SETTINGS, type LogSettings } from './server-log.ts';
import { hostsOf, Servers } from './servers.ts';

interface Facts extends LogSettings {
  readonly version: string;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly synchronous_commit: string;
  readonly max_connections: number;
  readonly reserved_connections: number;
  /** Connections of other programs. */
  readonly other_connections: number;
  /** Running instances of Roster: each has one connection for its health check. */
  readonly instances: number;
  readonly is_standby: boolean;
  readonly encoding: string;
  readonly bytes: number;
  readonly is_encrypted: boolean | null;
  readonly is_remote: boolean;
  readonly extensions: number;
  readonly is_citus: boolean;
  readonly max_prepared_transactions: number;
  /** Of a Citus cluster. */
  readonly workers: number;
}

/** The settings are those of a connection of Roster, which sets `synchronous_commit` itself. */
const FACTS = `select current_setting('server_version') as version,
  current_setting('fsync') as fsync,
  current_setting('full_page_writes') as full_page_writes,
  current_setting('synchronous_commit') as synchronous_commit,
  current_setting('max_connections')::int as max_connections,
  current_setting('superuser_reserved_connections')::int as reserved_connections,
  (select count(*)::int from pg_stat_activity
    where backend_type = 'client backend' and application_name not like 'roster%') as other_connections,
  (select count(*)::int from pg_stat_activity where application_name = 'roster health check') as instances,
  pg_is_in_recovery() as is_standby,
  current_setting('server_encoding') as encoding,
  pg_database_size(current_database()) as bytes,
  (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as is_encrypted,
  coalesce(host(inet_server_addr()) not in (host(inet_client_addr()), '127.0.0.1', '::1'), false) as is_remote,
  (select count(*)::int from pg_available_extensions where name in ('pg_trgm', 'btree_gin')) as extensions,
  exists (select 1 from pg_extension where extname = 'citus') as is_citus,
  current_setting('max_prepared_transactions')::int as max_prepared_transactions,
  ${LOG_SETTINGS}`;

const countWorkers = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query(
    `select count(*)::int as count from pg_dist_node where noderole = 'primary' and isactive and groupid <> 0`,
  );
  return rows[0].count;
};

const readFacts = async (pool: Pool): Promise<Facts> => {
  const [facts] = (await pool.query<Facts>(FACTS)).rows as [Facts];
  return { ...facts, workers: facts.is_citus ? await countWorkers(pool) : 0 };
};

const durability = ({ fsync, full_page_writes, synchronous_commit }: Facts): Diagnosis => {
  const off = Object.entries({ fsync, full_page_writes, synchronous_commit })
    .filter(([, value]) => value === 'off')
    .map(([name]) => name);
  return judge(
    'Durability',
    `fsync and full_page_writes are on, synchronous_commit is ${synchronous_commit}.`,
    off.length > 0 && [
      'problem',
      `PostgreSQL may lose acknowledged writes: ${off.join(' and ')} off.`,
      `Set ${off.map((name) => `${name} = on`).join(' and ')} in postgresql.conf and reload it.`,
    ],
  );
};

/** Citus commits on several nodes in two phases, which needs prepared transactions. */
const citus = ({ is_citus, max_prepared_transactions: max }: Facts): Diagnosis[] => {
  if (!is_citus) return [];
  const fault: Fault = max === 0 && [
    'warning',
    'max_prepared_transactions is 0, so a failure during a commit can leave nodes with different data.',
    'Set max_prepared_transactions to at least max_connections on every node.',
  ];
  return [judge('Citus', `max_prepared_transactions is ${max}.`, fault)];
};

/** With the health check of each instance, and on Citus with one connection for short reads of each node. Other instances
 *  are assumed to have the same pool size. */
const connections = (facts: Facts, poolSize: number): Diagnosis => {
  const instances = Math.max(1, facts.instances);
  const nodes = facts.is_citus ? facts.workers + 1 : 0;
  const needed = instances * (poolSize + nodes + 1);
  const available = facts.max_connections - facts.reserved_connections - facts.other_connections;
  const message = `${instances} ${instances === 1 ? 'instance needs' : 'instances need'} up to ${needed} connections; ${available} are available to Roster.`;
  return judge(
    'Connections',
    message,
    needed > available && [
      'warning',
      message,
      'Raise max_connections of PostgreSQL, lower DATABASE_POOL_SIZE, or use a connection pooler.',
    ],
  );
};

const judgeServer = (facts: Facts, host: string, poolSize: number): Diagnosis[] => [
  ok('Database', `PostgreSQL ${facts.version} at ${host}, ${formatBytes(facts.bytes)}.`),
  ...citus(facts),
  judge(
    'Primary',
    'This server accepts writes.',
    facts.is_standby && [
      'problem',
      'This server is a standby and rejects writes.',
      'Change DATABASE_URL to the primary, or promote this server.',
    ],
  ),
  durability(facts),
  judge(
    'Encoding',
    'UTF8',
    facts.encoding !== 'UTF8' && [
      'problem',
      `The database has the encoding ${facts.encoding}.`,
      "Create a database with: create database roster encoding 'UTF8' template template0",
    ],
  ),
  judge(
    'Extensions',
    'pg_trgm and btree_gin are available.',
    facts.extensions !== 2 && [
      'problem',
      'PostgreSQL does not have the extensions pg_trgm and btree_gin.',
      'Install the contrib package of this PostgreSQL.',
    ],
  ),
  connections(facts, poolSize),
  diagnoseServerLog(facts),
  judge(
    'Encryption',
    facts.is_encrypted ? 'The connection uses TLS.' : 'The server is on this machine.',
    facts.is_remote &&
      facts.is_encrypted === false && [
        'warning',
        'The connection to PostgreSQL is not encrypted.',
        'Add ?sslmode=verify-full to DATABASE_URL.',
      ],
  ),
];

/** Checks a server and its settings. Throws if it cannot be reached. */
export const diagnosePostgres = async ({
  url,
  poolSize = DEFAULT_POOL_SIZE,
}: PostgresDatabase): Promise<Diagnosis[]> => {
  const servers = new Servers(url);
  const pool = await openPool({ servers, onFault: () => {}, allowStandby: true });
  try {
    return judgeServer(await readFacts(pool), hostsOf(servers.current), poolSize);
  } finally {
    await pool.end();
  }
};
