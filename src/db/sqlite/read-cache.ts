import type { DatabaseSync } from 'node:sqlite';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';

const MAX_CHARACTERS = 1_000_000;
/** So many reads share one look at the file: with thousands of connections a turn of the event loop can last a second. */
const MAX_SHARING = 64;

/** What can be cached: an object with its JSON. */
interface Cacheable {
  readonly json: string;
}

/** Results of reads, cached until any process writes to the file. SQLite's `data_version` shows whether one did. */
export class ReadCache {
  readonly #version: { get(): { data_version: number } };
  readonly #entries = new Map<string, Cacheable>();
  #seenVersion = 0;
  #sharing = 0;
  #characters = 0;

  constructor(file: DatabaseSync) {
    this.#version = file.prepare('pragma data_version') as never;
  }

  /** The cached result; else the one that `find` returns, which is cached unless something was written meanwhile. */
  getOrFind<O>(key: string, find: () => MaybePromise<O>): MaybePromise<O> {
    const version = this.#currentVersion();
    const cached = this.#entries.get(key) as O | undefined;
    return cached ?? chain(find(), (found) => this.#add(key, found, version));
  }

  /** This process has written: the next read must see it. */
  readonly invalidate = (): void => {
    this.#sharing = 0;
  };

  /** The version of the file; clears the cache when it has changed. Reads in the same turn of the event loop share a
   *  look. */
  #currentVersion(): number {
    if (this.#sharing > 0) {
      this.#sharing--;
      return this.#seenVersion;
    }
    const { data_version } = this.#version.get();
    if (data_version !== this.#seenVersion) this.#clear();
    this.#seenVersion = data_version;
    this.#sharing = MAX_SHARING;
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
