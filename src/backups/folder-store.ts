import { createReadStream, readdirSync, rmSync, statSync } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ObjectStore, OnInterrupt, StoredObject } from './object-store.ts';
import { BackupError } from './object-store.ts';

const REASONS: Record<string, string> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'part of the path is not a folder',
  EACCES: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

const explain = (what: string, error: unknown): BackupError => {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new BackupError(`${what}: ${REASONS[code] ?? message}.`, { cause: error });
};

const DAY_MS = 86_400_000;

/** Removes temporary files of killed processes. The process may have run on another machine, so only the age counts. */
const removeAbandoned = (folder: string): void => {
  for (const name of readdirSync(folder)) {
    if (!/^\.roster-.*\.part$/.test(name)) continue;
    const path = join(folder, name);
    const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (modified < Date.now() - DAY_MS) rmSync(path, { force: true });
  }
};

/** Files in a folder, which must exist: an unmounted disk must not be mistaken for an empty folder. */
export class FolderStore implements ObjectStore {
  readonly #folder: string;
  readonly #onInterrupt: OnInterrupt;

  constructor(folder: string, onInterrupt: OnInterrupt) {
    this.#folder = folder;
    this.#onInterrupt = onInterrupt;
  }

  async list(): Promise<StoredObject[]> {
    try {
      const entries = await readdir(this.#folder, { withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map(({ name }) => ({ name, bytes: statSync(join(this.#folder, name)).size }));
    } catch (error) {
      throw explain(`Cannot read the folder ${this.#folder}`, error);
    }
  }

  /** The bytes are not proven: only reading the file shows what the disk has stored. */
  async write(name: string, content: AsyncIterable<Uint8Array>): Promise<boolean> {
    const path = join(this.#folder, name);
    const draft = join(this.#folder, `.${name}.${process.pid}.part`);
    const release = this.#onInterrupt(() => rmSync(draft, { force: true }));
    try {
      removeAbandoned(this.#folder);
    } catch {
      // A file of another user does not prevent a backup.
    }
    try {
      const file = await open(draft, 'wx', 0o600).catch((error) => {
        throw explain(`Cannot write to the folder ${this.#folder}`, error);
      });
      try {
        for await (const chunk of content)
          await file.writeFile(chunk).catch((error) => {
            throw explain(`Cannot write ${path}`, error);
          });
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, path);
      const folder = await open(this.#folder);
      await folder.sync().finally(() => folder.close());
      return false;
    } finally {
      release();
      await rm(draft, { force: true });
    }
  }

  async *read(name: string): AsyncIterable<Uint8Array> {
    const path = join(this.#folder, name);
    try {
      yield* createReadStream(path, { highWaterMark: 1 << 18 });
    } catch (error) {
      throw explain(`Cannot read ${path}`, error);
    }
  }

  remove(name: string): Promise<void> {
    return rm(join(this.#folder, name), { force: true });
  }
}
