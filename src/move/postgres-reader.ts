import { setTimeout as pause } from 'node:timers/promises';
import { Client, escapeLiteral } from 'pg';
import { DatabaseSetupError, type PostgresDatabase } from '../db/database.ts';
import { parentsFirst } from '../db/parents-first.ts';
import { ROSTER_TABLES } from '../db/postgres/citus/distribute.ts';
import { findPrimary } from '../db/postgres/pool.ts';
import { BATCH_CHARACTERS, BATCH_ROWS, type MoveReader, sizeOf } from './database.ts';
import type { MovedTable, Row } from './tables.ts';

const CONNECT_MS = 10_000;

/** A session of a killed command can take a moment to end. */
const SESSION_CHECKS = 6;
const SESSION_CHECK_MS = 500;

/** An \`application_name\` in the URL replaces ours, for this session and for a service with the same URL. A pooler leaves the
 *  name of a stopped service on its idle connections. If the service uses one, its sessions count only if they were active
 *  recently: its health check runs every second. Commands that need a direct connection count always. */
const otherSessions = (isServicePooled: boolean) => `select count(*) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()
    and (application_name like 'roster%' or application_name = current_setting('application_name'))
    ${isServicePooled ? `and (state is distinct from 'idle' or state_change > now() - interval '10 seconds' or application_name in ('roster backup', 'roster restore', 'roster move'))` : ''}`;

/** All values are read as the text that the server sends. */
export const rowsOf = async (client: Client, sql: string): Promise<Row[]> =>
  (await client.query<Row & unknown[]>({ text: sql, rowMode: 'array' })).rows;

const NEEDS = { move: 'A move needs', restore: 'pg_dump and pg_restore need' };

/** Connects to the primary, which must not be in use by a service or another command. */
export const connectUnused = async (
  { url, variable = 'DATABASE_URL' }: PostgresDatabase,
  purpose: keyof typeof NEEDS = 'move',
): Promise<Client> => {
  const primary = await findPrimary(url);
  if (primary.isPooled)
    throw new DatabaseSetupError(
      `${NEEDS[purpose]} a connection without a pooler. Set ${variable === 'DATABASE_URL' ? 'BACKUP_DATABASE_URL' : variable} to the URL of the PostgreSQL server itself.`,
    );
  const sessionCount = otherSessions(variable === 'BACKUP_DATABASE_URL');
  const client = new Client({
    connectionString: primary.url,
    application_name: `roster ${purpose}`,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    types: { getTypeParser: () => (text: string) => text } as never,
  });
  client.on('error', () => {});
  await client.connect();
  for (let check = 1; ; check++) {
    const [[sessions] = []] = await rowsOf(client, sessionCount);
    if (sessions === '0') return client;
    if (check === SESSION_CHECKS) break;
    await pause(SESSION_CHECK_MS);
  }
  await client.end();
  throw new DatabaseSetupError(
    `The database in ${variable} is in use. Stop the service and other commands first.`,
  );
};

/** Unlogged tables may lose their rows in a crash, so they are not moved. */
const TABLES = `select json_build_object(
    'name', c.relname,
    'columns', (select json_agg(json_build_object('name', attname, 'isInteger', atttypid in (20, 23)) order by attname collate "C")
      from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped),
    'key', array(select a.attname from pg_index as i, unnest(i.indkey) with ordinality as k (number, at), pg_attribute as a
      where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.number order by k.at),
    'parents', array(select distinct f.relname from pg_constraint as r join pg_class as f on f.oid = r.confrelid
      where r.conrelid = c.oid and r.contype = 'f' and r.confrelid <> c.oid order by f.relname))
  from pg_class as c
  where c.relnamespace = quote_ident(current_schema())::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
  order by c.relname collate "C"`;

const SEQUENCES = `select c.relname, pg_get_serial_sequence(quote_ident(c.relname), a.attname), a.attname
  from pg_attribute as a join pg_class as c on c.oid = a.attrelid
  where a.attidentity <> '' and c.relnamespace = quote_ident(current_schema())::regnamespace and c.relkind = 'r'
  order by c.relname`;

/** The sequences of identity columns: table, name of the sequence and column. */
export const readSequences = async (client: Client): Promise<Row[]> =>
  (await rowsOf(client, SEQUENCES)).filter(([table]) => ROSTER_TABLES.has(table ?? ''));

const readTables = async (client: Client): Promise<MovedTable[]> =>
  parentsFirst(
    (await rowsOf(client, TABLES))
      .map(([json]) => JSON.parse(json ?? '') as MovedTable)
      .filter(({ name }) => ROSTER_TABLES.has(name)),
  );

/** Reads with a cursor. The first round trip reads one row; later ones as many as fit if all are as large as the largest of
 *  the last round trip. */
async function* fetchRows(client: Client, sql: string): AsyncGenerator<Row[]> {
  await client.query(`declare moved no scroll cursor for ${sql}`);
  for (let count = 1; ; ) {
    const rows = await rowsOf(client, `fetch ${count} from moved`);
    if (rows.length > 0) yield rows;
    if (rows.length < count) break;
    const largest = Math.max(1, ...rows.map(sizeOf));
    count = Math.max(1, Math.min(BATCH_ROWS, count * 4, Math.floor(BATCH_CHARACTERS / largest)));
  }
  await client.query('close moved');
}

/** Reads inside a transaction, which the caller begins and ends. */
export const postgresReader = (client: Client): MoveReader => ({
  tables: () => readTables(client),
  select: (sql) => fetchRows(client, sql),
  lastIds: async () => {
    const ids = new Map<string, string>();
    for (const [table, sequence] of await readSequences(client)) {
      const [[last, isUsed] = []] = await rowsOf(client, `select last_value, is_called from ${sequence}`);
      if (isUsed === 't') ids.set(table ?? '', last ?? '0');
    }
    return ids;
  },
  quote: escapeLiteral,
  close: () => client.end(),
});

/** Without the timeouts of requests. */
export const UNLIMITED = `set local statement_timeout = 0; set local lock_timeout = 0;
  set local idle_in_transaction_session_timeout = 0`;

/** A snapshot of all tables, which other sessions cannot change before it is closed. */
export const openPostgresSource = async (database: PostgresDatabase): Promise<MoveReader> => {
  const client = await connectUnused(database);
  try {
    await client.query('begin isolation level repeatable read, read only');
    await client.query(UNLIMITED);
    // The snapshot begins with the first query after the locks.
    const names = ROSTER_TABLES.values().toArray().join(', ');
    await client.query(`set local lock_timeout = 4000; lock table ${names} in share mode`);
    return postgresReader(client);
  } catch (error) {
    await client.end();
    throw error;
  }
};
