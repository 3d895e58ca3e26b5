import { closeSync, fsyncSync, globSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FILE_PROBLEMS, writeFile } from '../lib/file-problems.ts';
import { onInterrupt } from '../lib/interrupt.ts';
import { UsageError } from './command.ts';

export const cannotWrite = (file: string, error: unknown): UsageError => {
  const { code = '' } = error as NodeJS.ErrnoException;
  return new UsageError(`Cannot write to ${file}: ${FILE_PROBLEMS[code] ?? code}.`, { cause: error });
};

/** Writes content to a file. Errors call it `name`. */
export const writeContent = (path: string, content: AsyncIterable<Uint8Array>, name: string): Promise<void> =>
  writeFile(path, content, (error) => cannotWrite(name, error));

/** Creates a file that only this user may read. */
const create = (path: string, name: string): void => {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    throw cannotWrite(name, error);
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

const SUFFIXES = ['', '-journal', '-wal', '-shm'];

const remove = (path: string): void => {
  for (const suffix of SUFFIXES) rmSync(path + suffix, { force: true });
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
};

const TEMP_NAME = new RegExp(`^\\.(\\d+)\\.part(?:${SUFFIXES.join('|')})$`);

/** Removes temporary files that killed commands left behind. One with our own process id is left over from an earlier
 *  process, because this process creates its file later. */
const removeAbandoned = (file: string): void => {
  const [folder, name] = [dirname(file), basename(file)];
  for (const entry of globSync('*.part*', { cwd: folder })) {
    const [, pid] = entry.startsWith(name) ? (TEMP_NAME.exec(entry.slice(name.length)) ?? []) : [];
    if (pid === undefined || (Number(pid) !== process.pid && isRunning(Number(pid)))) continue;
    rmSync(join(folder, entry), { force: true });
  }
};

/** A file under a temporary name, readable only by this user. */
export interface TempFile {
  readonly path: string;
  /** Its final name. */
  readonly file: string;
  /** Flushes the file to disk and renames it, replacing an existing file. */
  commit(name?: string): void;
}

/** Runs `work` on a temporary file, so that the target appears complete or not at all. An uncommitted file is removed, also
 *  on Ctrl+C; one that a killed process left behind is removed by the next command for the same target. */
export const withTempFile = async <T>(file: string, work: (draft: TempFile) => Promise<T>): Promise<T> => {
  const path = `${file}.${process.pid}.part`;
  removeAbandoned(file);
  create(path, file);
  const release = onInterrupt(() => remove(path));
  try {
    return await work({
      path,
      file,
      commit: (name = file) => {
        flush(path);
        renameSync(path, name);
        flush(dirname(name));
      },
    });
  } finally {
    release();
    remove(path);
  }
};
