import type { RawBuilder } from 'kysely';

export type Engine = 'sqlite' | 'postgres';

/** The SQL that the engines write differently, for statements while they are built. */
export interface SqlDialect {
  /** The next position in the list order of a table that has a `seq`. */
  nextSeq(table: string, workspace: number): RawBuilder<number>;
  /** The same for each row of a select over `eachObject`, in the order of its items. */
  nextSeqOfEach(table: string, workspace: number): RawBuilder<number>;
  /** Which part of a counter this transaction adds to, so that concurrent transactions do not wait for each other. */
  counterPart(): RawBuilder<number>;
  /** The strings of a JSON array, as a table with the column `value`. */
  eachText(json: string): RawBuilder<{ value: string }>;
  /** The entries of a JSON object, as a table with the columns `key` and `value`, both text. */
  eachEntry(json: string): RawBuilder<{ key: string; value: string }>;
  /** The objects of a JSON array, as a table with the column `value`, whose fields `value ->> 'name'` gives as text. */
  eachObject(json: string): RawBuilder<{ value: string }>;
  /** Appended to a select: locks the rows until the transaction ends. */
  lockRow(): RawBuilder<unknown>;
  /** The same, but skips rows that another transaction has locked. */
  lockUnlockedRows(): RawBuilder<unknown>;
  /** The `wire` of a select's rows in one text, separated by commas, newest first. The rows come in that order. */
  aggregateJson(rows: RawBuilder<unknown>): RawBuilder<string>;
  /** Whether this transaction got the lock of a name, which it holds until it ends. Does not wait. */
  tryAdvisoryLock(name: string): RawBuilder<unknown>;
  /** The records of a table that contain the needle, found by the index or by looking at every record. With `after` the
   *  index is entered at that `seq`: the record that has it may be among them, none before. */
  matches(table: string, args: MatchArgs, how: { indexed: boolean; after?: number }): Matches;
  /** A statement's text in the form that the engine plans best. */
  rewriteSql(text: string): string;
}

export interface MatchArgs {
  workspace: number;
  text: string;
  phone: string | null;
}

/** Parts of a select over what a search finds: what follows `from`, the `seq` of a record, and the expression that orders
 *  by it. */
export interface Matches {
  from: RawBuilder<unknown>;
  seq: RawBuilder<number>;
  order: RawBuilder<unknown>;
  /** Whether the engine can return the newest without finding all. */
  inOrder: boolean;
}
