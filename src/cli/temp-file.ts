import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FILE_PROBLEMS } from '../lib/file-problems.ts';
import { onInterrupt } from '../lib/interrupt.ts';
import { UsageError } from './command.ts';

const cannotWrite = (file: string, error: unknown): UsageError => {
  const { code = '' } = error as NodeJS.ErrnoException;
  return new UsageError(`Cannot write to ${file}: ${FILE_PROBLEMS[code] ?? code}.`, { cause: error });
};

/** Opens a file that only this user may read. Errors call it `name`. */
const openFile = (path: string, flags: 'w' | 'wx', name: string): number => {
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    throw cannotWrite(name, error);
  }
};

/** Writes all of the content, of which a single write may store only a part. Errors call the file `name`. */
export const writeContent = async (
  path: string,
  content: AsyncIterable<Uint8Array>,
  name: string,
): Promise<void> => {
  const output = openFile(path, 'w', name);
  const write = (chunk: Uint8Array) => {
    try {
      writeFileSync(output, chunk);
    } catch (error) {
      throw cannotWrite(name, error);
    }
  };
  try {
    for await (const chunk of content) write(chunk);
  } finally {
    closeSync(output);
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

/** Empty if the folder cannot be read. */
const entriesOf = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

const TEMP_NAME = new RegExp(`^\\.(\\d+)\\.part(?:${SUFFIXES.join('|')})$`);

/** Removes temporary files that killed commands left behind. One with our own process id is left over from an earlier
 *  process, because this process creates its file later. */
const removeAbandoned = (file: string): void => {
  const [folder, name] = [dirname(file), basename(file)];
  for (const entry of entriesOf(folder)) {
    const [, pid] = entry.startsWith(name) ? (TEMP_NAME.exec(entry.slice(name.length)) ?? []) : [];
    if (pid === undefined || (Number(pid) !== process.pid && isRunning(Number(pid)))) continue;
    rmSync(join(folder, entry), { force: true });
  }
};

/** A file under a temporary name, readable only by this user. */
export interface TempFile {
  readonly path: string;
  /** Flushes the file to disk and renames it, replacing an existing file. */
  commitAs(file: string): void;
}

/** Runs `work` on a temporary file, so that the target appears complete or not at all. An uncommitted file is removed, also
 *  on Ctrl+C; one that a killed process left behind is removed by the next command for the same target. */
export const withTempFile = async <T>(file: string, work: (draft: TempFile) => Promise<T>): Promise<T> => {
  const path = `${file}.${process.pid}.part`;
  removeAbandoned(file);
  closeSync(openFile(path, 'wx', file));
  const release = onInterrupt(() => remove(path));
  try {
    return await work({
      path,
      commitAs: (name) => {
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
