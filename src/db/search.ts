import { type RawBuilder, sql } from 'kysely';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { Page } from '../lib/page.ts';
import type { Matches, SqlDialect } from './dialect.ts';
import { pageOf } from './rows.ts';
import { type Arguments, type Statement, statementsWith } from './statement.ts';

/* Search for contacts by part of their text. A feature describes the search; the engine decides how to run it. */

/** The folded search text, and its digits if it can be part of a phone number. */
export type Needle = { workspace: number; text: string; phone: string | null };

export type PagedNeedle = Needle & { limit: number; offset: number };

/** The searchable texts of a record. */
export interface SearchTexts {
  search_text: string;
  search_phone: string;
}

/** `before` is undefined for a create, `after` for a delete. */
export interface TextChange {
  readonly workspace: number;
  readonly seq: number;
  readonly before: SearchTexts | undefined;
  readonly after: SearchTexts | undefined;
}

export interface SearchEngine {
  /** One page of the matches, newest first. */
  page<A extends PagedNeedle & Arguments>(search: PagedSearch<A>, args: A): MaybePromise<Page>;
  /** The rows that the statement of a search selects from the matches. */
  all<A extends Needle & Arguments, R>(search: Search<A, R>, args: A): MaybePromise<R[]>;
  /** Applies changes to the search index, in order. */
  index(changes: readonly TextChange[]): readonly MaybePromise<unknown>[];
}

/** A statement over the matches of a search: found by the index, and found by a scan of all records. */
export interface Search<A extends Arguments, R> {
  readonly indexed: Statement<A, R>;
  readonly scanned: Statement<A, R>;
}

/** A condition that records must also meet. */
export type Condition<A> = (args: A, seq: Matches['seq'], dialect: SqlDialect) => RawBuilder<unknown>;

export interface PagedSearch<A extends Arguments> extends Search<A, Page> {
  readonly condition: Condition<A> | undefined;
}

// The best plan depends on how rare the text is.
const statement = statementsWith({ readsDerived: true, planOnce: false });

/** A search whose statement is built from the matches. `after` excludes records with a lower `seq`. */
export const search = <A extends Needle & Arguments, R>(
  build: (matches: Matches, args: A, dialect: SqlDialect) => RawBuilder<R>,
  { after }: { after?: (args: A) => number } = {},
): Search<A, R> => {
  const by = (indexed: boolean) =>
    statement((args: A, dialect) =>
      build(dialect.matches(args, { indexed, ...(after && { after: after(args) }) }), args, dialect),
    );
  return { indexed: by(true), scanned: by(false) };
};

export const pagedSearch = <A extends PagedNeedle & Arguments>(condition?: Condition<A>): PagedSearch<A> => ({
  condition,
  ...search<A, Page>((matches, args, dialect) => pageOfMatches(dialect, matches, args, condition)),
});

/** The contacts for the `seq` values of a select, in its order. */
export const contactsBySeq = (seqs: RawBuilder<unknown>, workspace: number) =>
  sql`select contacts.seq, contacts.wire from (${seqs}) as found
    cross join contacts where contacts.workspace_id = ${workspace} and contacts.seq = found.seq`;

/** A page and its total from one pass over the `seq` values of all matches. */
const pageInOnePass = (
  dialect: SqlDialect,
  found: RawBuilder<unknown>,
  { workspace, limit, offset }: PagedNeedle,
) => {
  const seqs = sql`select seq from every order by seq desc limit ${limit} offset ${offset}`;
  const total = sql<number>`(select count(*) from every)`;
  const page = pageOf(dialect, contactsBySeq(seqs, workspace), total);
  return sql<Page>`with every as materialized (${found}) ${page}`;
};

export const pageOfMatches = <A extends PagedNeedle>(
  dialect: SqlDialect,
  { from, seq, order, isOrdered }: Matches,
  args: A,
  condition?: Condition<A>,
) => {
  const { workspace, limit, offset } = args;
  const found = condition ? sql`${from} and ${condition(args, seq, dialect)}` : from;
  if (!isOrdered) return pageInOnePass(dialect, sql`select ${seq} as seq from ${found}`, args);
  const seqs = sql`select ${seq} as seq from ${found} order by ${order} desc limit ${limit} offset ${offset}`;
  return pageOf(dialect, contactsBySeq(seqs, workspace), sql`(select count(*) from ${found})`);
};
