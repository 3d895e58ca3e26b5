import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { SearchEngine } from './search.ts';
import type { Arguments, Statement } from './statement.ts';

/** A database as operations see it: inside a transaction or outside of one, on a thread or across a network. */
export interface Db {
  readonly search: SearchEngine;
  get<A extends Arguments, R>(statement: Statement<A, R>, args: A): MaybePromise<R | undefined>;
  all<A extends Arguments, R>(statement: Statement<A, R>, args: A): MaybePromise<R[]>;
  /** Runs a statement for its effect and returns how many rows it changed. */
  run<A extends Arguments>(statement: Statement<A, unknown>, args: A): MaybePromise<number>;
  /** The same for each of many arguments, in their order. They are sent together, in one round trip. */
  each<A extends Arguments>(statement: Statement<A, unknown>, many: readonly A[]): MaybePromise<number[]>;
  /** Runs work in a savepoint: when it throws, its changes alone are rolled back, and the transaction can continue. */
  savepoint<T>(work: () => MaybePromise<T>): Promise<T>;
  /** Defers a change of a derived table until the transaction ends or a statement reads a deferred table. */
  defer<C>(table: DerivedTable<C>, change: C): void;
}

/** A table that is derived from records and follows their changes: counters, tags, search and audit entries. Its changes
 *  are deferred to the end of the transaction and written together, so that many cost little more than one. */
export interface DerivedTable<C> {
  /** Writes changes in the order in which they were deferred. It starts all its statements before it waits for one, so
   *  that they share a round trip. */
  readonly write: (db: Db, changes: readonly C[]) => readonly MaybePromise<unknown>[];
}
