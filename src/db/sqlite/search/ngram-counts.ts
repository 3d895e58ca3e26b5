import { sql } from 'kysely';
import { chain, type MaybePromise } from '../../../lib/maybe-promise.ts';
import { addToCounters, readCounter } from '../../counters.ts';
import type { Db } from '../../db.ts';
import type { SearchTable, SearchTexts, TextChange } from '../../search.ts';
import { statementsOver } from '../../statement.ts';

/* How many records of a workspace contain each n-gram of one or two characters. The counters are named TABLE~NGRAM and cover
 * the records up to a `seq`, which is the value of the counter TABLE~. A search looks at newer records one by one; they
 * are counted in batches, so that an n-gram that many of them share is written once. With these counts the planner finds
 * needles that are too short for a trigram index, or rare (see planner.ts). */

/** So many records are counted together. */
const BATCH = 256;
/** More are left for the next transaction. */
const MAX_AT_ONCE = 10_000;

/** Ends every entry, so that any character is followed by two others; no needle contains it. */
export const MARKS = '\u001f\u001f';

/** The counter of the records that have an n-gram; without one, of the `seq` up to which records are counted. */
export const counterOf = (table: SearchTable, ngram = '') => `${table}~${ngram}`;

/** An n-gram is a number while it is counted, which is twice as fast: one character, or two in the upper and lower bits. */
const SHIFT = 2 ** 21;
const textOf = (ngram: number) =>
  ngram < SHIFT
    ? String.fromCodePoint(ngram)
    : String.fromCodePoint(Math.floor(ngram / SHIFT), ngram % SHIFT);

/** What is added to which counters. An n-gram counts once for each record, however often it occurs in it. */
class NgramSums {
  readonly #sums = new Map<number, { sum: number; at: number }>();
  #at = 0;

  add({ search_text, search_phone }: SearchTexts, by: number): void {
    this.#at++;
    for (const text of [search_text, search_phone]) this.#addText(text + MARKS, by);
  }

  #addText(text: string, by: number) {
    let last = 0;
    for (let at = 0; at < text.length; at++) {
      const character = text.codePointAt(at) as number;
      if (character > 0xffff) at++;
      this.#note(character, by);
      if (last > 0) this.#note(last * SHIFT + character, by);
      last = character;
    }
  }

  #note(ngram: number, by: number) {
    const found = this.#sums.get(ngram);
    if (!found) this.#sums.set(ngram, { sum: by, at: this.#at });
    else if (found.at !== this.#at) {
      found.sum += by;
      found.at = this.#at;
    }
  }

  *named(table: SearchTable): Iterable<[list: string, sum: number]> {
    for (const [ngram, { sum }] of this.#sums) {
      if (sum !== 0) yield [counterOf(table, textOf(ngram)), sum];
    }
  }
}

const statement = statementsOver<object>();

type After = { workspace: number; seq: number; limit: number };

const textsIn = (table: SearchTable) =>
  statement(
    (_, { workspace, seq, limit }: After) =>
      sql<SearchTexts & { seq: number }>`select seq, search_text, search_phone from ${sql.table(table)}
        where workspace_id = ${workspace} and seq > ${seq} order by seq limit ${limit}`,
  );

const textsAfter = { contacts: textsIn('contacts') } satisfies Record<SearchTable, unknown>;

/** Updates the counters by changes of a workspace, which are in list order. */
export const countNgrams = (
  db: Db,
  table: SearchTable,
  workspace: number,
  changes: readonly TextChange[],
): MaybePromise<unknown> =>
  chain(readCounter(db, workspace, counterOf(table)), (upTo) => {
    const sums = new NgramSums();
    for (const { seq, before, after } of changes) {
      if (seq <= upTo && before) sums.add(before, -1);
      if (seq <= upTo && after) sums.add(after, 1);
    }
    const isDue = (changes.at(-1)?.seq ?? 0) >= upTo + BATCH;
    const uncounted = isDue ? db.all(textsAfter[table], { workspace, seq: upTo, limit: MAX_AT_ONCE }) : [];
    return chain(uncounted, (rows) => {
      for (const row of rows) sums.add(row, 1);
      const counted: [string, number] = [counterOf(table), (rows.at(-1)?.seq ?? upTo) - upTo];
      return addToCounters(db, workspace, [counted, ...sums.named(table)]);
    });
  });
