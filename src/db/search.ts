import { type RawBuilder, sql } from 'kysely';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { Page } from '../lib/page.ts';
import type { Matches, SqlDialect } from './capabilities.ts';
import { pageOf } from './pages.ts';
import { type Arguments, type Statement, statementsOver } from './statement.ts';

/* Search for records by part of their text. A feature describes what it wants; the engine decides how to find it. */

/** Tables whose records are found by part of their text. */
export type SearchTable = 'contacts';

/** What a search looks for: the folded text, and the digits alone where it could be part of a phone number. */
export type Needle = { workspace: number; text: string; phone: string | null };

export type PagedNeedle = Needle & { limit: number; offset: number };

/** The two texts by which a record is found. */
export interface SearchTexts {
  search_text: string;
  search_phone: string;
}

/** The texts of a record before and after a change: none before a create, none after a delete. */
export interface TextChange {
  readonly workspace: number;
  readonly seq: number;
  readonly before: SearchTexts | undefined;
  readonly after: SearchTexts | undefined;
}

/** How an engine searches. */
export interface SearchEngine {
  /** One page of what a search finds, newest first. */
  page<A extends PagedNeedle & Arguments>(search: PagedSearch<A>, args: A): MaybePromise<Page>;
  /** The rows that a statement selects from what a search finds. */
  all<A extends Needle & Arguments, R>(search: Search<A, R>, args: A): MaybePromise<R[]>;
  /** Updates the search index of a table by changes in their order. */
  index(table: SearchTable, changes: readonly TextChange[]): readonly MaybePromise<unknown>[];
}

/** A statement over what a search finds, for an engine that finds it by its index, and by looking at every record. */
export interface Search<A extends Arguments, R> {
  readonly indexed: Statement<A, R>;
  readonly scanned: Statement<A, R>;
}

/** A condition that records must also meet. */
export type Condition<A> = (args: A, seq: Matches['seq'], can: SqlDialect) => RawBuilder<unknown>;

/** A search whose result is shown in pages. */
export interface PagedSearch<A extends Arguments> extends Search<A, Page> {
  readonly table: SearchTable;
  readonly condition: Condition<A> | undefined;
}

/** The best plan depends on how rare the text is. */
const statement = statementsOver<object>({ readsDerived: true, planOnce: false });

/** A search whose statement `build` makes from the matches. With `after` an index is entered at the `seq` of that argument:
 *  the record that has it may be among the matches, none before. */
export const search = <A extends Needle & Arguments, R>(
  table: SearchTable,
  build: (matches: Matches, args: A, can: SqlDialect) => RawBuilder<R>,
  { after }: { after?: (args: A) => number } = {},
): Search<A, R> => {
  const by = (indexed: boolean) =>
    statement((_, args: A, can) =>
      build(can.matches(table, args, { indexed, ...(after && { after: after(args) }) }), args, can),
    );
  return { indexed: by(true), scanned: by(false) };
};

/** A search in pages, of the records that meet a condition. */
export const pagedSearch = <A extends PagedNeedle & Arguments>(
  table: SearchTable,
  condition?: Condition<A>,
): PagedSearch<A> => ({
  table,
  condition,
  ...search<A, Page>(table, (matches, args, can) => pageOfMatches(can, table, matches, args, condition)),
});

/** The records of a page whose `seq` a select gives, in its order. */
export const recordsBySeq = (table: string, seqs: RawBuilder<unknown>, workspace: number) => {
  const records = sql.table(table);
  return sql`select ${records}.seq, ${records}.wire from (${seqs}) as found
    cross join ${records} where ${records}.workspace_id = ${workspace} and ${records}.seq = found.seq`;
};

/** A page and its total from one pass over the `seq` of everything that is found. */
export const pageInOnePass = (
  can: SqlDialect,
  table: string,
  found: RawBuilder<unknown>,
  { workspace, limit, offset }: PagedNeedle,
) => {
  const seqs = sql`select seq from every order by seq desc limit ${limit} offset ${offset}`;
  const total = sql<number>`(select count(*) from every)`;
  const page = pageOf(can, recordsBySeq(table, seqs, workspace), total);
  return sql<Page>`with every as materialized (${found}) ${page}`;
};

/** A page of the matches that meet a condition. */
export const pageOfMatches = <A extends PagedNeedle>(
  can: SqlDialect,
  table: string,
  { from, seq, order, inOrder }: Matches,
  args: A,
  condition?: Condition<A>,
) => {
  const { workspace, limit, offset } = args;
  const found = condition ? sql`${from} and ${condition(args, seq, can)}` : from;
  if (!inOrder) return pageInOnePass(can, table, sql`select ${seq} as seq from ${found}`, args);
  const seqs = sql`select ${seq} as seq from ${found} order by ${order} desc limit ${limit} offset ${offset}`;
  return pageOf(can, recordsBySeq(table, seqs, workspace), sql`(select count(*) from ${found})`);
};
