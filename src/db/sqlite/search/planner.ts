import { sql } from 'kysely';
import { countCharacters } from '../../../lib/text.ts';
import { readCounters } from '../../counters.ts';
import type { Db } from '../../db.ts';
import type { Needle, PagedNeedle, PagedSearch, SearchTable } from '../../search.ts';
import { type Arguments, statementsOver } from '../../statement.ts';
import { counterOf } from './ngram-counts.ts';

/** A page that is found among so many of the newest records is found without the index. */
const MAX_SCANNED = 2_000;
/** A query for more terms takes the index longer than looking at the records. */
const MAX_TERMS = 250;
/** So few records need not be narrowed further, and more are not looked at one by one. */
const MAX_EXPECTED_ROWS = 30;
const MAX_LOOKED_AT = 500;
const MAX_TRIGRAMS = 3;

/** A better way to find a needle than to query the index for it or to look at every record. */
export type SearchPlan =
  /** The index answers a query for rare trigrams of the needle; the records that it finds are looked at. */
  | { strategy: 'narrowed'; args: { query: string } }
  /** `count` records up to the `seq` `countedUpTo` have the needle; later ones are few and looked at. The page is looked for
   *  in records above the `seq` `above`, and, by index, among those that it finds by the query. */
  | {
      strategy: 'countedByIndex' | 'countedByScan';
      args: { query: string; count: number; countedUpTo: number; above: number };
    };

/** A text as a query of the index. */
export const phrase = (text: string) => `"${text.replaceAll('"', '""')}"`;

const statement = statementsOver<object>({ readsDerived: true });

/** Every character that follows an n-gram somewhere in the workspace. */
const following = statement(
  (
    _,
    {
      workspace,
      counter,
      last,
      length,
    }: { workspace: number; counter: string; last: string; length: number },
  ) =>
    sql<{
      characters: string | null;
    }>`select string_agg(substr(list, ${length} + 1), '') as characters from tallies
      where workspace_id = ${workspace} and list > ${counter} and list <= ${last}`,
);

const LAST_CHARACTER = '\u{10ffff}';

/** The trigrams of the workspace that begin with a needle; undefined where they are too many for a query. */
const trigramsOf = async (
  db: Db,
  table: SearchTable,
  workspace: number,
  needle: string,
): Promise<string[] | undefined> => {
  let ngrams = [needle];
  while (ngrams.some((ngram) => countCharacters(ngram) < 3)) {
    const longer: string[] = [];
    for (const ngram of ngrams) {
      const counter = counterOf(table, [...ngram].at(-1));
      const args = { workspace, counter, last: counter + LAST_CHARACTER, length: countCharacters(counter) };
      const found = await db.get(following, args);
      longer.push(...[...(found?.characters ?? '')].map((character) => ngram + character));
    }
    if (longer.length === 0 || longer.length > MAX_TERMS) return undefined;
    ngrams = longer;
  }
  return ngrams;
};

/** How many of the newest records have a needle, counted up to `wanted`. */
const newestIn = (table: SearchTable) =>
  statement((_, args: Needle & { above: number; wanted: number }, can) => {
    const { above, wanted } = args;
    const { from, seq, order } = can.matches(table, args, { indexed: false });
    return sql<{ count: number }>`select count(*) as count from (
      select 1 from ${from} and ${seq} > ${above} order by ${order} desc limit ${wanted}) as newest`;
  });

const newestOf = { contacts: newestIn('contacts') } satisfies Record<SearchTable, unknown>;

/** Whether the counter of an n-gram counts just the records that a search for it finds: the needle must be the same in both
 *  texts, or one that a phone number cannot contain. */
const isCounted = ({ text, phone }: Needle) =>
  countCharacters(text) <= 2 && (phone === null ? /[^\d+]/.test(text) : phone === text);

/** The plan for a needle of one or two characters. */
const planShort = async (
  db: Db,
  table: SearchTable,
  { workspace, text, phone, limit, offset }: PagedNeedle,
): Promise<SearchPlan | undefined> => {
  const totals = await readCounters(db, workspace, [table, counterOf(table), counterOf(table, text)]);
  const countedUpTo = totals.get(counterOf(table));
  if (countedUpTo === undefined) return undefined;
  const count = totals.get(counterOf(table, text)) ?? 0;
  const byScan = (above: number): SearchPlan => ({
    strategy: 'countedByScan',
    args: { query: '', count, countedUpTo, above },
  });
  if (count === 0) return byScan(countedUpTo);
  const wanted = offset + limit;
  if (wanted * (totals.get(table) ?? 0) <= MAX_SCANNED * count) {
    const above = countedUpTo - MAX_SCANNED;
    if (above <= 0) return byScan(0);
    const newest = await db.get(newestOf[table], { workspace, text, phone, above, wanted });
    if (newest?.count === wanted) return byScan(0);
  }
  const trigrams = await trigramsOf(db, table, workspace, text);
  if (!trigrams) return byScan(0);
  const columns = phone === null ? 'text' : 'text phone';
  const query = `{${columns}} : (${trigrams.map(phrase).join(' OR ')})`;
  return { strategy: 'countedByIndex', args: { query, count, countedUpTo, above: countedUpTo } };
};

/** Trigrams of a needle that few records have together, the rarest first, estimated from the counters of the pairs in
 *  them, and the expected number of records. They do not overlap: an overlapping one would add nothing. */
const rarestTrigrams = (characters: readonly string[], pairCounts: readonly number[], all: number) => {
  const trigrams = pairCounts
    .slice(1)
    .map((count, at) => ({ at, count: Math.min(count, pairCounts[at] as number) }))
    .sort((one, other) => one.count - other.count);
  const chosen: number[] = [];
  let expected = all;
  for (const { at, count } of trigrams) {
    if (expected <= MAX_EXPECTED_ROWS || chosen.length === MAX_TRIGRAMS) break;
    if (chosen.some((other) => Math.abs(other - at) < 3)) continue;
    chosen.push(at);
    expected *= count / all;
  }
  return { trigrams: chosen.map((at) => characters.slice(at, at + 3).join('')), expected };
};

/** The plan for a longer needle that has rare trigrams: the index finds these sooner than the whole needle, for which it
 *  reads the positions of every trigram. */
const planRare = async (
  db: Db,
  table: SearchTable,
  workspace: number,
  text: string,
): Promise<SearchPlan | undefined> => {
  const characters = [...text];
  const pairs = characters.slice(1).map((character, at) => `${characters[at]}${character}`);
  const counters = [table, counterOf(table), ...pairs.map((pair) => counterOf(table, pair))];
  const totals = await readCounters(db, workspace, counters);
  const all = totals.get(table);
  if (!totals.has(counterOf(table)) || !all) return undefined;
  const counts = pairs.map((pair) => totals.get(counterOf(table, pair)) ?? 0);
  const { trigrams, expected } = rarestTrigrams(characters, counts, all);
  if (trigrams.length === 0 || expected > MAX_LOOKED_AT) return undefined;
  return { strategy: 'narrowed', args: { query: `{text} : (${trigrams.map(phrase).join(' AND ')})` } };
};

/** The best plan for a page; undefined where the counters do not help. They count all records, so they are no total of
 *  those that meet a condition. */
export const planSearch = async <A extends PagedNeedle & Arguments>(
  db: Db,
  { table, condition }: PagedSearch<A>,
  args: A,
): Promise<SearchPlan | undefined> => {
  if (isCounted(args)) return condition ? undefined : planShort(db, table, args);
  const { workspace, text, phone } = args;
  return phone === null && countCharacters(text) > 3 ? planRare(db, table, workspace, text) : undefined;
};
