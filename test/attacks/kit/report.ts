import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Prints the measurements of a proof and writes them to a file for docs/reliability.md. */
export const report = (name: string, figures: Readonly<Record<string, unknown>>): void => {
  const folder = join(tmpdir(), 'roster-figures');
  mkdirSync(folder, { recursive: true });
  const written = { name, at: new Date().toISOString(), ...figures };
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(written, null, 2)}\n`);
  console.log(`${name}: ${JSON.stringify(figures)}`);
};

/** Counts by name. */
export class Counter {
  readonly #counts = new Map<string, number>();

  add(name: string | number): void {
    this.#counts.set(`${name}`, (this.#counts.get(`${name}`) ?? 0) + 1);
  }

  get counts(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
