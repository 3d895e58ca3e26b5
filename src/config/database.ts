import { join, resolve } from 'node:path';
import type { Database, PostgresDatabase } from '../db/database.ts';
import { DEFAULT_POOL_SIZE, MAX_POOL_SIZE, MIN_POOL_SIZE } from '../db/postgres/pool-size.ts';
import { serverUrls } from '../db/postgres/servers.ts';
import { ConfigError, readNumber } from '../lib/config-error.ts';

export const databaseVariables = {
  DATABASE_URL:
    'sqlite:PATH or postgres://user:password@host/database, with several hosts separated by commas for a primary and its standbys. Default: roster.db in the data folder.',
  DATABASE_REPLICA_URL:
    'URL of a standby of the PostgreSQL server for long reads, exports and verify. Default: none.',
  DATABASE_POOL_SIZE: `Maximum number of PostgreSQL connections of one instance, ${MIN_POOL_SIZE} to ${MAX_POOL_SIZE}. Default: ${DEFAULT_POOL_SIZE}.`,
  MOVE_TO_DATABASE_URL:
    'URL of the empty database that roster move fills, if the command has no option --to. Default: none.',
} as const;

type Read = (name: keyof typeof databaseVariables) => string | undefined;

const isPostgresUrl = (url: string): boolean => /^postgres(ql)?:\/\//.test(url);

const PRIMARY = /^(?:read-write|primary|any)$/;
const STANDBY = /^(?:read-only|standby|prefer-standby|any)$/;

const checkUrl = (name: string, url: string): void => {
  if (!isPostgresUrl(url) || !serverUrls(url))
    throw new ConfigError(
      `${name} must look like postgres://user:password@host:5432/database. Separate several servers with commas: host1:5432,host2:5432.`,
    );
};

/** The value of a parameter of libpq in a URL. */
const sessionAttributes = (url: string): string | undefined =>
  /[?&]target_session_attrs=([^&#]*)/.exec(url)?.[1];

const readPostgres = (name: string, url: string): PostgresDatabase => {
  checkUrl(name, url);
  const attributes = sessionAttributes(url);
  if (attributes === undefined || PRIMARY.test(attributes)) return { engine: 'postgres', url };
  throw new ConfigError(
    `target_session_attrs in ${name} must be read-write, not ${attributes}: Roster needs a server that accepts writes.`,
  );
};

const readReplica = (url: string): string => {
  checkUrl('DATABASE_REPLICA_URL', url);
  const attributes = sessionAttributes(url);
  if (attributes === undefined || STANDBY.test(attributes)) return url;
  throw new ConfigError(
    `target_session_attrs in DATABASE_REPLICA_URL must be standby, not ${attributes}: a replica does not accept writes.`,
  );
};

const needsPostgres = (name: string): ConfigError =>
  new ConfigError(`${name} needs a DATABASE_URL that starts with postgres://. With SQLite, remove ${name}.`);

export const readBackupDatabase = (url: string | undefined, database: Database): Database => {
  if (url === undefined) return database;
  if (database.engine !== 'postgres') throw needsPostgres('BACKUP_DATABASE_URL');
  return { ...readPostgres('BACKUP_DATABASE_URL', url), variable: 'BACKUP_DATABASE_URL' };
};

const readSqlite = (name: string, url: string): Database => {
  const path = /^sqlite:(?:\/\/(?!$)|(?!\/\/))(.+)$/.exec(url)?.[1];
  if (path) return { engine: 'sqlite', path: resolve(path) };
  throw new ConfigError(`${name} must start with postgres:// or be sqlite: followed by a file path.`);
};

/** The empty database that a move fills. `name` is the option or the variable with its URL. */
export const readMoveTarget = (name: string, url: string): Database =>
  isPostgresUrl(url) ? { ...readPostgres(name, url), variable: name } : readSqlite(name, url);

export const readDatabase = (read: Read, folder: string): Database => {
  const url = read('DATABASE_URL');
  const replicaUrl = read('DATABASE_REPLICA_URL');
  const range = { from: MIN_POOL_SIZE, to: MAX_POOL_SIZE };
  const poolSize = readNumber('DATABASE_POOL_SIZE', read('DATABASE_POOL_SIZE'), range);
  if (url !== undefined && isPostgresUrl(url))
    return {
      ...readPostgres('DATABASE_URL', url),
      ...(replicaUrl !== undefined && { replicaUrl: readReplica(replicaUrl) }),
      ...(poolSize !== undefined && { poolSize }),
    };
  const path = join(folder, 'roster.db');
  const database =
    url === undefined ? ({ engine: 'sqlite', path } as const) : readSqlite('DATABASE_URL', url);
  if (replicaUrl !== undefined) throw needsPostgres('DATABASE_REPLICA_URL');
  if (poolSize !== undefined) throw needsPostgres('DATABASE_POOL_SIZE');
  return database;
};
