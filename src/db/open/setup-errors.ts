import { dirname } from 'node:path';
import { PROGRAM } from '../../lib/executable.ts';
import type { Database, PostgresDatabase } from '../database.ts';
import { DatabaseSetupError } from '../database.ts';
import { DISK_FULL, isUnreachable, READ_ONLY } from '../postgres/errors.ts';
import { NoPrimaryError } from '../postgres/server-states.ts';
import { hostsOf, identifier, serverUrls } from '../postgres/servers.ts';
import { isBusy, isDamage, isDiskFull, isSqlite } from '../sqlite/errors.ts';
import { freeSpace } from '../sqlite/file-state.ts';

const UNUSABLE = /^(ERR_SQLITE_ERROR|EACCES|ENOENT|ENOTDIR|EEXIST|EROFS|EPERM)$/;

/** A feature, a file, a type or an operator class, a function or a syntax is missing. */
const NOT_SUPPORTED = /^(0A000|58P01|42704|42883|42601)$/;

/** The names of the extensions and of what they define are the same in messages of every language. */
const EXTENSIONS = /pg_trgm|btree_gin|gin_trgm_ops|"gin"/;

/** Too little for the files next to a database. */
const MIN_FREE_BYTES = 65_536;

/** On a full disk, SQLite may report that it cannot open or read a file. */
const hasNoSpace = (path: string): boolean => {
  try {
    return freeSpace(path) < MIN_FREE_BYTES;
  } catch {
    return false;
  }
};

const fileProblem = (path: string, code: string, error: unknown): string | undefined => {
  if (isBusy(error))
    return `The database at ${path} is locked by another process, such as a move or a restore. Wait until it ends.`;
  if (isDiskFull(error) || (isSqlite(error) && hasNoSpace(path)))
    return `The disk of ${dirname(path)} is full. Free some space, or set ROSTER_DATA_DIR to a folder on another disk.`;
  if (isDamage(error))
    return `The file ${path} is damaged, or is not a SQLite database. Restore the newest backup, and check the disk.`;
  if (UNUSABLE.test(code))
    return `SQLite cannot open a database at ${path}. Check that this user may write in its folder; ${PROGRAM} doctor says more.`;
  return undefined;
};

/** Why a server cannot be reached, and what to do. */
const UNREACHABLE_BECAUSE: Readonly<Record<string, readonly [string, string]>> = {
  ENOTFOUND: [': there is no such host', ''],
  EAI_AGAIN: [': the name server does not answer', 'Check the DNS of this machine. '],
  ECONNREFUSED: [': no program listens there', 'Start the server. '],
  ETIMEDOUT: [': it does not answer', 'Check the network and its firewalls. '],
  EHOSTUNREACH: [': there is no route to it', 'Check the network. '],
  ENETUNREACH: [': there is no route to it', 'Check the network. '],
};

const serverProblem = (
  { url, variable = 'DATABASE_URL' }: PostgresDatabase,
  code: string,
  error: unknown,
): string | undefined => {
  const { pathname, username } = new URL(serverUrls(url)?.[0] ?? url);
  const hosts = hostsOf(url);
  const [name, role] = [pathname.slice(1), username].map(decodeURIComponent) as [string, string];
  if (code === DISK_FULL)
    return `The disk of PostgreSQL at ${hosts} is full. Free some space on that server.`;
  if (code === '3D000') return `PostgreSQL has no database ${name}. Create it, or change ${variable}.`;
  if (code.startsWith('28')) return `PostgreSQL rejects the user or the password in ${variable}.`;
  if (code === '42501')
    return `PostgreSQL does not let the user in ${variable} create tables and extensions in the database ${name}. Ask an administrator to run "alter database ${identifier(name)} owner to ${identifier(role)}".`;
  if (error instanceof NoPrimaryError)
    return `No server of ${variable} accepts writes: ${error.message}. Start the primary, or promote a standby.`;
  if (code === READ_ONLY)
    return `PostgreSQL at ${hosts} is a standby and rejects writes. Change ${variable} to the primary, or list all servers in it: postgres://user:password@host1,host2/database.`;
  const [, setting] = /configuration parameter "([\w.]+)"/.exec(String(error)) ?? [];
  if (setting !== undefined)
    return `Roster cannot use the server of ${variable}, because it does not support the setting ${setting}.`;
  if (NOT_SUPPORTED.test(code))
    return EXTENSIONS.test(String(error))
      ? 'PostgreSQL does not have the extensions pg_trgm and btree_gin. Install its contrib package, or allow them in the settings of the service. If they are in another schema, add that schema to search_path of the role.'
      : `PostgreSQL at ${hosts} cannot run a statement of Roster: ${(error as Error).message}.`;
  if (isUnreachable(error)) {
    const [reason = '', fix = ''] = UNREACHABLE_BECAUSE[code] ?? [];
    return `PostgreSQL cannot be reached at ${hosts}${reason}. ${fix}Check ${variable}.`;
  }
  return undefined;
};

/** Explains known errors of the system and the database in terms of the configuration. */
export const explainSetupErrors = async <T>(database: Database, open: () => Promise<T>): Promise<T> => {
  try {
    return await open();
  } catch (error) {
    if (error instanceof DatabaseSetupError) throw error;
    const { code = '' } = Object(error) as { code?: string };
    const problem =
      database.engine === 'postgres'
        ? serverProblem(database, code, error)
        : fileProblem(database.path, code, error);
    throw problem ? new DatabaseSetupError(problem, { cause: error }) : error;
  }
};
