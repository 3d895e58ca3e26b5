import { type RawBuilder, sql } from 'kysely';
import { counterSum } from '../../db/counters.ts';
import type { Matches, SqlDialect } from '../../db/dialect.ts';
import { pageOf } from '../../db/pages.ts';
import {
  contactsBySeq,
  type Needle,
  type PagedNeedle,
  pagedSearch,
  type Search,
  search,
} from '../../db/search.ts';
import { type Statement, statementsOver } from '../../db/statement.ts';
import type { ContactTables } from './contact.store.ts';
import { type Conditions, meetsAt, WITHOUT_EMAIL, WITHOUT_NAME } from './list.store.ts';

/* The lists of contacts: pages, searches, walks through a selection, and contacts whose numbers conflict. */

const statement = statementsOver<ContactTables>({ readsDerived: true });

type PageArgs = { workspace: number; limit: number; offset: number };

/** The contacts with a lower `seq`. */
export const listAll = statement(
  (_, { workspace, below, limit, offset, list }: PageArgs & { below: number; list: string }, dialect) =>
    pageOf(
      dialect,
      sql`select seq, wire from contacts where workspace_id = ${workspace} and seq < ${below}
        order by seq desc limit ${limit} offset ${offset}`,
      counterSum(workspace, list),
    ),
);

export const listTagged = statement(
  (_, { workspace, tag, limit, offset, list }: PageArgs & { tag: string; list: string }, dialect) =>
    pageOf(
      dialect,
      contactsBySeq(
        sql`select seq from contact_tags where workspace_id = ${workspace} and tag = ${tag}
          order by seq desc limit ${limit} offset ${offset}`,
        workspace,
      ),
      counterSum(workspace, list),
    ),
);

const isTagged = (
  { workspace, tag }: { workspace: number; tag: string },
  seq: RawBuilder<number>,
) => sql`exists (select 1 from contact_tags
  where contact_tags.workspace_id = ${workspace} and tag = ${tag} and contact_tags.seq = ${seq})`;

/** Newest first. */
export const searches = {
  plain: pagedSearch<PagedNeedle>(),
  tagged: pagedSearch<PagedNeedle & { tag: string }>(isTagged),
  filtered: pagedSearch<PagedNeedle & Conditions>(meetsAt),
};

const contactsOf = (from: RawBuilder<unknown>, table: 'contacts' | 'contact_tags' = 'contacts') => ({
  from,
  seq: sql.ref<number>(`${table}.seq`),
  order: sql.ref(`${table}.seq`),
  isOrdered: true,
});

export type WalkArgs = Conditions & Needle & { tag: string; after: number; limit: number };
export type WalkRow = { id: string; seq: number; created_at: string };
export type ExportRow = { seq: number; wire: string; phone_identity: string | null; found: number };
type ExportArgs = WalkArgs & { bytes: number };

/** The next contacts of a walk, oldest first. They are found by `seq` and then looked up. */
const nextContacts = ({ from, seq, order }: Matches, { workspace, after, limit }: WalkArgs) =>
  sql`(select ${seq} as seq from ${from} and ${seq} > ${after} order by ${order} limit ${limit}) as found
    join contacts on contacts.workspace_id = ${workspace} and contacts.seq = found.seq`;

const selectIds = (matches: Matches, args: WalkArgs) => sql<WalkRow>`
  select contacts.id, contacts.seq, contacts.created_at from ${nextContacts(matches, args)} order by found.seq`;

/** As many contacts as fit into `bytes`, but at least one; `found` is how many matched within the limit. */
const selectRecords = (matches: Matches, args: ExportArgs) => sql<ExportRow>`
  select seq, wire, phone_identity, found from (
    select contacts.seq, contacts.wire, contacts.phone_identity, count(*) over () as found,
      sum(octet_length(contacts.wire)) over (order by found.seq) - octet_length(contacts.wire) as before
    from ${nextContacts(matches, args)}
  ) as sized where before < ${args.bytes} order by seq`;

type Select<A, R> = (matches: Matches, args: A) => RawBuilder<R>;

const withCondition = (matches: Matches, condition: RawBuilder<unknown>): Matches => ({
  ...matches,
  from: sql`${matches.from} and ${condition}`,
});

/** The indexes that a walk reads, in the order of creation. */
const walkRanges = {
  all: ({ workspace }: WalkArgs) => contactsOf(sql`contacts where contacts.workspace_id = ${workspace}`),
  tagged: ({ workspace, tag }: WalkArgs) =>
    contactsOf(
      sql`contact_tags where contact_tags.workspace_id = ${workspace} and tag = ${tag}`,
      'contact_tags',
    ),
  company: ({ workspace, company }: WalkArgs) =>
    contactsOf(sql`contacts where contacts.workspace_id = ${workspace} and contacts.company = ${company}`),
  source: ({ workspace, source }: WalkArgs) =>
    contactsOf(sql`contacts where contacts.workspace_id = ${workspace} and contacts.source = ${source}`),
  withoutEmail: ({ workspace }: WalkArgs) =>
    contactsOf(sql`contacts where contacts.workspace_id = ${workspace} and ${WITHOUT_EMAIL}`),
  withoutName: ({ workspace }: WalkArgs) =>
    contactsOf(sql`contacts where contacts.workspace_id = ${workspace} and ${WITHOUT_NAME}`),
};
export type WalkRange = keyof typeof walkRanges;

export interface WalkStatements<A extends WalkArgs, R> {
  /** Walks without conditions. */
  readonly all: Statement<A, R>;
  readonly tagged: Statement<A, R>;
  readonly filtered: Readonly<Record<WalkRange, Statement<A, R>>>;
  readonly search: Readonly<Record<'plain' | 'filtered', Search<A, R>>>;
}

/** The statements that walk through every kind of selection. */
const walkStatements = <A extends WalkArgs, R>(select: Select<A, R>): WalkStatements<A, R> => {
  const over = (matchesOf: (args: A, dialect: SqlDialect) => Matches): Statement<A, R> =>
    statement((_, args: A, dialect) => select(matchesOf(args, dialect), args), { planOnce: false });
  const filtered = (range: WalkRange) =>
    over((args, dialect) => {
      const matches = walkRanges[range](args);
      return withCondition(matches, meetsAt(args, matches.seq, dialect));
    });
  const searching = (isFiltered: boolean) =>
    search<A, R>(
      (matches, args, dialect) =>
        select(isFiltered ? withCondition(matches, meetsAt(args, matches.seq, dialect)) : matches, args),
      { after: ({ after }) => after },
    );
  return {
    all: over(walkRanges.all),
    tagged: over(walkRanges.tagged),
    filtered: {
      all: filtered('all'),
      tagged: filtered('tagged'),
      company: filtered('company'),
      source: filtered('source'),
      withoutEmail: filtered('withoutEmail'),
      withoutName: filtered('withoutName'),
    },
    search: { plain: searching(false), filtered: searching(true) },
  };
};

/** Statements for work that processes a whole selection. */
export const walks = {
  ids: walkStatements<WalkArgs, WalkRow>(selectIds),
  records: walkStatements<ExportArgs, ExportRow>(selectRecords),
};

/** The records of some contacts, by their ids. */
export const recordsById = statement(
  (_, { workspace, ids }: { workspace: number; ids: string }, dialect) => sql<Omit<ExportRow, 'found'>>`
    select seq, wire, phone_identity from contacts
    where workspace_id = ${workspace} and id in (select value from ${dialect.eachText(ids)}) order by seq`,
);

export const countById = statement(
  (_, { workspace, ids }: { workspace: number; ids: string }, dialect) => sql<{ count: number }>`
    select count(*) as count from contacts
    where workspace_id = ${workspace} and id in (select value from ${dialect.eachText(ids)})`,
);

type Conflicting = { workspace: number; contact: string };

/** Legacy contacts whose displayed number and identity conflict: all, or the one with an id. */
const conflicting = ({ workspace, contact }: Conflicting) => sql`from contacts
  where workspace_id = ${workspace} and phone_conflict = 1 and (${contact} = '' or id = ${contact})`;

/** Newest first. */
export const listConflicting = statement(
  (_, args: Conflicting & PageArgs) => sql<{
    wire: string;
    phone_number: string;
    phone_identity: string | null;
  }>`
    select wire, phone_number, phone_identity ${conflicting(args)}
    order by seq desc limit ${args.limit} offset ${args.offset}`,
);

export const countConflicting = statement(
  (_, args: Conflicting) => sql<{ count: number }>`select count(*) as count ${conflicting(args)}`,
);
