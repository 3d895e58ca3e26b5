import type { Pending } from '../lib/maybe-promise.ts';
import type { Rate, Taken } from '../lib/rate-limit.ts';
import type { RunTime } from './capabilities.ts';
import type { Kept } from './deferred-writes.ts';
import type { Arguments, Statement } from './statement.ts';

/** A database as operations see it: inside a transaction or outside of one, on a thread or across a network. */
export interface Db {
  readonly can: RunTime;
  get<A extends Arguments, R>(statement: Statement<A, R>, args: A): Pending<R | undefined>;
  all<A extends Arguments, R>(statement: Statement<A, R>, args: A): Pending<R[]>;
  /** Runs a statement for its effect and says how many rows it changed. */
  run<A extends Arguments>(statement: Statement<A, unknown>, args: A): Pending<number>;
  /** The same for each of many arguments, in their order. They are sent together, so that many cost one journey. */
  each<A extends Arguments>(statement: Statement<A, unknown>, many: readonly A[]): Pending<number[]>;
  /** A piece of a transaction: when it throws, it alone is undone, and whoever catches that may go on. */
  piece<T>(work: () => Pending<T>): Promise<T>;
  /** Holds a change of what is kept beside records back, until the transaction ends or a statement looks at it. */
  hold<C>(kept: Kept<C>, change: C): void;
}

/** A named function over a database. Who asks, what is asked and what is answered cross threads, so they are plain
 *  data; the function itself is found again by its name (see operations.ts). */
// biome-ignore lint/suspicious/noExplicitAny: any operation, whatever it takes and gives
export type Operation<W = any, I = any, O = any> = ((db: Db, who: W, input: I) => Pending<O>) & {
  /** Whether it may run at the same time as others in the same transaction. Such a one is short and takes no `piece`. It
   *  only adds records, or refuses where it meets one that may be theirs; then it is run again by itself. */
  readonly mayShare?: boolean;
};

/** Whose requests are counted. */
export interface Holder {
  readonly workspace: number;
  readonly actor: string;
}

/** What holders have used of their rates, counted for all instances that may serve them. */
export interface Rates {
  take(holder: Holder, rate: Rate): Pending<Taken>;
}

/** Something as the JSON in which it is sent. */
export interface Wired {
  readonly wire: string;
}

/** The door to the records. Which way an operation goes through it says what it may cost. */
export interface Storage {
  /** Short reads, whose work does not grow with the table. The embedded engine runs them where they are asked. */
  read<W, I, O>(operation: Operation<W, I, O>, who: W, input: I): Pending<O>;
  /** Reads whose work can grow: never on the thread that serves requests. */
  scan<W, I, O>(operation: Operation<W, I, O>, who: W, input: I): Promise<O>;
  /** What is asked for again and again, such as the first page of a list: a scan if its work `grows`, else a read. The
   *  embedded engine keeps it until anybody writes. */
  recall<W, I, O extends Wired>(
    operation: Operation<W, I, O>,
    who: W,
    input: I,
    how: { grows: boolean },
  ): Pending<O>;
  /** One transaction. Resolves when it is on disk; on any error nothing of it is. */
  write<W, I, O>(operation: Operation<W, I, O>, who: W, input: I): Promise<O>;
  readonly rates: Rates;
  /** Whether the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
