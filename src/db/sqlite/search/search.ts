import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { countCharacters } from '../../../lib/text.ts';
import type { Needle, RunTime, Searched, TextChange } from '../../capabilities.ts';
import type { Db } from '../../db.ts';
import { countGrams, MARKS } from './ngram-counts.ts';
import { keptWay, phrase } from './planner.ts';

const isIndexable = (text: string | null) => text === null || countCharacters(text) >= 3;

/** A trigram index answers for three characters or more; a shorter needle is looked for row by row. The scan binds
 *  both texts, the index one query that names both columns. */
const needle = ({ text, phone }: Needle) => {
  if (!isIndexable(text) || !isIndexable(phone)) return { text, phone, indexed: false };
  const query = `{text} : ${phrase(text)}${phone === null ? '' : ` OR {phone} : ${phrase(phone)}`}`;
  return { text: query, phone: null, indexed: true };
};

const isChange = ({ before, after }: TextChange) =>
  before?.search_text !== after?.search_text || before?.search_phone !== after?.search_phone;

/** One change for each entry, in the order of the index: FTS5 writes out what it has gathered when a rowid is lower than
 *  the last. */
const inOrder = (changes: readonly TextChange[]): TextChange[] => {
  const entries = new Map<string, TextChange>();
  for (const change of changes) {
    const entry = `${change.workspace}/${change.seq}`;
    const former = entries.get(entry);
    entries.set(entry, former ? { ...change, before: former.before } : change);
  }
  return [...entries.values()]
    .filter(isChange)
    .sort((one, other) => one.workspace - other.workspace || one.seq - other.seq);
};

interface Entries {
  readonly add: StatementSync;
  readonly remove: StatementSync;
  readonly merge: StatementSync;
}

/** How many pages of the index are merged with so many changes. Each commit adds a segment of its own, of a page for about
 *  ten entries, and every entry is merged four or five times before it rests. */
const mergedWith = (changes: number) => 4 + changes / 2;

export const sqliteRunTime = (file: DatabaseSync, db: Db): RunTime => {
  const prepared = new Map<Searched, Entries>();
  const entriesOf = (table: Searched): Entries => {
    const index = `${table}_search`;
    const entries = prepared.get(table) ?? {
      add: file.prepare(`insert into ${index} (rowid, text, phone) values (? << 40 | ?, ?, ?)`),
      remove: file.prepare(
        `insert into ${index} (${index}, rowid, text, phone) values ('delete', ? << 40 | ?, ?, ?)`,
      ),
      merge: file.prepare(`insert into ${index} (${index}, rank) values ('merge', ?)`),
    };
    prepared.set(table, entries);
    return entries;
  };
  return {
    needle,
    keptWay: (table, wanted) => keptWay(db, table, wanted),
    indexTexts: (table, changes) => {
      const { add, remove, merge } = entriesOf(table);
      const ordered = inOrder(changes);
      for (const { workspace, seq, before, after } of ordered) {
        if (before) remove.run(workspace, seq, before.search_text + MARKS, before.search_phone + MARKS);
        if (after) add.run(workspace, seq, after.search_text + MARKS, after.search_phone + MARKS);
      }
      if (ordered.length > 0) merge.run(Math.ceil(mergedWith(ordered.length)));
      return [...Map.groupBy(ordered, ({ workspace }) => workspace)].map(([workspace, some]) =>
        countGrams(db, table, workspace, some),
      );
    },
  };
};
