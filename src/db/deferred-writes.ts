import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { Db, DerivedTable } from './db.ts';

type Changes = (readonly [DerivedTable<never>, never])[];

const write = (db: Db, changes: Changes): MaybePromise<unknown>[] =>
  [...Map.groupBy(changes, ([table]) => table)].flatMap(([table, some]) =>
    table.write(
      db,
      some.map(([, change]) => change),
    ),
  );

/** The changes of derived tables that a transaction has deferred. */
export class DeferredWrites {
  #changes: Changes = [];
  #last: Changes = [];

  add<C>(table: DerivedTable<C>, change: C): void {
    const changes = table.isLast ? this.#last : this.#changes;
    changes.push([table as DerivedTable<never>, change as never]);
  }

  /** Writes all changes but the last ones, before a statement reads a derived table. */
  flush(db: Db): MaybePromise<unknown>[] {
    if (this.#changes.length === 0) return [];
    const changes = this.#changes;
    this.#changes = [];
    return write(db, changes);
  }

  /** Writes all changes, at the end of the transaction. */
  end(db: Db): MaybePromise<unknown>[] {
    const written = this.flush(db);
    const last = this.#last;
    this.#last = [];
    return [...written, ...write(db, last)];
  }

  /** Marks a savepoint and returns a function that rolls back to it. Changes that were deferred before it and flushed after
   *  it are deferred again, because the rollback also undid their writes. */
  savepoint(): () => void {
    const changes = this.#changes;
    const last = this.#last;
    const lengths = [changes.length, last.length] as const;
    return () => {
      [changes.length, last.length] = lengths;
      this.#changes = changes;
      this.#last = last;
    };
  }
}

export interface NamedChange {
  readonly workspace: number;
  readonly name: string;
  readonly by: number;
}

/** Adds up changes by workspace and name, and omits sums of zero. */
export const sumByName = (changes: readonly NamedChange[]): [workspace: number, sums: [string, number][]][] =>
  [...Map.groupBy(changes, ({ workspace }) => workspace)].map(([workspace, some]) => {
    const sums = new Map<string, number>();
    for (const { name, by } of some) sums.set(name, (sums.get(name) ?? 0) + by);
    return [workspace, [...sums].filter(([, sum]) => sum !== 0)];
  });
