import { sql } from 'kysely';
import { countCharacters } from '../../../lib/text.ts';
import { readCounters } from '../../counters.ts';
import type { Db } from '../../db.ts';
import type { Needle, PagedNeedle, PagedSearch } from '../../search.ts';
import { type Arguments, derivedStatement } from '../../statement.ts';
import { counterOf } from './ngram-counts.ts';

/** A page that is expected among this many of the newest records is found by a scan. */
const MAX_SCANNED = 2_000;
/** An index query with more terms takes longer than a scan. */
const MAX_TERMS = 250;
/** Trigrams are added to a query until this few records are expected. */
const TARGET_EXPECTED = 30;
const MAX_EXPECTED = 500;
const MAX_TRIGRAMS = 4;

/** A faster way to find a needle than an index query for all of it or a scan of all records. */
export type SearchPlan =
  /** The index finds records by rare trigrams of the needle; these records are scanned. */
  | { strategy: 'narrowed'; args: { query: string } }
  /** `count` records up to the `seq` `countedUpTo` contain the needle; the few later ones are scanned. The page is found by
   *  a scan of the records after the `seq` `above` and, for `countedByIndex`, by the query. */
  | {
      strategy: 'countedByIndex' | 'countedByScan';
      args: { query: string; count: number; countedUpTo: number; above: number };
    };

/** Quotes a text for an FTS5 query. */
export const phrase = (text: string) => `"${text.replaceAll('"', '""')}"`;

type Following = { workspace: number; counter: string; last: string; length: number };

/** Every character that follows an n-gram somewhere in the workspace. */
const following = derivedStatement(
  ({ workspace, counter, last, length }: Following) => sql<{ characters: string | null }>`
    select string_agg(substr(list, ${length} + 1), '') as characters from tallies
    where workspace_id = ${workspace} and list > ${counter} and list <= ${last}`,
);

const LAST_CHARACTER = '\u{10ffff}';

/** The trigrams of the workspace that begin with a needle; undefined if they are too many for a query. */
const trigramsOf = async (db: Db, workspace: number, needle: string): Promise<string[] | undefined> => {
  let ngrams = [needle];
  while (ngrams.some((ngram) => countCharacters(ngram) < 3)) {
    const longer: string[] = [];
    for (const ngram of ngrams) {
      const counter = counterOf([...ngram].at(-1));
      const args = { workspace, counter, last: counter + LAST_CHARACTER, length: countCharacters(counter) };
      const found = await db.get(following, args);
      longer.push(...[...(found?.characters ?? '')].map((character) => ngram + character));
    }
    if (longer.length === 0 || longer.length > MAX_TERMS) return undefined;
    ngrams = longer;
  }
  return ngrams;
};

/** Counts the newest records that contain a needle, up to `wanted`. */
const countNewest = derivedStatement((args: Needle & { above: number; wanted: number }, dialect) => {
  const { above, wanted } = args;
  const { from, seq, order } = dialect.matches(args, { indexed: false });
  return sql<{ count: number }>`select count(*) as count from (
    select 1 from ${from} and ${seq} > ${above} order by ${order} desc limit ${wanted}) as newest`;
});

/** Whether the counter of an n-gram counts exactly the matches of a search for it: the needle must be the same for both
 *  texts, or one that a phone number cannot contain. */
const isCounted = ({ text, phone }: Needle) =>
  countCharacters(text) <= 2 && (phone === null ? /[^\d+]/.test(text) : phone === text);

const planShort = async (
  db: Db,
  { workspace, text, phone, limit, offset }: PagedNeedle,
): Promise<SearchPlan | undefined> => {
  const totals = await readCounters(db, workspace, ['contacts', counterOf(), counterOf(text)]);
  const countedUpTo = totals.get(counterOf());
  if (countedUpTo === undefined) return undefined;
  const count = totals.get(counterOf(text)) ?? 0;
  const byScan = (above: number): SearchPlan => ({
    strategy: 'countedByScan',
    args: { query: '', count, countedUpTo, above },
  });
  if (count === 0) return byScan(countedUpTo);
  const wanted = offset + limit;
  if (wanted * (totals.get('contacts') ?? 0) <= MAX_SCANNED * count) {
    const above = countedUpTo - MAX_SCANNED;
    if (above <= 0) return byScan(0);
    const newest = await db.get(countNewest, { workspace, text, phone, above, wanted });
    if (newest?.count === wanted) return byScan(0);
  }
  const trigrams = await trigramsOf(db, workspace, text);
  if (!trigrams) return byScan(0);
  const columns = phone === null ? 'text' : 'text phone';
  const query = `{${columns}} : (${trigrams.map(phrase).join(' OR ')})`;
  return { strategy: 'countedByIndex', args: { query, count, countedUpTo, above: countedUpTo } };
};

/** Chooses rare trigrams of a needle that do not overlap, by the counts of their bigrams; undefined if many records may
 *  contain all of them. */
const rareTrigrams = (
  characters: readonly string[],
  bigramCounts: readonly number[],
  all: number,
): string[] | undefined => {
  const trigrams = bigramCounts
    .slice(1)
    .map((count, at) => ({ at, count: Math.min(count, bigramCounts[at] as number) }))
    .sort((one, other) => one.count - other.count);
  const chosen: number[] = [];
  let expected = all;
  for (const { at, count } of trigrams) {
    if (expected <= TARGET_EXPECTED || chosen.length === MAX_TRIGRAMS) break;
    if (chosen.some((other) => Math.abs(other - at) < 3)) continue;
    chosen.push(at);
    expected *= count / all;
  }
  if (chosen.length === 0 || expected > MAX_EXPECTED) return undefined;
  return chosen.map((at) => characters.slice(at, at + 3).join(''));
};

/** The plan for a longer needle with rare trigrams. The index finds these faster than the whole needle, for which it reads
 *  the positions of every trigram. The scan checks the column, so the query does not. */
const planRare = async (db: Db, { workspace, text }: Needle): Promise<SearchPlan | undefined> => {
  const characters = [...text];
  const bigrams = characters.slice(1).map((character, at) => counterOf(`${characters[at]}${character}`));
  const totals = await readCounters(db, workspace, ['contacts', counterOf(), ...bigrams]);
  const all = totals.get('contacts');
  if (!all || !totals.has(counterOf())) return undefined;
  const counts = bigrams.map((bigram) => totals.get(bigram) ?? 0);
  const trigrams = rareTrigrams(characters, counts, all);
  return trigrams && { strategy: 'narrowed', args: { query: trigrams.map(phrase).join(' AND ') } };
};

/** The best plan for a page; undefined if the counters do not help. They count all records, so they are not the total of a
 *  search with a condition. */
export const planSearch = async <A extends PagedNeedle & Arguments>(
  db: Db,
  { condition }: PagedSearch<A>,
  args: A,
): Promise<SearchPlan | undefined> => {
  if (isCounted(args)) return condition ? undefined : planShort(db, args);
  return args.phone === null && countCharacters(args.text) > 3 ? planRare(db, args) : undefined;
};
