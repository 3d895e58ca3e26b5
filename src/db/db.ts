import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { SearchEngine } from './search.ts';
import type { Arguments, InsertedRow, RowInsert, Statement } from './statement.ts';

/** The database as operations see it, inside or outside a transaction. */
export interface Db {
  readonly search: SearchEngine;
  get<A extends Arguments, R>(statement: Statement<A, R>, args: A): MaybePromise<R | undefined>;
  all<A extends Arguments, R>(statement: Statement<A, R>, args: A): MaybePromise<R[]>;
  /** Runs a statement for its effect and returns how many rows it changed. */
  run<A extends Arguments>(statement: Statement<A, unknown>, args: A): MaybePromise<number>;
  /** Runs a statement once for each of the arguments, in order and in one round trip. */
  each<A extends Arguments>(statement: Statement<A, unknown>, many: readonly A[]): MaybePromise<number[]>;
  /** Inserts rows, in their order. Each result has those of a workspace that were inserted, if the table has a `seq` and its
   *  statements skip some. */
  insertRows<R extends Row>(
    insert: RowInsert<R>,
    rows: readonly R[],
  ): readonly MaybePromise<readonly InsertedRow[]>[];
  /** Runs work in a savepoint: if it throws, only its changes are rolled back. */
  savepoint<T>(work: () => MaybePromise<T>): Promise<T>;
  /** Defers a change of a derived table until the transaction ends or a statement reads a derived table. */
  defer<C>(table: DerivedTable<C>, change: C): void;
}

export type Row = Arguments & { workspace_id: number };

/** A table that is derived from records: counters, tags, search and audit entries. Its changes are deferred to the end of
 *  the transaction and written together, so that many cost little more than one. */
export interface DerivedTable<C> {
  /** Set it for changes that are written last, when the transaction ends, also if a statement reads a derived table. */
  readonly isLast?: boolean;
  /** Writes changes in the order in which they were deferred. Starts all statements before it awaits one, so that they
   *  share a round trip. */
  readonly write: (db: Db, changes: readonly C[]) => readonly MaybePromise<unknown>[];
}

/** A derived table whose changes are its new rows. */
export const derivedRows = <R extends Row>(insert: RowInsert<R>): DerivedTable<R> => ({
  write: (db, rows) => db.insertRows(insert, rows),
});
