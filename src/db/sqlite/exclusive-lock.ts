import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { DatabaseSetupError } from '../database.ts';
import { isBusy, isDamage, isSqlite } from './errors.ts';

const BESIDE = ['-wal', '-shm', '-journal'];

/** The place of a database, held so that nobody opens what is there before `release`. */
export interface ExclusiveLock {
  /** Whether something is there that must not be lost: a workspace, or what cannot be read. */
  readonly hasData: boolean;
  /** Keeps what is there under another name. Its own name is still taken, for a file to be renamed to. */
  keepAs(name: string): void;
  release(): void;
}

/** Takes the place of a database for oneself. Every process that has a database open in write-ahead mode holds a lock on
 *  it; leaving that mode needs all of them gone, so that SQLite itself says whether anybody is there. */
export const lockExclusively = (path: string): ExclusiveLock => {
  const isNew = !existsSync(path);
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { timeout: 0 });
    db.exec('pragma journal_mode = delete; begin exclusive');
    return held(path, db, isNew);
  } catch (error) {
    db?.close();
    if (isDamage(error)) return damaged(path);
    throw isSqlite(error) ? refusal(path, error) : error;
  }
};

const held = (path: string, db: DatabaseSync, isNew: boolean): ExclusiveLock => ({
  hasData: hasWorkspaces(db),
  keepAs: (name) => linkSync(path, name),
  release: () => {
    db.close();
    if (isNew && statSync(path).size === 0) rmSync(path);
  },
});

/** Whoever cannot be sure that the place is free leaves it as it is. */
const refusal = (path: string, error: Error): DatabaseSetupError =>
  new DatabaseSetupError(
    isBusy(error)
      ? `Something uses the database at ${path}: stop the service and other commands first.`
      : `The database at ${path} cannot be taken: ${error.message}. Nothing was changed. See that this user may write to it, to the files beside it and to its folder.`,
  );

const hasWorkspaces = (db: DatabaseSync): boolean =>
  db.prepare(`select 1 from sqlite_schema where name = 'workspaces'`).get() !== undefined &&
  db.prepare('select 1 from workspaces limit 1').get() !== undefined;

/** What SQLite cannot read it cannot hold. It is moved away with all that lies beside it: another file of its name would
 *  be given its log. */
const damaged = (path: string): ExclusiveLock => ({
  hasData: statSync(path).size > 0,
  keepAs: (name) => {
    for (const end of BESIDE) if (existsSync(path + end)) renameSync(path + end, name + end);
    linkSync(path, name);
  },
  release: () => {},
});
