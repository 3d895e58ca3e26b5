import type { DatabaseSync } from 'node:sqlite';
import { after, type Pending } from '../../lib/maybe-promise.ts';
import type { Wired } from '../storage.ts';

const MOST_CHARACTERS = 1_000_000;
/** So many share a look at the file: with thousands of connections a turn of the event loop can last a second. */
const MOST_SHARING = 64;

/** Answers as they were found, kept until anybody writes anything: whoever turns pages to and fro, or asks for the same
 *  list or agent again, is answered at once. The file itself says whether it was written, by this process or by another. */
export class Memory {
  readonly #version: { get(): { data_version: number } };
  readonly #kept = new Map<string, Wired>();
  #seen = 0;
  #sharing = 0;
  #characters = 0;

  constructor(file: DatabaseSync) {
    this.#version = file.prepare('pragma data_version') as never;
  }

  /** What is kept under a name; else `find` it, and keep it if nothing was written meanwhile. */
  recall<O extends Wired>(name: string, find: () => Pending<O>): Pending<O> {
    const asked = this.#look();
    return (
      (this.#kept.get(name) as O | undefined) ?? after(find(), (found) => this.#keep(name, found, asked))
    );
  }

  /** Somebody of this process has written: what was answered must be seen by whoever asks next. */
  readonly doubt = (): void => {
    this.#sharing = 0;
  };

  /** Which state of the file this is; forgets what was kept of another. Some who ask in the same turn of the event loop share
   *  a look. */
  #look(): number {
    if (this.#sharing > 0) {
      this.#sharing--;
      return this.#seen;
    }
    const { data_version } = this.#version.get();
    if (data_version !== this.#seen) this.#forget();
    this.#seen = data_version;
    this.#sharing = MOST_SHARING;
    setImmediate(this.doubt);
    return data_version;
  }

  #keep<O extends Wired>(name: string, found: O, asked: number): O {
    if (this.#look() !== asked) return found;
    if (this.#characters > MOST_CHARACTERS) this.#forget();
    this.#kept.set(name, found);
    this.#characters += name.length + found.wire.length;
    return found;
  }

  #forget() {
    this.#kept.clear();
    this.#characters = 0;
  }
}
