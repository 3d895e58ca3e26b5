import type { DatabaseSync } from 'node:sqlite';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';

const MAX_CHARACTERS = 1_000_000;
/** Maximum number of reads per check of the file version: with thousands of connections a turn of the event loop can last a
 *  second. */
const MAX_READS_PER_CHECK = 64;

interface Cacheable {
  readonly json: string;
}

/** Results of reads, cached until any process writes to the file. SQLite's `data_version` shows whether one did. */
export class ReadCache {
  readonly #version: { get(): { data_version: number } };
  readonly #entries = new Map<string, Cacheable>();
  #seenVersion = 0;
  #readsBeforeCheck = 0;
  #characters = 0;

  constructor(file: DatabaseSync) {
    this.#version = file.prepare('pragma data_version') as never;
  }

  /** The result of `find` is cached unless the file was written meanwhile. */
  getOrFind<O>(key: string, find: () => MaybePromise<O>): MaybePromise<O> {
    const version = this.#currentVersion();
    const cached = this.#entries.get(key) as O | undefined;
    return cached ?? chain(find(), (found) => this.#add(key, found, version));
  }

  /** Call it after a write of this process, so that the next read checks the file version. */
  readonly invalidate = (): void => {
    this.#readsBeforeCheck = 0;
  };

  /** Clears the cache if the file version has changed. Reads in one turn of the event loop share a check. */
  #currentVersion(): number {
    if (this.#readsBeforeCheck > 0) {
      this.#readsBeforeCheck--;
      return this.#seenVersion;
    }
    const { data_version } = this.#version.get();
    if (data_version !== this.#seenVersion) this.#clear();
    this.#seenVersion = data_version;
    this.#readsBeforeCheck = MAX_READS_PER_CHECK;
    setImmediate(this.invalidate);
    return data_version;
  }

  #add<O>(key: string, found: O, version: number): O {
    if (this.#currentVersion() !== version) return found;
    if (this.#characters > MAX_CHARACTERS) this.#clear();
    const entry = found as unknown as Cacheable;
    this.#entries.set(key, entry);
    this.#characters += key.length + entry.json.length;
    return found;
  }

  #clear() {
    this.#entries.clear();
    this.#characters = 0;
  }
}
