import { sql } from 'kysely';
import { chain, type MaybePromise } from '../../../lib/maybe-promise.ts';
import { addToCounters, readCounter } from '../../counters.ts';
import type { Db } from '../../db.ts';
import type { SearchTexts, TextChange } from '../../search.ts';
import { statement } from '../../statement.ts';

/* Counts the records of a workspace that contain each n-gram of one or two characters. The counters are named contacts~NGRAM
 * and cover the records up to a `seq`, which is the value of the counter contacts~. A search scans newer records; they are
 * counted in batches, so that an n-gram that many of them share is written once. With these counts the planner finds
 * needles that are too short for a trigram index, or rare (see planner.ts). */

/** Records are counted in batches of this size. */
const BATCH = 256;
/** Maximum number of records to count in one transaction. */
export const MAX_PER_TRANSACTION = 10_000;

/** Appended to every index entry, so that every character starts a trigram. No needle contains it. */
export const MARKS = '\u001f\u001f';

/** The counter of an n-gram; without one, the counter of the `seq` up to which records are counted. */
export const counterOf = (ngram = '') => `contacts~${ngram}`;

/** N-grams are counted as numbers, which is twice as fast: one character, or two in the upper and lower bits. */
const SHIFT = 2 ** 21;
const textOf = (ngram: number) =>
  ngram < SHIFT
    ? String.fromCodePoint(ngram)
    : String.fromCodePoint(Math.floor(ngram / SHIFT), ngram % SHIFT);

/** The sums to add to the counters. An n-gram counts once for each record that contains it. */
class NgramSums {
  readonly #sums = new Map<number, { sum: number; record: number }>();
  #record = 0;

  add({ search_text, search_phone }: SearchTexts, by: number): void {
    this.#record++;
    for (const text of [search_text, search_phone]) this.#addText(text + MARKS, by);
  }

  #addText(text: string, by: number) {
    let last = 0;
    for (let at = 0; at < text.length; at++) {
      const character = text.codePointAt(at) as number;
      if (character > 0xffff) at++;
      this.#addNgram(character, by);
      if (last > 0) this.#addNgram(last * SHIFT + character, by);
      last = character;
    }
  }

  #addNgram(ngram: number, by: number) {
    const found = this.#sums.get(ngram);
    if (!found) this.#sums.set(ngram, { sum: by, record: this.#record });
    else if (found.record !== this.#record) {
      found.sum += by;
      found.record = this.#record;
    }
  }

  *named(): Iterable<[list: string, sum: number]> {
    for (const [ngram, { sum }] of this.#sums) {
      if (sum !== 0) yield [counterOf(textOf(ngram)), sum];
    }
  }
}

type After = { workspace: number; seq: number; limit: number };

const textsAfter = statement(
  ({ workspace, seq, limit }: After) =>
    sql<SearchTexts & { seq: number }>`select seq, search_text, search_phone from contacts
      where workspace_id = ${workspace} and seq > ${seq} order by seq limit ${limit}`,
);

/** Applies changes of a workspace, sorted by `seq`, to the counters, and counts the next records if a batch of them is due. Resolves
 *  with how many it has counted. */
export const countNgrams = (
  db: Db,
  workspace: number,
  changes: readonly TextChange[],
  last = changes.at(-1)?.seq ?? 0,
): MaybePromise<number> =>
  chain(readCounter(db, workspace, counterOf()), (upTo) => {
    const sums = new NgramSums();
    for (const { seq, before, after } of changes) {
      if (seq <= upTo && before) sums.add(before, -1);
      if (seq <= upTo && after) sums.add(after, 1);
    }
    const isDue = last >= upTo + BATCH;
    const uncounted = isDue ? db.all(textsAfter, { workspace, seq: upTo, limit: MAX_PER_TRANSACTION }) : [];
    return chain(uncounted, (rows) => {
      for (const row of rows) sums.add(row, 1);
      const counted: [string, number] = [counterOf(), (rows.at(-1)?.seq ?? upTo) - upTo];
      addToCounters(db, workspace, [counted, ...sums.named()]);
      return rows.length;
    });
  });
