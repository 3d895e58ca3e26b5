import { count } from '../../db/counters.ts';
import type { Db, DerivedTable } from '../../db/db.ts';
import { blocksOf } from '../../db/deep-pagination.ts';
import { type NamedChange, sumByName } from '../../db/deferred-writes.ts';
import type { TextChange } from '../../db/search.ts';
import type { Source } from './contact.schema.ts';
import { addTags, type ContactRow, deleteTags } from './contact.store.ts';

/** The name of a change is the JSON of a tag and the `seq` of a contact, as the statements expect them. */
const tags: DerivedTable<NamedChange> = {
  write: (db, changes) =>
    sumByName(changes).flatMap(([workspace, sums]) => {
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

/** Updates tags, counters and search entries of a contact. `before` is undefined for a create, `after` for a delete. */
export const updateDerivedData = (
  db: Db,
  { workspace, seq }: { workspace: number; seq: number },
  before: ContactRow | undefined,
  after: ContactRow | undefined,
): void => {
  const [tagsBefore, tagsAfter] = [tagsOf(before), tagsOf(after)];
  const update = (row: ContactRow, changed: Iterable<string>, isWhole: boolean, by: number) => {
    for (const tag of changed) db.defer(tags, { workspace, name: JSON.stringify({ tag, seq }), by });
    count(db, workspace, [...(isWhole ? countersOf(row, seq) : []), ...[...changed].map(tagCounter)], by);
  };
  if (before) update(before, tagsBefore.difference(tagsAfter), !after, -1);
  if (after) update(after, tagsAfter.difference(tagsBefore), !before, 1);
  db.defer(searchEntries, { workspace, seq, before, after });
};

/** The counter of contacts with a tag. */
export const tagCounter = (tag: string): string => `contacts:${tag}`;

/** The counter of contacts that were created on a day, by source. */
export const dayCounter = (day: string, source: Source): string => `contacts@${day}/${source}`;

const countersOf = ({ created_at, source }: ContactRow, seq: number) => [
  'contacts',
  ...blocksOf('contacts', seq),
  dayCounter(created_at.slice(0, 10), source),
];
