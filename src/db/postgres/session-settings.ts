import type { Client } from 'pg';
import { DatabaseSetupError } from '../database.ts';
import { newClient } from './connection.ts';
import { codeOf } from './errors.ts';

/** Settings of every connection, in milliseconds where they are times. They override the server's defaults: a write is
 *  acknowledged after its flush, and JIT compilation takes longer than our queries. */
const SETTINGS = {
  synchronous_commit: 'on',
  default_transaction_isolation: 'read committed',
  statement_timeout: '15000',
  lock_timeout: '4000',
  idle_in_transaction_session_timeout: '15000',
  jit: 'off',
} as const;

type Setting = keyof typeof SETTINGS;

const SESSION_OPTIONS = Object.entries(SETTINGS)
  .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
  .join(' ');

/** How to connect with our settings after the options of the URL, which would otherwise replace them. */
export const withSessionOptions = (url: string): { connectionString: string; options: string } => {
  const parsed = new URL(url);
  const own = parsed.searchParams.get('options');
  parsed.searchParams.delete('options');
  return {
    connectionString: own === null ? url : parsed.href,
    options: own === null ? SESSION_OPTIONS : `${own} ${SESSION_OPTIONS}`,
  };
};

/** PgBouncer refuses parameters that it does not know, unless it is configured to ignore them. */
export const isRefusedByPooler = (error: unknown): boolean =>
  codeOf(error) === '08P01' && error instanceof Error && /startup parameter/.test(error.message);

interface SettingRow {
  readonly name: Setting;
  readonly setting: string;
  readonly source: string;
}

const READ_SETTINGS = `select name, setting, source from pg_settings
  where name in (${Object.keys(SETTINGS)
    .map((name) => `'${name}'`)
    .join(', ')})`;

/** A time may be shorter than ours, but not unlimited. Without JIT settings everything works, only slower. */
const isSufficient = ({ name, setting }: SettingRow): boolean => {
  if (name === 'jit') return true;
  if (name === 'synchronous_commit') return setting === 'on' || setting === 'remote_apply';
  if (name === 'default_transaction_isolation') return setting === SETTINGS[name];
  return Number(setting) > 0 && Number(setting) <= Number(SETTINGS[name]);
};

const literal = (name: Setting) =>
  `${name} = ${/^\d+$/.test(SETTINGS[name]) ? SETTINGS[name] : `'${SETTINGS[name]}'`}`;

/** Throws if a connection pooler has dropped settings that Roster relies on. Returns whether there is a pooler that drops
 *  them, so that they must come from the role. */
export const checkSettings = async (client: Client): Promise<boolean> => {
  const { rows } = await client.query<SettingRow>(READ_SETTINGS);
  const missing = rows.filter((row) => !isSufficient(row)).map(({ name }) => name);
  const role = `"${(client.user ?? '').replaceAll('"', '""')}"`;
  if (missing.length > 0)
    throw new DatabaseSetupError(
      `A connection pooler drops settings that Roster needs. Ask an administrator to run: ${missing
        .map((name) => `alter role ${role} set ${literal(name)};`)
        .join(' ')} Then let the pooler reconnect.`,
    );
  return rows.some(({ name, source }) => name === 'statement_timeout' && source !== 'client');
};

const PROBE_MS = 4_000;

/** Throws if a pooler in transaction mode does not prepare statements on the server that it chooses for a transaction. The
 *  transactions of two other connections force it to use another server for the second execution. */
export const checkPreparedStatements = async (url: string): Promise<void> => {
  const clients = Array.from({ length: 3 }, () => newClient(url, 'pooler check', PROBE_MS));
  const [first, second, prepared] = clients as [Client, Client, Client];
  const statement = { name: 'roster_pooler_probe', text: 'select 1' };
  try {
    for (const client of clients) await client.connect();
    await first.query('begin; select 1');
    await prepared.query(statement);
    await second.query('begin; select 1');
    await first.query('commit');
    await prepared.query(statement);
    await second.query('commit');
  } catch (error) {
    if (codeOf(error) !== '26000' && !/timeout/i.test(String(error))) throw error;
    throw new DatabaseSetupError(
      'The connection pooler does not support prepared statements in transaction mode. Use PgBouncer 1.21 or newer with max_prepared_statements above 0 and a pool of at least two connections, or session mode.',
      { cause: error },
    );
  } finally {
    for (const client of clients) client.end().catch(() => {});
  }
};
