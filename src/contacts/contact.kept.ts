import type { Db } from '../storage/storage.ts';
import { TallyChanges } from '../storage/tallies.ts';
import type { Source } from './contact.schema.ts';
import { addTags, type ContactRow, deleteTags } from './contact.store.ts';

const tagsOf = (row: ContactRow | undefined): Set<string> =>
  new Set(row ? (JSON.parse(row.tags) as string[]) : []);

/** What is kept beside contacts and follows when they change: tags in list order, counts, search entries. Changes of many
 *  contacts in one transaction are gathered and written together. */
export class Kept {
  readonly #counts = new TallyChanges();
  readonly #tags: { tag: string; seq: number }[] = [];
  readonly #entries: Parameters<Db['can']['indexText']>[] = [];

  /** From one state of a contact to the next. No state before is a create, none after a delete. */
  async follow(
    db: Db,
    { workspace, seq }: { workspace: number; seq: number },
    before: ContactRow | undefined,
    after: ContactRow | undefined,
  ): Promise<void> {
    this.#entries.push(['contacts', { workspace, seq }, before, after]);
    const [former, latter] = [tagsOf(before), tagsOf(after)];
    const [gone, come] = [[...former.difference(latter)], [...latter.difference(former)]];
    if (gone.length > 0) await db.run(deleteTags, { workspace, seq, tags: JSON.stringify(gone) });
    for (const tag of come) this.#tags.push({ tag, seq });
    this.#counts
      .add([...(before && !after ? ownLists(before) : []), ...gone.map(listOfTag)], -1)
      .add([...(after && !before ? ownLists(after) : []), ...come.map(listOfTag)], 1);
  }

  /** Writes what was gathered, before the transaction ends. */
  async write(db: Db, workspace: number): Promise<void> {
    if (this.#tags.length > 0) await db.run(addTags, { workspace, tags: JSON.stringify(this.#tags) });
    await this.#counts.apply(db, workspace);
    // Last and together: SQLite's index writes out what it has gathered when another statement begins.
    for (const entry of this.#entries) db.can.indexText(...entry);
  }
}

/** The same for one contact. */
export const keepBeside = async (
  db: Db,
  key: { workspace: number; seq: number },
  before: ContactRow | undefined,
  after: ContactRow | undefined,
): Promise<void> => {
  const kept = new Kept();
  await kept.follow(db, key, before, after);
  await kept.write(db, key.workspace);
};

/** The name under which the contacts with a tag are counted. */
export const listOfTag = (tag: string): string => `contacts:${tag}`;

/** The name under which the contacts are counted that came on a day from a source. */
export const listOfDay = (day: string, source: Source): string => `contacts@${day}/${source}`;

const ownLists = ({ created_at, source }: ContactRow) => [
  'contacts',
  listOfDay(created_at.slice(0, 10), source),
];
