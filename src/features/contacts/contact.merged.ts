import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { type Keys, namesOf, number, rowsOf, text, textOrNull } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import { ApiError, notFound } from '../../lib/errors.ts';
import { movedRows } from '../../records/moved-rows.ts';
import { isKeyWithout, type Principal } from '../workspaces/principal.ts';

/** A contact that was merged. */
const columns = {
  workspace_id: number,
  contact_id: text,
  merge_id: text,
  /** The contact that it is a part of now; null after an undo. */
  survivor_id: textOrNull,
  /** 1 while some of its calls refer to it. */
  moving: number,
  /** Its position in lists, which no other contact gets. */
  seq: number,
};
export type MergedRow = typeof columns;
const COLUMNS = namesOf(columns);

const merged = rowsOf<MergedRow>({ table: 'merged_contacts' });

export const insertMerged = merged.insert(COLUMNS);
export const endMerged = merged.set(['survivor_id', 'moving'], {
  by: { merge: 'merge_id', contact: 'contact_id' },
});
export const mergedOfMerge = merged.find(COLUMNS, { by: { merge: 'merge_id' }, order: sql`contact_id` });

const findMerged = merged.find(['survivor_id', 'merge_id'], {
  by: { contact: 'contact_id' },
  where: sql`survivor_id is not null`,
});

/** Those that were merged into a contact are part of what it is merged into. */
export const mergedLinks = movedRows({
  table: 'merged_contacts',
  column: 'survivor_id',
  key: ['contact_id', 'merge_id'],
});

const mergedInto = merged.findMany(['contact_id'], 'survivor_id');
const movingInto = merged.findMany(['contact_id'], 'survivor_id', sql`and moving = 1`);

/** The id of the contact that an expression names, or of the one that it was merged into. */
export const currentId = (workspace: number, contact: string) => sql<string | null>`coalesce((
  select survivor_id from merged_contacts where workspace_id = ${workspace} and contact_id = ${sql.ref(contact)}
  and survivor_id is not null), ${sql.ref(contact)})`;

/** Where a contact is now; undefined if it was not merged. */
export const survivorOf = async (
  db: Db,
  workspace: number,
  contact: string,
): Promise<{ survivor_id: string; merge_id: string } | undefined> => {
  const found = await db.get(findMerged, { workspace, contact });
  return found?.survivor_id == null ? undefined : { ...found, survivor_id: found.survivor_id };
};

const idsIn =
  (found: typeof mergedInto) =>
  async (db: Db, workspace: number, contacts: readonly string[]): Promise<string[]> =>
    (await db.all(found, { workspace, keys: JSON.stringify(contacts) })).map(({ contact_id }) => contact_id);

/** The ids of all contacts that are now part of some. */
export const mergedIds = idsIn(mergedInto);
/** Only those to which calls still refer. */
export const movingIds = idsIn(movingInto);

/** The 404 error of a contact's id. Callers who may read contacts learn which contact it was merged into. */
export const missingContact = async (
  db: Db,
  principal: Principal,
  id: string,
  what = 'contact',
): Promise<ApiError> => {
  const found = isKeyWithout(principal, 'contacts:read')
    ? undefined
    : await survivorOf(db, principal.workspace, id);
  if (!found) return notFound(what);
  const { survivor_id: merged_into } = found;
  const message = `The contact was merged into ${merged_into}. Use that contact instead.`;
  return new ApiError('NOT_FOUND', message, { merged_into });
};

/** A contact that was looked up by its id; throws if there is none. */
export const existingContact = async <T>(
  db: Db,
  principal: Principal,
  id: string,
  found: T | undefined,
): Promise<T> => {
  if (found === undefined) throw await missingContact(db, principal, id);
  return found;
};

/** Forgets merges, with the ids of the contacts that were merged. `keys` are their ids. */
export const deleteMergedContacts = statement(
  ({ workspace, keys }: Keys, dialect) => sql<never>`
    with gone as materialized (select value as merge_id from ${dialect.eachText(keys)})
    delete from merged_contacts where workspace_id = ${workspace} and merge_id in (select merge_id from gone)`,
);
