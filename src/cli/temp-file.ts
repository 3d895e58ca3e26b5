import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
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

const ENDS = ['', '-journal', '-wal', '-shm'];

const remove = (draft: string): void => {
  for (const end of ENDS) rmSync(draft + end, { force: true });
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
};

/** What cannot be listed is left alone. */
const entriesOf = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

const PART = new RegExp(`^\\.(\\d+)\\.part(?:${ENDS.join('|')})$`);

/** Removes drafts of a file that killed commands have left. One of our own process id is left over, too: it is written
 *  only after this. */
const removeAbandoned = (file: string): void => {
  const [folder, name] = [dirname(file), basename(file)];
  for (const entry of entriesOf(folder)) {
    const [, pid] = entry.startsWith(name) ? (PART.exec(entry.slice(name.length)) ?? []) : [];
    if (pid === undefined || (Number(pid) !== process.pid && isRunning(Number(pid)))) continue;
    rmSync(join(folder, entry), { force: true });
  }
};

/** A file that is being written under a name of its own, for this user alone. */
export interface Draft {
  readonly path: string;
  /** Flushes it to the disk and gives it its name, in place of what has that name. */
  place(file: string): void;
}

/** Works on a draft of a file, so that the file is there whole or not at all. What was not placed is removed, also when
 *  the person at the terminal interrupts; what a kill has left is removed by the next command for the same file. */
export const withDraft = async <T>(file: string, work: (draft: Draft) => Promise<T>): Promise<T> => {
  const path = `${file}.${process.pid}.part`;
  removeAbandoned(file);
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
