import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { Db, DerivedTable } from './db.ts';

/** The changes of derived tables that a transaction has deferred. */
export class DeferredWrites {
  #changes: (readonly [DerivedTable<never>, never])[] = [];

  add<C>(table: DerivedTable<C>, change: C): void {
    this.#changes.push([table as DerivedTable<never>, change as never]);
  }

  flush(db: Db): MaybePromise<unknown>[] {
    if (this.#changes.length === 0) return [];
    const changes = this.#changes;
    this.#changes = [];
    return [...Map.groupBy(changes, ([table]) => table)].flatMap(([table, some]) =>
      table.write(
        db,
        some.map(([, change]) => change),
      ),
    );
  }

  /** Marks a savepoint and returns a function that rolls back to it. Changes that were deferred before it and flushed after
   *  it are deferred again, because the rollback also undid their writes. */
  savepoint(): () => void {
    const changes = this.#changes;
    const { length } = changes;
    return () => {
      changes.length = length;
      this.#changes = changes;
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
