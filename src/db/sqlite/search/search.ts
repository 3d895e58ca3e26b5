import type { DatabaseSync } from 'node:sqlite';
import { chain } from '../../../lib/maybe-promise.ts';
import type { Page } from '../../../lib/page.ts';
import { countCharacters } from '../../../lib/text.ts';
import type { Db } from '../../db.ts';
import type { Needle, Search, SearchEngine, TextChange } from '../../search.ts';
import type { Arguments } from '../../statement.ts';
import { countNgrams, MARKS } from './ngram-counts.ts';
import { phrase, planSearch } from './planner.ts';
import { plannedStatements } from './statements.ts';

const isIndexable = (text: string | null) => text === null || countCharacters(text) >= 3;

/** The statement of a search and its arguments. The trigram index needs three characters or more; a shorter needle is found
 *  by a scan. */
const choose = <A extends Needle & Arguments, R>({ indexed, scanned }: Search<A, R>, args: A) => {
  const { text, phone } = args;
  if (!isIndexable(text) || !isIndexable(phone)) return [scanned, args] as const;
  const query = `{text} : ${phrase(text)}${phone === null ? '' : ` OR {phone} : ${phrase(phone)}`}`;
  return [indexed, { ...args, text: query, phone: null }] as const;
};

const isChange = ({ before, after }: TextChange) =>
  before?.search_text !== after?.search_text || before?.search_phone !== after?.search_phone;

/** Sorts changes by rowid, because FTS5 flushes its buffer when a rowid is lower than the last, and merges those of the same
 *  entry. */
const mergeChanges = (changes: readonly TextChange[]): TextChange[] => {
  const merged: TextChange[] = [];
  for (const change of changes.toSorted(
    (one, other) => one.workspace - other.workspace || one.seq - other.seq,
  )) {
    const last = merged.at(-1);
    if (last?.workspace === change.workspace && last.seq === change.seq)
      merged[merged.length - 1] = { ...change, before: last.before };
    else merged.push(change);
  }
  return merged.filter(isChange);
};

/** Prepared for the first change, because most connections only read. */
const indexStatements = (file: DatabaseSync) => ({
  add: file.prepare('insert into contacts_search (rowid, text, phone) values (? << 40 | ?, ?, ?)'),
  remove: file.prepare(
    `insert into contacts_search (contacts_search, rowid, text, phone) values ('delete', ? << 40 | ?, ?, ?)`,
  ),
});

/** Search with a trigram index of FTS5 and n-gram counts (see planner.ts). */
export const sqliteSearch = (file: DatabaseSync, db: Db): SearchEngine => {
  let statements: ReturnType<typeof indexStatements> | undefined;
  return {
    page: (search, args) =>
      chain(planSearch(db, search, args), (plan) => {
        const found = plan
          ? db.get(plannedStatements(search)[plan.strategy] as never, { ...args, ...plan.args } as never)
          : db.get(...choose(search, args));
        return chain(found, (page) => page as Page);
      }),
    all: (search, args) => db.all(...choose(search, args)),
    index: (changes) => {
      statements ??= indexStatements(file);
      const { add, remove } = statements;
      const merged = mergeChanges(changes);
      for (const { workspace, seq, before, after } of merged) {
        if (before) remove.run(workspace, seq, before.search_text + MARKS, before.search_phone + MARKS);
        if (after) add.run(workspace, seq, after.search_text + MARKS, after.search_phone + MARKS);
      }
      return [...Map.groupBy(merged, ({ workspace }) => workspace)].map(([workspace, some]) =>
        countNgrams(db, workspace, some),
      );
    },
  };
};
