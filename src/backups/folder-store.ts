import { createReadStream, rmSync, statSync } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '../lib/clock.ts';
import { FILE_PROBLEMS, writeFile } from '../lib/file-problems.ts';
import { onInterrupt } from '../lib/interrupt.ts';
import { BackupError, type ObjectStore } from './object-store.ts';

const REASONS: Record<string, string> = { ...FILE_PROBLEMS, ENOENT: 'it does not exist' };

const explain = (what: string, error: unknown): BackupError => {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new BackupError(`${what}: ${REASONS[code] ?? message}.`, { cause: error });
};

/** Removes temporary files of killed processes. The process may have run on another machine, so only the age counts. A file of
 *  another user does not prevent a backup. */
const removeAbandoned = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    if (!/^\.roster-.*\.part$/.test(name)) continue;
    const path = join(folder, name);
    const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (modified < Date.now() - DAY_MS) await rm(path, { force: true }).catch(() => {});
  }
};

/** Files in a folder, which must exist: an unmounted disk must not be mistaken for an empty folder. */
export const openFolder = (folder: string): ObjectStore => ({
  // Only reading a file shows what the disk has stored.
  verifiesWrites: false,
  list: async () => {
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map(({ name }) => ({ name, bytes: statSync(join(folder, name)).size }));
    } catch (error) {
      throw explain(`Cannot read the folder ${folder}`, error);
    }
  },
  write: async (name, content) => {
    const path = join(folder, name);
    const draft = join(folder, `.${name}.${process.pid}.part`);
    const release = onInterrupt(() => rmSync(draft, { force: true }));
    try {
      await removeAbandoned(folder);
      const explainWrite = (error: Error) => explain(`Cannot write ${path}`, error);
      await writeFile(draft, content, explainWrite, { flags: 'wx', flush: true });
      await rename(draft, path);
      const parent = await open(folder);
      await parent.sync().finally(() => parent.close());
    } finally {
      release();
      await rm(draft, { force: true });
    }
  },
  read: async function* (name) {
    const path = join(folder, name);
    try {
      yield* createReadStream(path, { highWaterMark: 1 << 18 });
    } catch (error) {
      throw explain(`Cannot read ${path}`, error);
    }
  },
  remove: (name) => rm(join(folder, name), { force: true }),
});
