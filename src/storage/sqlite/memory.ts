import type { DatabaseSync } from 'node:sqlite';

const MOST_CHARACTERS = 4_000_000;

type Page = { wire: string };

const isPage = (value: unknown): value is Page =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Page>).wire === 'string';

/** Pages that took long to find, kept until anybody writes anything: whoever turns pages to and fro, or lets the same list
 *  be drawn again, is answered at once. The file itself says whether it was written, by this process or another. */
export class Memory {
  readonly #version: { get(): { data_version: number } };
  readonly #pages = new Map<string, Page>();
  #seen = 0;
  #characters = 0;

  constructor(file: DatabaseSync) {
    this.#version = file.prepare('pragma data_version') as never;
  }

  /** The page that is kept under a name; else `find` it, and keep it if nothing was written meanwhile. */
  async recall<O>(name: string, find: () => Promise<O>): Promise<O> {
    const asked = this.#look();
    const known = this.#pages.get(name);
    return known ? (known as O) : this.#keep(name, await find(), asked);
  }

  /** Which state of the file this is; forgets what was kept of another. */
  #look(): number {
    const { data_version } = this.#version.get();
    if (data_version !== this.#seen) this.#forget();
    this.#seen = data_version;
    return data_version;
  }

  #keep<O>(name: string, found: O, asked: number): O {
    if (!isPage(found) || this.#look() !== asked) return found;
    if (this.#characters > MOST_CHARACTERS) this.#forget();
    this.#pages.set(name, found);
    this.#characters += name.length + found.wire.length;
    return found;
  }

  #forget() {
    this.#pages.clear();
    this.#characters = 0;
  }
}
