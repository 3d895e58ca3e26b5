import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from './command.ts';

const REASONS: Record<string, string> = {
  ENOENT: 'its folder is not there',
  ENOTDIR: 'its folder is not one',
  EACCES: 'you may not write there',
  EROFS: 'you may not write there',
};

const create = (file: string, draft: string): void => {
  try {
    closeSync(openSync(draft, 'wx', 0o600));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new UsageError(`Nothing can be written to ${file}: ${REASONS[code] ?? code}.`);
  }
};

const flush = (path: string): void => {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

const remove = (draft: string): void => {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(draft + end, { force: true });
};

/** A file that is being written under a name of its own, for this user alone. */
export interface Draft {
  readonly path: string;
  /** Flushes it to the disk and gives it its name, in place of what has that name. */
  place(file: string): void;
}

/** Works on a draft of a file, so that the file is there whole or not at all. What was not placed is removed, also when
 *  the person at the terminal interrupts. */
export const withDraft = async <T>(file: string, work: (draft: Draft) => Promise<T>): Promise<T> => {
  const path = `${file}.${process.pid}.part`;
  create(file, path);
  const interrupt = () => {
    remove(path);
    process.exit(130);
  };
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return await work({
      path,
      place: (name) => {
        flush(path);
        renameSync(path, name);
        flush(dirname(name));
      },
    });
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    remove(path);
  }
};
