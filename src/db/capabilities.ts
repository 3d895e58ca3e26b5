import type { RawBuilder } from 'kysely';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { PageRequest } from '../lib/page.ts';

export type Engine = 'sqlite' | 'postgres';

/** What a search looks for: the folded text, and the digits alone where it could be a piece of a phone number. */
export interface Needle {
  text: string;
  phone: string | null;
}

/** Tables whose records are found by a piece of text. */
export type Searched = 'contacts';

/** A needle, and the page of what it finds that is asked for. */
export type Wanted = Needle & PageRequest & { workspace: number };

/** A better way to find a needle than to ask the index for it or to look through all records. */
export type KeptWay =
  /** The index answers a query for a rare piece of the needle; what it finds is looked through. */
  | { how: 'narrowed'; query: string }
  /** So many records up to a place in the list have it; those after it are few and looked through. The page is looked for
   *  above another place, and, where the way is to ask, among those that the index finds by a query. */
  | { how: 'asked' | 'walked'; query: string; count: number; upTo: number; above: number };

/** The two texts by which a record is found. */
export interface SearchTexts {
  search_text: string;
  search_phone: string;
}

/** A record's texts, before and after a change. None before is a create, none after a delete. */
export interface TextChange {
  readonly workspace: number;
  readonly seq: number;
  readonly before: SearchTexts | undefined;
  readonly after: SearchTexts | undefined;
}

/** What statements can ask of an engine while they are built. */
export interface SqlDialect {
  /** The next place in the list order of a table that has a `seq`. */
  nextSeq(table: string, workspace: number): RawBuilder<number>;
  /** The same for each row of a select over `eachObject`, in the order of its items; nobody else gets them. */
  nextSeqOfEach(table: string, workspace: number): RawBuilder<number>;
  /** Which row of a kept count this transaction adds to, so that no two running ones wait for each other. */
  counterPart(): RawBuilder<number>;
  /** The strings of a JSON array, as a table with the column `value`. */
  eachText(json: string): RawBuilder<{ value: string }>;
  /** The entries of a JSON object, as a table with the columns `key` and `value`, both text. */
  eachEntry(json: string): RawBuilder<{ key: string; value: string }>;
  /** The objects of a JSON array, as a table with the column `value`, whose fields `value ->> 'name'` gives as text. */
  eachObject(json: string): RawBuilder<{ value: string }>;
  /** Appended to a select by primary key: nobody else changes the row before this transaction ends. */
  lockRow(): RawBuilder<unknown>;
  /** The same, but passes over rows that somebody else is changing instead of waiting for them. */
  lockUnlockedRows(): RawBuilder<unknown>;
  /** The `wire` of a select's rows in one text with commas between, newest first. The rows come in that order. */
  aggregateJson(rows: RawBuilder<unknown>): RawBuilder<string>;
  /** Whether nobody else holds a name; from then on this transaction does, until it ends. */
  tryAdvisoryLock(name: string): RawBuilder<unknown>;
  /** The records of a table that contain the needle; `indexed` as RunTime says. With `after` an index is entered at that
   *  `seq`: the record that has it may be among them, none before. */
  matches(table: string, args: MatchArgs, how: { indexed: boolean; after?: number }): Matches;
  /** A statement's text in the words that the engine runs soonest. */
  rewriteSql(text: string): string;
}

export interface MatchArgs {
  workspace: number;
  text: string;
  phone: string | null;
}

/** The pieces of a select over what a search finds: what stands after `from`, the `seq` of a record, and what to order by
 *  that `seq`, in the terms of the engine. */
export interface Matches {
  from: RawBuilder<unknown>;
  seq: RawBuilder<number>;
  order: RawBuilder<unknown>;
  /** Whether they come in that order one by one. Else all are found before the first is known. */
  inOrder: boolean;
}

/** What operations can ask of an engine while they run. */
export interface RunTime {
  /** The arguments of `matches` for a needle, and whether the index can answer it. */
  needle(needle: Needle): { text: string; phone: string | null; indexed: boolean };
  /** How a needle is found by what is kept of its pieces; undefined where that is no better. */
  keptWay(table: Searched, wanted: Wanted): MaybePromise<KeptWay | undefined>;
  /** Brings the search index of a table from one state of records to the next, by changes in the order in which they
   *  came. */
  indexTexts(table: Searched, changes: readonly TextChange[]): readonly MaybePromise<unknown>[];
}
