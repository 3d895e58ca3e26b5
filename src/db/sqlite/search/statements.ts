import { sql } from 'kysely';
import type { Page } from '../../../lib/page.ts';
import { pageOf } from '../../rows.ts';
import { contactsBySeq, type PagedNeedle, type PagedSearch } from '../../search.ts';
import { type Arguments, statementsWith } from '../../statement.ts';

/** See `SearchPlan`. */
type Counted = { query: string; count: number; countedUpTo: number; above: number };

const statement = statementsWith({ readsDerived: true, planOnce: false });

/** `query` is an FTS5 query. */
type Queried = PagedNeedle & { query: string };

/** Scans only the records that the index finds by the query, which are few. One pass reads what the page needs of them. */
const narrowed = <A extends PagedNeedle & Arguments>({ condition }: PagedSearch<A>) =>
  statement((args: A & { query: string }, dialect) => {
    const { workspace, query, phone, limit, offset } = args as Queried;
    const all = dialect.matches(args, { indexed: false });
    const few = dialect.matches({ workspace, text: query, phone }, { indexed: true });
    const conditional = condition ? sql`and ${condition(args, all.seq, dialect)}` : sql``;
    const found = sql`select ${all.seq} as seq, contacts.wire as wire from ${all.from}
      and ${all.seq} in (select ${few.seq} from ${few.from}) ${conditional}`;
    const rows = sql`select seq, wire from every order by seq desc limit ${limit} offset ${offset}`;
    const page = pageOf(dialect, rows, sql<number>`(select count(*) from every)`);
    return sql<Page>`with every as materialized (${found}) ${page}`;
  });

/** Takes the total from a counter. Scans only the records of the page and those that are not counted yet. */
const counted = <A extends PagedNeedle & Arguments>(byIndex: boolean) =>
  statement((args: A & Counted, dialect) => {
    const { workspace, phone, limit, offset, query, count, countedUpTo, above } = args as PagedNeedle &
      Counted;
    const all = dialect.matches(args, { indexed: false });
    const few = dialect.matches({ workspace, text: query, phone }, { indexed: true });
    const page = sql`limit ${limit} + ${offset}`;
    const scan = sql`select ${all.seq} as seq from ${all.from} and ${all.seq} > ${above}
      order by ${all.order} desc ${page}`;
    const lookup = sql`select ${few.seq} as seq from ${few.from} and ${few.seq} <= ${countedUpTo}
      order by ${few.order} desc ${page}`;
    const found = byIndex
      ? sql`select seq from (${scan}) as scanned union all select seq from (${lookup}) as indexed`
      : scan;
    const seqs = sql`select seq from (${found}) as every order by seq desc limit ${limit} offset ${offset}`;
    const total = sql<number>`${count} + (select count(*) from ${all.from} and ${all.seq} > ${countedUpTo})`;
    return pageOf(dialect, contactsBySeq(seqs, workspace), total);
  });

const statementsOf = <A extends PagedNeedle & Arguments>(search: PagedSearch<A>) => ({
  narrowed: narrowed(search),
  countedByIndex: counted<A>(true),
  countedByScan: counted<A>(false),
});
const planned = new WeakMap<object, unknown>();

/** The statements of each search are built once. */
export const plannedStatements = <A extends PagedNeedle & Arguments>(search: PagedSearch<A>) =>
  planned.getOrInsertComputed(search, () => statementsOf(search)) as ReturnType<typeof statementsOf<A>>;
