import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Diagnosis, diagnoses, formatBytes } from '../../lib/diagnosis.ts';
import { DatabaseSetupError } from '../database.ts';

/** The size of a file in bytes; 0 if it does not exist. */
export const fileSize = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** The space that is left on the disk of a file, in bytes. */
export const freeSpace = (path: string): number => {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize;
};

const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

/** Without a permission to write, SQLite opens a file for reads and reports nothing before the first write. */
export const assertWritable = (path: string): void => {
  const files = [dirname(path), path, `${path}-wal`, `${path}-shm`];
  const unwritable = files.find((each) => existsSync(each) && !isWritable(each));
  if (unwritable)
    throw new DatabaseSetupError(
      `This user cannot write to ${unwritable}. Run Roster as its owner, and check its permissions and that its disk is not mounted read-only.`,
    );
};

/** SQLite takes an empty file for a new database, and discards its log. A first start creates the key after the tables. */
export const assertNotEmptied = (path: string): void => {
  const isFormer = existsSync(join(dirname(path), 'secret.key')) || fileSize(`${path}-wal`) > 0;
  if (isFormer && existsSync(path) && fileSize(path) === 0)
    throw new DatabaseSetupError(
      `The file ${path} is empty, but the files next to it belong to a former database. Restore the newest backup, or remove the empty file to begin with a new database.`,
    );
};

const MAX_WAL_BYTES = 256_000_000;
const WAL_FIX = 'End the command that reads the database for a long time, or restart the service.';

/** Checks the files of a database that exists. */
export const diagnoseSqlite = (path: string): Diagnosis[] => {
  assertNotEmptied(path);
  assertWritable(path);
  const wal = fileSize(`${path}-wal`);
  const slow = `${path}-wal has ${formatBytes(wal)}, so reads are slow and deleted data is not yet erased.`;
  return diagnoses({
    Database: `SQLite file ${path}, ${formatBytes(fileSize(path))}.`,
    'Write-ahead log': wal > MAX_WAL_BYTES ? ['warning', slow, WAL_FIX] : formatBytes(wal),
  });
};
