import type { Db } from '../storage/storage.ts';
import { tally } from '../storage/tallies.ts';
import type { Source } from './contact.schema.ts';
import { type ContactRow, deleteTags, insertTags } from './contact.store.ts';

const tagsOf = (row: ContactRow | undefined): Set<string> =>
  new Set(row ? (JSON.parse(row.tags) as string[]) : []);

/** Brings what is kept beside the contacts (tags in list order, counts, search entries) from one state of a contact to
 *  the next, in the transaction that changes it. No state before is a create, none after a delete. */
export const keepBeside = async (
  db: Db,
  { workspace, seq }: { workspace: number; seq: number },
  before: ContactRow | undefined,
  after: ContactRow | undefined,
): Promise<void> => {
  db.can.indexText('contacts', { workspace, seq }, before, after);
  const [former, latter] = [tagsOf(before), tagsOf(after)];
  const [gone, come] = [[...former.difference(latter)], [...latter.difference(former)]];
  if (gone.length > 0) await db.run(deleteTags, { workspace, seq, tags: JSON.stringify(gone) });
  if (come.length > 0) await db.run(insertTags, { workspace, seq, tags: JSON.stringify(come) });
  await tally(db, workspace, [...(before && !after ? ownLists(before) : []), ...gone.map(listOfTag)], -1);
  await tally(db, workspace, [...(after && !before ? ownLists(after) : []), ...come.map(listOfTag)], 1);
};

/** The name under which the contacts with a tag are counted. */
export const listOfTag = (tag: string): string => `contacts:${tag}`;

/** The name under which the contacts are counted that came on a day from a source. */
export const listOfDay = (day: string, source: Source): string => `contacts@${day}/${source}`;

const ownLists = ({ created_at, source }: ContactRow) => [
  'contacts',
  listOfDay(created_at.slice(0, 10), source),
];
