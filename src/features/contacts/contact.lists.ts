import { type RawBuilder, sql } from 'kysely';
import type { KeptWay, Matches, SqlDialect } from '../../db/capabilities.ts';
import { counterSum } from '../../db/counters.ts';
import { pageOf } from '../../db/pages.ts';
import { statementsOver } from '../../db/statement.ts';
import type { Page } from '../../lib/page.ts';
import type { ContactTables } from './contact.store.ts';
import { APOSTROPHES } from './contact.terms.ts';

/** The lists of contacts: pages, searches, walks through all that fit, and those whose numbers conflict. */
const statement = statementsOver<ContactTables>({ readsDerived: true });

type PageArgs = { workspace: number; limit: number; offset: number };
type TagArgs = PageArgs & { tag: string; list: string };
type SearchArgs = PageArgs & { text: string; phone: string | null };

/** The contacts of a page whose places a select gives, in its order. */
const placedBy = (places: RawBuilder<unknown>, workspace: number) =>
  sql`select contacts.seq, contacts.wire from (${places}) as found
    cross join contacts where contacts.workspace_id = ${workspace} and contacts.seq = found.seq`;

/** The contacts below a place in the order. */
export const listAll = statement(
  (_, { workspace, below, limit, offset, list }: PageArgs & { below: number; list: string }, can) =>
    pageOf(
      can,
      sql`select seq, wire from contacts where workspace_id = ${workspace} and seq < ${below}
        order by seq desc limit ${limit} offset ${offset}`,
      counterSum(workspace, list),
    ),
);

export const listTagged = statement((_, { workspace, tag, limit, offset, list }: TagArgs, can) =>
  pageOf(
    can,
    placedBy(
      sql`select seq from contact_tags where workspace_id = ${workspace} and tag = ${tag}
        order by seq desc limit ${limit} offset ${offset}`,
      workspace,
    ),
    counterSum(workspace, list),
  ),
);

const isTagged = (
  workspace: number,
  tag: string,
  seq: RawBuilder<number>,
) => sql`exists (select 1 from contact_tags
  where contact_tags.workspace_id = ${workspace} and tag = ${tag} and contact_tags.seq = ${seq})`;

type Found = (args: SearchArgs & { query: string }, can: SqlDialect) => Matches;

/** A page and its total by one look at all that is found, by its place. */
const lookedAtOnce = (
  can: SqlDialect,
  found: RawBuilder<unknown>,
  { workspace, limit, offset }: PageArgs,
) => {
  const places = sql`select seq from every order by seq desc limit ${limit} offset ${offset}`;
  const total = sql<number>`(select count(*) from every)`;
  return sql<Page>`with every as materialized (${found}) ${pageOf(can, placedBy(places, workspace), total)}`;
};

/** A page of what was found, of those that also meet a condition. */
const pageFound = (
  can: SqlDialect,
  { from, seq, order, inOrder }: Matches,
  args: PageArgs,
  condition?: (seq: Matches['seq']) => RawBuilder<unknown>,
) => {
  const { workspace, limit, offset } = args;
  const found = condition ? sql`${from} and ${condition(seq)}` : from;
  if (!inOrder) return lookedAtOnce(can, sql`select ${seq} as seq from ${found}`, args);
  const places = sql`select ${seq} as seq from ${found} order by ${order} desc limit ${limit} offset ${offset}`;
  return pageOf(can, placedBy(places, workspace), sql`(select count(*) from ${found})`);
};

/** Searches in the order of the list, with or without a tag. Which plan is best depends on how rare the text is. */
const listFound = (search: Found, isWithTag: boolean) =>
  statement(
    (_, args: SearchArgs & { query: string; tag: string }, can) => {
      const { workspace, tag } = args;
      return pageFound(
        can,
        search(args, can),
        args,
        isWithTag ? (seq) => isTagged(workspace, tag, seq) : undefined,
      );
    },
    { planOnce: false },
  );

export const indexed: Found = (args, can) => can.matches('contacts', args, { indexed: true });
export const scanned: Found = (args, can) => can.matches('contacts', args, { indexed: false });
/** Those that the index finds by the query, and no others. */
const asked: Found = ({ workspace, query, phone }, can) =>
  can.matches('contacts', { workspace, text: query, phone }, { indexed: true });

/** Searches among the few that the index finds by the query. Each is looked at once, to be counted and shown. */
const listNarrowed = (isWithTag: boolean) =>
  statement(
    (_, args: SearchArgs & { query: string; tag: string }, can) => {
      const [all, few] = [scanned(args, can), asked(args, can)];
      const tagged = isWithTag ? sql`and ${isTagged(args.workspace, args.tag, all.seq)}` : sql``;
      const found = sql`select ${all.seq} as seq from ${all.from}
        and ${all.seq} in (select ${few.seq} from ${few.from}) ${tagged}`;
      return lookedAtOnce(can, found, args);
    },
    { planOnce: false },
  );

const listsFound = (search: Found) => ({ plain: listFound(search, false), tagged: listFound(search, true) });

export const listSearches = {
  indexed: listsFound(indexed),
  scanned: listsFound(scanned),
  narrowed: { plain: listNarrowed(false), tagged: listNarrowed(true) },
};

type FilterArgs = { workspace: number; tag: string; company: string; words: string };

/** The search text with one kind of apostrophe, and the digits of the number. */
const haystack = APOSTROPHES.slice(1).reduce(
  (text, apostrophe) => sql`replace(${text}, ${sql.lit(apostrophe)}, '''')`,
  sql`c.search_text || ' ' || c.search_phone`,
);

/** Whether the contact at a place has the tag and the company, where they are given, and all of the words. */
const fits = ({ workspace, tag, company, words }: FilterArgs, seq: Matches['seq'], can: SqlDialect) => sql`
  (${tag} = '' or ${isTagged(workspace, tag, seq)})
  and exists (select 1 from contacts as c where c.workspace_id = ${workspace} and c.seq = ${seq}
    and (${company} = '' or c.company = ${company})
    and not exists (select 1 from ${can.eachText(words)} where ${haystack} not like value escape '\\'))`;

const ofCompany = ({ workspace, company }: FilterArgs) => ({
  from: sql`contacts where contacts.workspace_id = ${workspace} and contacts.company = ${company}`,
  seq: sql.ref<number>('contacts.seq'),
  order: sql.ref('contacts.seq'),
});

type FilterPageArgs = FilterArgs & SearchArgs & { query: string };

const listFiltered = (search: (args: FilterPageArgs, can: SqlDialect) => Matches) =>
  statement(
    (_, args: FilterPageArgs, can) => pageFound(can, search(args, can), args, (seq) => fits(args, seq, can)),
    { planOnce: false },
  );

/** Pages of the contacts that a search finds, or a company has, and that fit the rest of a filter. */
export const listsFiltered = {
  indexedWords: listFiltered(indexed),
  scannedWords: listFiltered(scanned),
  company: listFiltered((args) => ({ ...ofCompany(args), inOrder: true })),
};

type Counted = Extract<KeptWay, { count: number }>;

/** Searches for what was counted up to a place (see KeptWay). */
const listCounted = (isAsked: boolean) =>
  statement(
    (_, args: SearchArgs & Omit<Counted, 'how'>, can) => {
      const { workspace, limit, offset, upTo, count, above } = args;
      const [all, few] = [scanned(args, can), asked(args, can)];
      const page = sql`limit ${limit} + ${offset}`;
      const walk = sql`select ${all.seq} as seq from ${all.from} and ${all.seq} > ${above}
        order by ${all.order} desc ${page}`;
      const ask = sql`select ${few.seq} as seq from ${few.from} and ${few.seq} <= ${upTo}
        order by ${few.order} desc ${page}`;
      const found = isAsked
        ? sql`select seq from (${walk}) as walked union all select seq from (${ask}) as asked`
        : walk;
      return pageOf(
        can,
        placedBy(
          sql`select seq from (${found}) as every order by seq desc limit ${limit} offset ${offset}`,
          workspace,
        ),
        sql`${count} + (select count(*) from ${all.from} and ${all.seq} > ${upTo})`,
      );
    },
    { planOnce: false },
  );

export const listsCounted = { asked: listCounted(true), walked: listCounted(false) };

export type WalkArgs = FilterArgs & {
  text: string;
  phone: string | null;
  after: number;
  limit: number;
};

type Walked = (args: WalkArgs, can: SqlDialect) => Omit<Matches, 'inOrder'>;

/** The next contacts of a filter in the order in which they were made, for work that goes through all of them: their
 *  places, from which the contacts themselves are looked up. */
const placesAfter = (walked: Walked, args: WalkArgs, can: SqlDialect) => {
  const { from, seq, order } = walked(args, can);
  return sql`(select ${seq} as seq from ${from} and ${seq} > ${args.after} order by ${order} limit ${args.limit}) as found
    join contacts on contacts.workspace_id = ${args.workspace} and contacts.seq = found.seq`;
};

const walkIds = (walked: Walked) =>
  statement(
    (_, args: WalkArgs, can) => sql<{ id: string; seq: number }>`
      select contacts.id, contacts.seq from ${placesAfter(walked, args, can)} order by found.seq`,
    { planOnce: false },
  );

/** With the contacts themselves: as many as `bytes` hold, and one at least; `found` says how many there were. */
const walkRecords = (walked: Walked) =>
  statement(
    (_, args: WalkArgs & { bytes: number }, can) => sql<{
      seq: number;
      wire: string;
      phone_identity: string | null;
      found: number;
    }>`
      select seq, wire, phone_identity, found from (
        select contacts.seq, contacts.wire, contacts.phone_identity, count(*) over () as found,
          sum(octet_length(contacts.wire)) over (order by found.seq) - octet_length(contacts.wire) as before
        from ${placesAfter(walked, args, can)}
      ) as sized where before < ${args.bytes} order by seq`,
    { planOnce: false },
  );

const walkedFound =
  (indexed: boolean, tagged: boolean): Walked =>
  (args, can) => {
    const found = can.matches('contacts', args, { indexed, after: args.after });
    const { from, seq } = found;
    return tagged ? { ...found, from: sql`${from} and ${isTagged(args.workspace, args.tag, seq)}` } : found;
  };

const walkedFiltered =
  (walked: Walked): Walked =>
  (args, can) => {
    const found = walked(args, can);
    return { ...found, from: sql`${found.from} and ${fits(args, found.seq, can)}` };
  };

const filters = {
  indexedWords: walkedFiltered(walkedFound(true, false)),
  scannedWords: walkedFiltered(walkedFound(false, false)),
  company: walkedFiltered(ofCompany),
  all: ({ workspace }) => ({
    from: sql`contacts where workspace_id = ${workspace}`,
    seq: sql.ref('contacts.seq'),
    order: sql.ref('contacts.seq'),
  }),
  tagged: ({ workspace, tag }) => ({
    from: sql`contact_tags where workspace_id = ${workspace} and tag = ${tag}`,
    seq: sql.ref('contact_tags.seq'),
    order: sql.ref('contact_tags.seq'),
  }),
  indexed: walkedFound(true, false),
  indexedTagged: walkedFound(true, true),
  scanned: walkedFound(false, false),
  scannedTagged: walkedFound(false, true),
} satisfies Record<string, Walked>;
export type WalkFilter = keyof typeof filters;

const forEachFilter = <S>(make: (walked: Walked) => S) =>
  Object.fromEntries(Object.entries(filters).map(([name, walked]) => [name, make(walked)])) as Record<
    WalkFilter,
    S
  >;

export const walks = { ids: forEachFilter(walkIds), records: forEachFilter(walkRecords) };

type Conflicting = { workspace: number; contact: string };

/** Legacy contacts whose two identities conflict: all, or one of them. */
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
