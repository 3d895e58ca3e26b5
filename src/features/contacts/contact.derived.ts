import { count } from '../../db/counters.ts';
import type { Db, DerivedTable } from '../../db/db.ts';
import { blocksOf } from '../../db/deep-pagination.ts';
import { type NamedChange, sumUp } from '../../db/deferred-writes.ts';
import type { TextChange } from '../../db/search.ts';
import type { Source } from './contact.schema.ts';
import { addTags, type ContactRow, deleteTags } from './contact.store.ts';

/** The tags in list order. The name of a change is a tag and the `seq` of a contact, as the statements take them. */
const tags: DerivedTable<NamedChange> = {
  write: (db, changes) =>
    sumUp(changes).flatMap(([workspace, sums]) => {
      const added = sums.filter(([, by]) => by > 0).map(([name]) => name);
      const removed = sums.filter(([, by]) => by < 0).map(([name]) => name);
      return [
        ...(removed.length > 0 ? [db.run(deleteTags, { workspace, tags: `[${removed}]` })] : []),
        ...(added.length > 0 ? [db.run(addTags, { workspace, tags: `[${added}]` })] : []),
      ];
    }),
};

const searchEntries: DerivedTable<TextChange> = {
  write: (db, changes) => db.search.index('contacts', changes),
};

const tagsOf = (row: ContactRow | undefined): Set<string> =>
  new Set(row ? (JSON.parse(row.tags) as string[]) : []);

/** What is kept beside a contact follows it from one state to the next: tags in list order, counts, search entries. No
 *  state before is a create, none after a delete. */
export const updateDerivedData = (
  db: Db,
  { workspace, seq }: { workspace: number; seq: number },
  before: ContactRow | undefined,
  after: ContactRow | undefined,
): void => {
  const [former, latter] = [tagsOf(before), tagsOf(after)];
  const follow = (row: ContactRow, changed: Iterable<string>, isWhole: boolean, by: number) => {
    for (const tag of changed) db.defer(tags, { workspace, name: JSON.stringify({ tag, seq }), by });
    count(db, workspace, [...(isWhole ? ownLists(row, seq) : []), ...[...changed].map(listOfTag)], by);
  };
  if (before) follow(before, former.difference(latter), !after, -1);
  if (after) follow(after, latter.difference(former), !before, 1);
  db.defer(searchEntries, { workspace, seq, before, after });
};

/** The name under which the contacts with a tag are counted. */
export const listOfTag = (tag: string): string => `contacts:${tag}`;

/** The name under which the contacts are counted that came on a day from a source. */
export const listOfDay = (day: string, source: Source): string => `contacts@${day}/${source}`;

const ownLists = ({ created_at, source }: ContactRow, seq: number) => [
  'contacts',
  ...blocksOf('contacts', seq),
  listOfDay(created_at.slice(0, 10), source),
];
