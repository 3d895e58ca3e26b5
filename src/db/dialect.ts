import type { RawBuilder } from 'kysely';

export type Engine = 'sqlite' | 'postgres';

/** The SQL that differs between the engines. */
export interface SqlDialect {
  /** The next `seq` of a table: the position of a new record in list order. */
  nextSeq(table: string, workspace: number): RawBuilder<number>;
  /** The same for each row of a select over `eachObject`, in the order of its items. Another table can reserve positions. */
  nextSeqOfEach(table: string, workspace: number, reserved?: string): RawBuilder<number>;
  /** The `seq` of a new row in a log that is read in the order of commits. If transactions commit concurrently, or other
   *  rows are provisional, it is negative and provisional: the row gets its position after the commit (see features/events/event.sequence.ts). */
  provisionalSeq(table: string, workspace: number): RawBuilder<number>;
  /** The part of a counter that this transaction adds to (see counters.ts). */
  counterPart(): RawBuilder<number>;
  /** The strings of a JSON array, as a table with the column `value`. */
  eachText(json: string): RawBuilder<{ value: string }>;
  /** Whether a column has one of the values of a select. They are few, and each is looked up in the index of the column. */
  isAmongFew(column: RawBuilder<unknown>, values: RawBuilder<unknown>): RawBuilder<boolean>;
  /** The entries of a JSON object, as a table with the columns `key` and `value`, both text. */
  eachEntry(json: string): RawBuilder<{ key: string; value: string }>;
  /** A member of a JSON object, null if it has none: a text that is compared by its bytes, a number, or `true` or `false` as text. */
  member(object: RawBuilder<string>, name: string, kind: MemberKind): RawBuilder<string>;
  /** The objects of a JSON array, as a table with the column `value`. Read a field with `value ->> 'name'`. */
  eachObject(json: string): RawBuilder<{ value: string }>;
  /** Appended to a select: locks the rows until the transaction ends. */
  lockRow(): RawBuilder<unknown>;
  /** The same, but several transactions may hold the lock together; it only prevents changes of the rows. */
  lockRowShared(): RawBuilder<unknown>;
  /** After a table's name: the index to read, where the planner would choose a worse one. */
  byIndex(name: string): RawBuilder<unknown>;
  /** Like `lockRow`, but skips rows that another transaction has locked. */
  lockUnlockedRows(): RawBuilder<unknown>;
  /** Joins the stored JSON (`wire`) of a select's rows by commas. The rows must be sorted newest first. */
  aggregateJson(rows: RawBuilder<unknown>): RawBuilder<string>;
  /** Waits for the named lock of other transactions. It is released when the transaction ends. */
  advisoryLock(name: string): RawBuilder<unknown>;
  /** The same, but several transactions may hold the lock together. */
  sharedAdvisoryLock(name: string): RawBuilder<unknown>;
  /** Whether this transaction could take the named lock without waiting. It is released when the transaction ends. */
  tryAdvisoryLock(name: string): RawBuilder<unknown>;
  /** The contacts that contain the needle, found by the index or by a scan. `after` excludes those with a lower `seq`. */
  matches(args: MatchArgs, how: { indexed: boolean; after?: number }): Matches;
  /** A text with ASCII letters in lower case, which is compared by its bytes. */
  lowerAscii(text: RawBuilder<string>): RawBuilder<string>;
  /** Whether a text contains another one, all of whose characters are plain. */
  contains(text: RawBuilder<string>, part: RawBuilder<unknown>): RawBuilder<boolean>;
  /** A text that is compared by its bytes. */
  bytewise(text: RawBuilder<unknown>): RawBuilder<string>;
  /** The first characters of a text. */
  firstCharacters(text: RawBuilder<string>, count: number): RawBuilder<string>;
  /** A condition on the records of an index range, for which a planner without statistics must not choose another index. */
  withinRange(condition: RawBuilder<unknown>): RawBuilder<unknown>;
  /** Adapts a compiled statement to the query planner of the engine. */
  rewriteSql(text: string): string;
}

export type MemberKind = 'text' | 'number' | 'boolean';

export interface MatchArgs {
  workspace: number;
  text: string;
  phone: string | null;
}

/** Parts of a select over the matches of a search: the text after `from`, the `seq` of a record, and the expression to sort
 *  by. */
export interface Matches {
  from: RawBuilder<unknown>;
  seq: RawBuilder<number>;
  order: RawBuilder<unknown>;
  /** Whether the engine can return the newest matches without finding all of them. */
  isOrdered: boolean;
}
