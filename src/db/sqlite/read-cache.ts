import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import type { SharedSnapshot } from './shared-snapshot.ts';

const MAX_CHARACTERS = 1_000_000;

interface Cacheable {
  readonly json: string;
}

/** Results of reads, cached until any process writes to the file. */
export class ReadCache {
  readonly #snapshot: Pick<SharedSnapshot, 'enter'>;
  readonly #entries = new Map<string, Cacheable>();
  #version = 0;
  #characters = 0;

  constructor(snapshot: Pick<SharedSnapshot, 'enter'>) {
    this.#snapshot = snapshot;
  }

  /** The result of `find` is cached unless the file was written meanwhile. */
  getOrFind<O>(key: string, find: () => MaybePromise<O>): MaybePromise<O> {
    const version = this.#currentVersion();
    const cached = this.#entries.get(key) as O | undefined;
    return cached ?? chain(find(), (found) => this.#add(key, found, version));
  }

  /** Clears the cache if the version of the file has changed. */
  #currentVersion(): number {
    const version = this.#snapshot.enter();
    if (version !== this.#version) this.#clear();
    this.#version = version;
    return version;
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
