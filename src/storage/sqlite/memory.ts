import type { DatabaseSync } from 'node:sqlite';
import type { Page } from '../../kernel/page.ts';
import { after, type Pending } from '../../kernel/pending.ts';

const MOST_CHARACTERS = 1_000_000;

/** Pages as they were found, kept until anybody writes anything: whoever turns them to and fro, or asks for the same list
 *  again, is answered at once. The file itself says whether it was written, by this process or by another. */
export class Memory {
  readonly #version: { get(): { data_version: number } };
  readonly #pages = new Map<string, Page>();
  #seen = 0;
  #characters = 0;

  constructor(file: DatabaseSync) {
    this.#version = file.prepare('pragma data_version') as never;
  }

  /** The page that is kept under a name; else `find` it, and keep it if nothing was written meanwhile. */
  recall(name: string, find: () => Pending<Page>): Pending<Page> {
    const asked = this.#look();
    return this.#pages.get(name) ?? after(find(), (found) => this.#keep(name, found, asked));
  }

  /** Which state of the file this is; forgets what was kept of another. */
  #look(): number {
    const { data_version } = this.#version.get();
    if (data_version !== this.#seen) this.#forget();
    this.#seen = data_version;
    return data_version;
  }

  #keep(name: string, found: Page, asked: number): Page {
    if (this.#look() !== asked) return found;
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
