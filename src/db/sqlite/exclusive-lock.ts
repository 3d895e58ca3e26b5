import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { DatabaseSetupError } from '../database.ts';
import { isBusy, isDamage, isSqlite } from './errors.ts';

const SIDE_FILES = ['-wal', '-shm', '-journal'];

/** A path that is locked: no other process can open the database there before `release`. */
export interface ExclusiveLock {
  /** Whether the file contains a workspace, or something that cannot be read, and must not be lost. */
  readonly hasData: boolean;
  /** Gives the file a second name. Its first name stays in use, so that another file can be renamed to it. */
  linkAs(name: string): void;
  release(): void;
}

/** Locks the path of a database. Every process that has it open in write-ahead mode holds a shared lock; leaving that mode
 *  requires that all of them have closed it, so SQLite itself detects other users. */
export const lockExclusively = (path: string): ExclusiveLock => {
  const isNew = !existsSync(path);
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { timeout: 0 });
    db.exec('pragma journal_mode = delete; begin exclusive');
    return locked(path, db, isNew);
  } catch (error) {
    db?.close();
    if (isDamage(error)) return damaged(path);
    throw isSqlite(error) ? refusal(path, error) : error;
  }
};

const locked = (path: string, db: DatabaseSync, isNew: boolean): ExclusiveLock => ({
  hasData: hasWorkspaces(db),
  linkAs: (name) => linkSync(path, name),
  release: () => {
    db.close();
    if (isNew && statSync(path).size === 0) rmSync(path);
  },
});

/** Where it is not certain that the file is unused, it stays as it is. */
const refusal = (path: string, error: Error): DatabaseSetupError =>
  new DatabaseSetupError(
    isBusy(error)
      ? `The database at ${path} is in use. Stop the service and other commands first.`
      : `The database at ${path} cannot be locked: ${error.message}. Nothing was changed. Check that this user may write to the file, to its -wal and -shm files and to its folder.`,
  );

const hasWorkspaces = (db: DatabaseSync): boolean =>
  db.prepare(`select 1 from sqlite_schema where name = 'workspaces'`).get() !== undefined &&
  db.prepare('select 1 from workspaces limit 1').get() !== undefined;

/** SQLite cannot lock a file that it cannot read. The file is moved away with its log, which would otherwise be applied to a
 *  new file of that name. */
const damaged = (path: string): ExclusiveLock => ({
  hasData: statSync(path).size > 0,
  linkAs: (name) => {
    for (const end of SIDE_FILES) if (existsSync(path + end)) renameSync(path + end, name + end);
    linkSync(path, name);
  },
  release: () => {},
});
