import { performance } from 'node:perf_hooks';
import type { Pool } from 'pg';
import { type Diagnosis, formatBytes, ok, problem, warning } from '../../lib/diagnosis.ts';
import { openPool, POOL_SIZE } from './pool.ts';
import { hostsOf, Servers } from './servers.ts';

const MAX_ROUND_TRIP_MS = 5;
const MAX_CLOCK_DIFFERENCE_MS = 1_000;

interface Facts {
  readonly version: string;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly synchronous_commit: string;
  readonly max_connections: number;
  readonly connections: number;
  readonly is_standby: boolean;
  readonly encoding: string;
  readonly now: number;
  readonly bytes: number;
  readonly is_encrypted: boolean | null;
  readonly is_remote: boolean;
  readonly extensions: number;
  readonly is_citus: boolean;
  readonly max_prepared_transactions: number;
}

/** The settings are those of a connection of Roster, which sets `synchronous_commit` itself. */
const FACTS = `select current_setting('server_version') as version,
  current_setting('fsync') as fsync,
  current_setting('full_page_writes') as full_page_writes,
  current_setting('synchronous_commit') as synchronous_commit,
  current_setting('max_connections')::int as max_connections,
  (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
  pg_is_in_recovery() as is_standby,
  current_setting('server_encoding') as encoding,
  (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
  pg_database_size(current_database()) as bytes,
  (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as is_encrypted,
  coalesce(host(inet_server_addr()) not in (host(inet_client_addr()), '127.0.0.1', '::1'), false) as is_remote,
  (select count(*)::int from pg_available_extensions where name in ('pg_trgm', 'btree_gin')) as extensions,
  exists (select 1 from pg_extension where extname = 'citus') as is_citus,
  current_setting('max_prepared_transactions')::int as max_prepared_transactions`;

/** The server's clock is read between two readings of ours. */
const readFacts = async (pool: Pool): Promise<{ facts: Facts; clockDifferenceMs: number }> => {
  const before = Date.now();
  const { rows } = await pool.query<Facts>(FACTS);
  const [facts] = rows as [Facts];
  return { facts, clockDifferenceMs: facts.now - (before + Date.now()) / 2 };
};

const measureRoundTrip = async (pool: Pool): Promise<number> => {
  const times: number[] = [];
  for (let round = 0; round < 9; round++) {
    const began = performance.now();
    await pool.query('select 1');
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[4] as number;
};

const durability = ({ fsync, full_page_writes, synchronous_commit }: Facts): Diagnosis => {
  const off = Object.entries({ fsync, full_page_writes, synchronous_commit })
    .filter(([, value]) => value === 'off')
    .map(([name]) => name);
  return off.length === 0
    ? ok('Durability', `fsync and full_page_writes are on, synchronous_commit is ${synchronous_commit}.`)
    : problem(
        'Durability',
        `PostgreSQL may lose acknowledged writes: ${off.join(' and ')} off.`,
        `Set ${off.map((name) => `${name} = on`).join(' and ')} in postgresql.conf and reload it.`,
      );
};

/** Citus commits on several nodes in two phases, which needs prepared transactions. */
const citus = ({ is_citus, max_prepared_transactions }: Facts): Diagnosis[] => {
  if (!is_citus) return [];
  return max_prepared_transactions > 0
    ? [ok('Citus', `max_prepared_transactions is ${max_prepared_transactions}.`)]
    : [
        warning(
          'Citus',
          'max_prepared_transactions is 0, so a failure during a commit can leave nodes with different data.',
          'Set max_prepared_transactions to at least max_connections on every node.',
        ),
      ];
};

interface Judged {
  readonly host: string;
  readonly facts: Facts;
  readonly roundTripMs: number;
  readonly clockDifferenceMs: number;
}

const judge = ({ host, facts, roundTripMs, clockDifferenceMs }: Judged): Diagnosis[] => [
  ok('Database', `PostgreSQL ${facts.version} at ${host}, ${formatBytes(facts.bytes)}.`),
  ...citus(facts),
  facts.is_standby
    ? problem(
        'Primary',
        'This server is a standby and rejects writes.',
        'Change DATABASE_URL to the primary, or promote this server.',
      )
    : ok('Primary', 'This server accepts writes.'),
  durability(facts),
  facts.encoding === 'UTF8'
    ? ok('Encoding', 'UTF8')
    : problem(
        'Encoding',
        `The database has the encoding ${facts.encoding}.`,
        "Create a database with: create database roster encoding 'UTF8' template template0",
      ),
  facts.extensions === 2
    ? ok('Extensions', 'pg_trgm and btree_gin are available.')
    : problem(
        'Extensions',
        'PostgreSQL does not have the extensions pg_trgm and btree_gin.',
        'Install the contrib package of this PostgreSQL.',
      ),
  facts.max_connections - facts.connections < POOL_SIZE
    ? warning(
        'Connections',
        `${facts.connections} of ${facts.max_connections} connections are in use; one instance needs ${POOL_SIZE}.`,
        'Raise max_connections, or end other clients.',
      )
    : ok(
        'Connections',
        `${facts.connections} of ${facts.max_connections} in use; one instance needs ${POOL_SIZE}.`,
      ),
  facts.is_remote && facts.is_encrypted === false
    ? warning(
        'Encryption',
        'The connection to PostgreSQL is not encrypted.',
        'Add ?sslmode=verify-full to DATABASE_URL.',
      )
    : ok('Encryption', facts.is_encrypted ? 'The connection uses TLS.' : 'The server is on this machine.'),
  roundTripMs > MAX_ROUND_TRIP_MS
    ? warning(
        'Round trip',
        `A statement takes ${roundTripMs.toFixed(1)} ms, so every request is slow.`,
        'Run Roster in the same zone as PostgreSQL.',
      )
    : ok('Round trip', `${roundTripMs.toFixed(2)} ms`),
  Math.abs(clockDifferenceMs) > MAX_CLOCK_DIFFERENCE_MS
    ? warning(
        'Clock',
        `The clocks of this machine and of PostgreSQL differ by ${(clockDifferenceMs / 1000).toFixed(1)} seconds.`,
        'Enable time synchronization on both machines.',
      )
    : ok('Clock', `${new Date().toISOString()}, the same as that of PostgreSQL.`),
];

/** Checks a server and its settings. Throws if it cannot be reached. */
export const diagnosePostgres = async (url: string): Promise<Diagnosis[]> => {
  const servers = new Servers(url);
  const pool = await openPool({ servers, onFault: () => {}, allowStandby: true });
  try {
    const { facts, clockDifferenceMs } = await readFacts(pool);
    const roundTripMs = await measureRoundTrip(pool);
    return judge({ host: hostsOf(servers.current), facts, roundTripMs, clockDifferenceMs });
  } finally {
    await pool.end();
  }
};
