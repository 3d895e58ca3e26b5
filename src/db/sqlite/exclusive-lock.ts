import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { DatabaseSetupError } from '../database.ts';
import { isBusy, isDamage, isSqlite } from './errors.ts';

const COMPANION_SUFFIXES = ['-wal', '-shm', '-journal'];

/** No other process can open the database before `release`. */
export interface ExclusiveLock {
  /** Whether the file contains a workspace, or data that cannot be read. It must not be lost. */
  readonly hasData: boolean;
  /** Gives the file a second name, so that another file can be renamed to its first name. */
  linkAs(name: string): void;
  release(): void;
}

/** Locks the path of a database. SQLite leaves write-ahead mode only if no other process has the file open, so it detects
 *  other users itself. */
export const lockExclusively = (path: string): ExclusiveLock => {
  const isNew = !existsSync(path);
  let opened: DatabaseSync | undefined;
  try {
    const db = new DatabaseSync(path, { timeout: 0 });
    opened = db;
    db.exec('pragma journal_mode = delete; begin exclusive');
    return {
      hasData: hasWorkspaces(db),
      linkAs: (name) => linkSync(path, name),
      release: () => {
        db.close();
        if (isNew && statSync(path).size === 0) rmSync(path);
      },
    };
  } catch (error) {
    opened?.close();
    if (isDamage(error)) return damaged(path);
    throw isSqlite(error) ? refusal(path, error) : error;
  }
};

/** Opens a database without changing it, so that no other process can open it until it is closed. Creates an empty file if
 *  there is none. */
export const openExclusively = (path: string): DatabaseSync => {
  const db = new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: true });
  try {
    // In this mode SQLite takes the lock with the first access and keeps it.
    db.exec('pragma locking_mode = exclusive; begin immediate; commit');
    return db;
  } catch (error) {
    db.close();
    throw isSqlite(error) ? refusal(path, error) : error;
  }
};

const refusal = (path: string, error: Error): DatabaseSetupError =>
  new DatabaseSetupError(
    isBusy(error)
      ? `The database at ${path} is in use. Stop the service and other commands first.`
      : `The database at ${path} cannot be locked: ${error.message}. Nothing was changed. Check that this user may write to the file, to its -wal and -shm files and to its folder.`,
  );

const hasWorkspaces = (db: DatabaseSync): boolean =>
  db.prepare(`select 1 from sqlite_schema where name = 'workspaces'`).get() !== undefined &&
  db.prepare('select 1 from workspaces limit 1').get() !== undefined;

/** SQLite cannot lock a damaged file. Its log is moved away with it, because SQLite would apply the log to a new file of
 *  that name. */
const damaged = (path: string): ExclusiveLock => ({
  hasData: statSync(path).size > 0,
  linkAs: (name) => {
    for (const suffix of COMPANION_SUFFIXES)
      if (existsSync(path + suffix)) renameSync(path + suffix, name + suffix);
    linkSync(path, name);
  },
  release: () => {},
});
