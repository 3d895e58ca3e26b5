import type { Pending } from '../lib/maybe-promise.ts';
import type { Db } from './storage.ts';

/** Something that is kept beside records in a table of its own and follows when they change: counts, tags, search
 *  and audit entries. Its changes are held back until the transaction ends and then written together, so that many of them cost
 *  little more than one. A statement that looks at the table before that finds them written. */
export interface Kept<C> {
  /** Writes changes that came in this order. It waits for none of its statements, so that they travel together. */
  readonly write: (db: Db, changes: readonly C[]) => readonly Pending<unknown>[];
}

const tables: RegExp[] = [];

/** Defines what is kept in a table. */
export const keptIn = <C>(table: string, write: Kept<C>['write']): Kept<C> => {
  tables.push(new RegExp(`\\b${table}\\b`));
  return { write };
};

/** Whether a statement looks at anything that may be held back. */
export const looksAtKept = (sql: string): boolean => tables.some((table) => table.test(sql));

/** The changes that a transaction holds back. */
export class Held {
  #changes: (readonly [Kept<never>, never])[] = [];

  add<C>(kept: Kept<C>, change: C): void {
    this.#changes.push([kept as Kept<never>, change as never]);
  }

  /** Writes all of them and holds nothing any more. */
  write(db: Db): Pending<unknown>[] {
    if (this.#changes.length === 0) return [];
    const changes = this.#changes;
    this.#changes = [];
    return [...Map.groupBy(changes, ([kept]) => kept)].flatMap(([kept, some]) =>
      kept.write(
        db,
        some.map(([, change]) => change),
      ),
    );
  }

  /** Remembers this moment; gives back how to return to it. What was held then is held again, since whoever takes back
   *  what was done since takes back its writing, too. */
  mark(): () => void {
    const changes = this.#changes;
    const { length } = changes;
    return () => {
      changes.length = length;
      this.#changes = changes;
    };
  }
}

/** A change by a number of something that has a name in a workspace. */
export interface NamedChange {
  readonly workspace: number;
  readonly name: string;
  readonly by: number;
}

/** What changes come to for each workspace and name; those that come to nothing are left out. */
export const sumUp = (changes: readonly NamedChange[]): [workspace: number, sums: [string, number][]][] =>
  [...Map.groupBy(changes, ({ workspace }) => workspace)].map(([workspace, some]) => {
    const sums = new Map<string, number>();
    for (const { name, by } of some) sums.set(name, (sums.get(name) ?? 0) + by);
    return [workspace, [...sums].filter(([, sum]) => sum !== 0)];
  });
