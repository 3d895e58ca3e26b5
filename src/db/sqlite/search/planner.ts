import { sql } from 'kysely';
import { countCharacters } from '../../../lib/text.ts';
import type { KeptWay, Needle, Searched, Wanted } from '../../capabilities.ts';
import { readCounters } from '../../counters.ts';
import type { Db } from '../../db.ts';
import { statementsOver } from '../../statement.ts';
import { listOf } from './ngram-counts.ts';

/** A page that is found among so many of the newest records is found without the index. */
const MOST_WALKED = 2_000;
/** A query for more terms than this takes the index longer than looking through the records. */
const MOST_TERMS = 250;
/** Fewer records need not be narrowed further, and more are not looked at one by one. */
const FEW = 30;
const MOST_LOOKED_AT = 500;
const MOST_TRIGRAMS = 3;

/** A text as a query of the index. */
export const phrase = (text: string) => `"${text.replaceAll('"', '""')}"`;

const statement = statementsOver<object>({ readsDerived: true });

/** Every character that stands behind a piece somewhere in the workspace. */
const following = statement(
  (_, { workspace, list, last, length }: { workspace: number; list: string; last: string; length: number }) =>
    sql<{
      characters: string | null;
    }>`select string_agg(substr(list, ${length} + 1), '') as characters from tallies
      where workspace_id = ${workspace} and list > ${list} and list <= ${last}`,
);

const LAST_CHARACTER = '\u{10ffff}';

/** The trigrams that begin with a needle, by the pieces that there are; undefined where they are too many to ask for. */
const trigramsOf = async (
  db: Db,
  table: Searched,
  workspace: number,
  needle: string,
): Promise<string[] | undefined> => {
  let pieces = [needle];
  while (pieces.some((piece) => countCharacters(piece) < 3)) {
    const longer: string[] = [];
    for (const piece of pieces) {
      const list = listOf(table, [...piece].at(-1));
      const args = { workspace, list, last: list + LAST_CHARACTER, length: countCharacters(list) };
      const found = await db.get(following, args);
      longer.push(...[...(found?.characters ?? '')].map((character) => piece + character));
    }
    if (longer.length === 0 || longer.length > MOST_TERMS) return undefined;
    pieces = longer;
  }
  return pieces;
};

type Newest = { workspace: number; text: string; phone: string | null; above: number; wanted: number };

/** How many of the newest records have a needle, counted as far as they are wanted. */
const newestIn = (table: Searched) =>
  statement((_, { workspace, text, phone, above, wanted }: Newest, can) => {
    const { from, seq, order } = can.matches(table, { workspace, text, phone }, { indexed: false });
    return sql<{ count: number }>`select count(*) as count from (
      select 1 from ${from} and ${seq} > ${above} order by ${order} desc limit ${wanted}) as newest`;
  });

const newestOf = { contacts: newestIn('contacts') } satisfies Record<Searched, unknown>;

/** Whether a record counts for a piece just where a search for it finds the record: the needle must be the same in both
 *  texts, or such that a phone number cannot hold it. */
const isCounted = ({ text, phone }: Needle) =>
  countCharacters(text) <= 2 && (phone === null ? /[^\d+]/.test(text) : phone === text);

/** A needle of one or two characters. */
const shortWay = async (
  db: Db,
  table: Searched,
  { workspace, text, phone, limit, offset }: Wanted,
): Promise<KeptWay | undefined> => {
  const totals = await readCounters(db, workspace, [table, listOf(table), listOf(table, text)]);
  const upTo = totals.get(listOf(table));
  if (upTo === undefined) return undefined;
  const count = totals.get(listOf(table, text)) ?? 0;
  if (count === 0) return { how: 'walked', query: '', count, upTo, above: upTo };
  const walked = { how: 'walked', query: '', count, upTo, above: 0 } as const;
  const wanted = offset + limit;
  if (wanted * (totals.get(table) ?? 0) <= MOST_WALKED * count) {
    const above = upTo - MOST_WALKED;
    if (above <= 0) return walked;
    const newest = await db.get(newestOf[table], { workspace, text, phone, above, wanted });
    if (newest?.count === wanted) return walked;
  }
  const trigrams = await trigramsOf(db, table, workspace, text);
  if (!trigrams) return walked;
  const columns = phone === null ? 'text' : 'text phone';
  const query = `{${columns}} : (${trigrams.map(phrase).join(' OR ')})`;
  return { how: 'asked', query, count, upTo, above: upTo };
};

/** Trigrams of a needle that few records have together, the rarest first, by the counts of the pairs in them; those of
 *  one do not overlap those of another, which would tell nothing new. With them how many records are expected. */
const rarest = (characters: readonly string[], counts: readonly number[], all: number) => {
  const trigrams = counts
    .slice(1)
    .map((count, at) => ({ at, count: Math.min(count, counts[at] as number) }))
    .sort((one, other) => one.count - other.count);
  const chosen: number[] = [];
  let expected = all;
  for (const { at, count } of trigrams) {
    if (expected <= FEW || chosen.length === MOST_TRIGRAMS) break;
    if (chosen.some((other) => Math.abs(other - at) < 3)) continue;
    chosen.push(at);
    expected *= count / all;
  }
  return { trigrams: chosen.map((at) => characters.slice(at, at + 3).join('')), expected };
};

/** A longer needle, some trigrams of which few records have together: the index finds those sooner than the whole, for which
 *  it goes through the places of every trigram. The texts of what it finds are then looked at. */
const rareWay = async (
  db: Db,
  table: Searched,
  workspace: number,
  text: string,
): Promise<KeptWay | undefined> => {
  const characters = [...text];
  const pairs = characters.slice(1).map((character, at) => `${characters[at]}${character}`);
  const lists = [table, listOf(table), ...pairs.map((pair) => listOf(table, pair))];
  const totals = await readCounters(db, workspace, lists);
  const all = totals.get(table);
  if (!totals.has(listOf(table)) || !all) return undefined;
  const counts = pairs.map((pair) => totals.get(listOf(table, pair)) ?? 0);
  const { trigrams, expected } = rarest(characters, counts, all);
  if (trigrams.length === 0 || expected > MOST_LOOKED_AT) return undefined;
  return { how: 'narrowed', query: `{text} : (${trigrams.map(phrase).join(' AND ')})` };
};

/** How a needle is found by what is kept; undefined where that does not tell or is no better. */
export const keptWay = async (db: Db, table: Searched, wanted: Wanted): Promise<KeptWay | undefined> => {
  if (isCounted(wanted)) return shortWay(db, table, wanted);
  const { workspace, text, phone } = wanted;
  return phone === null && countCharacters(text) > 3 ? rareWay(db, table, workspace, text) : undefined;
};
