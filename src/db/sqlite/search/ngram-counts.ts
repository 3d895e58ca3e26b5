import { sql } from 'kysely';
import { chain, type MaybePromise } from '../../../lib/maybe-promise.ts';
import type { Searched, SearchTexts, TextChange } from '../../capabilities.ts';
import { addToCounters, readCounter } from '../../counters.ts';
import type { Db } from '../../db.ts';
import { statementsOver } from '../../statement.ts';

/* How many records of a workspace contain each piece of one or two characters. It is kept among the tallies, as
 * TABLE~PIECE, for the records up to a place in the list, which is kept as TABLE~. What comes after that place is looked
 * through when somebody searches, and counted when it is worth the work: a piece that many records share is then written
 * once. By these counts needles are found that are too short for an index of trigrams, or rare (see ways.ts). */

/** So many records are counted together. */
const STEP = 256;
/** More are left for the next transaction. */
const MOST_AT_ONCE = 10_000;

/** Stands twice at the end of every entry, so that any character is followed by two others; no needle contains it. */
export const MARKS = '\u001f\u001f';

/** The name under which records are counted that have a piece; without one, the place up to which they are counted. */
export const listOf = (table: Searched, gram = '') => `${table}~${gram}`;

/** A piece is a number while it is counted, which is twice as fast: one character, or two in the upper and lower bits. */
const SHIFT = 2 ** 21;
const textOf = (gram: number) =>
  gram < SHIFT ? String.fromCodePoint(gram) : String.fromCodePoint(Math.floor(gram / SHIFT), gram % SHIFT);

/** What is added to which counts. A piece counts once for each record, however often it occurs in it. */
class GramSums {
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

  #note(gram: number, by: number) {
    const found = this.#sums.get(gram);
    if (!found) this.#sums.set(gram, { sum: by, at: this.#at });
    else if (found.at !== this.#at) {
      found.sum += by;
      found.at = this.#at;
    }
  }

  *named(table: Searched): Iterable<[list: string, sum: number]> {
    for (const [gram, { sum }] of this.#sums) {
      if (sum !== 0) yield [listOf(table, textOf(gram)), sum];
    }
  }
}

const statement = statementsOver<object>();

type After = { workspace: number; seq: number; limit: number };

const textsIn = (table: Searched) =>
  statement(
    (_, { workspace, seq, limit }: After) =>
      sql<SearchTexts & { seq: number }>`select seq, search_text, search_phone from ${sql.table(table)}
        where workspace_id = ${workspace} and seq > ${seq} order by seq limit ${limit}`,
  );

const textsAfter = { contacts: textsIn('contacts') } satisfies Record<Searched, unknown>;

/** Follows changes of a workspace, which are in the order of the list. */
export const countGrams = (
  db: Db,
  table: Searched,
  workspace: number,
  changes: readonly TextChange[],
): MaybePromise<unknown> =>
  chain(readCounter(db, workspace, listOf(table)), (upTo) => {
    const sums = new GramSums();
    for (const { seq, before, after } of changes) {
      if (seq <= upTo && before) sums.add(before, -1);
      if (seq <= upTo && after) sums.add(after, 1);
    }
    const isDue = (changes.at(-1)?.seq ?? 0) >= upTo + STEP;
    const come = isDue ? db.all(textsAfter[table], { workspace, seq: upTo, limit: MOST_AT_ONCE }) : [];
    return chain(come, (rows) => {
      for (const row of rows) sums.add(row, 1);
      const counted: [string, number] = [listOf(table), (rows.at(-1)?.seq ?? upTo) - upTo];
      return addToCounters(db, workspace, [counted, ...sums.named(table)]);
    });
  });
