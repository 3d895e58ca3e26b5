import type { Db } from '../../db/db.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import type { Principal } from '../workspaces/principal.ts';
import { findStoredByIds, type StoredContact } from './contact.store.ts';

/** Adds the members that a request names in `include` to the contacts of a result, whose JSON is separated by commas. */
export const including = <R extends { json: string }>(
  db: Db,
  { workspace }: Principal,
  include: string | undefined,
  found: MaybePromise<R>,
): MaybePromise<R> => {
  if (!include) return found;
  const names = include.split(',') as (keyof StoredContact)[];
  return chain(found, async (result) => {
    const contacts: { id: string }[] = JSON.parse(`[${result.json}]`);
    const keys = JSON.stringify(contacts.map(({ id }) => id));
    const rows = await db.all(findStoredByIds, { workspace, keys });
    const added = new Map(
      rows.map((row) => {
        const values = { ...row, crm_ids: JSON.parse(row.crm_ids) };
        return [row.id, Object.fromEntries(names.map((name) => [name, values[name]]))];
      }),
    );
    const json = contacts.map((contact) => JSON.stringify({ ...contact, ...added.get(contact.id) }));
    return { ...result, json: json.join(',') };
  });
};
