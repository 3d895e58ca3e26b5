import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { invalid } from '../../lib/errors.ts';
import { recordChange } from '../audit/audit.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import { contactsById, deleteLocked, type FactChange, replaceFacts } from './contact.bulk.ts';
import { MAX_TAGS } from './contact.schema.ts';
import { contactId } from './contact.service.ts';

/** A contact of the selection that could not be changed, and why. */
export interface Blocked {
  id: string;
  reason: string;
}

/** Locks the contacts of a selection; `missing` counts ids that are not in this workspace. */
const lockContacts = async (db: Db, principal: Principal, ids: readonly string[]) => {
  const named = new Set(ids.map((id) => contactId.parse(id) ?? id));
  const contacts = await contactsById(db, principal, [...named]);
  return { contacts: [...contacts.values()], missing: named.size - contacts.size };
};

export interface TagChange {
  ids: string[];
  add?: string[];
  remove?: string[];
}

const assertTagChange = ({ add = [], remove = [] }: TagChange) => {
  if (add.length === 0 && remove.length === 0) {
    throw invalid([{ field: 'add', message: 'must contain a tag if remove is empty.' }]);
  }
  const both = add.filter((tag) => remove.includes(tag));
  if (both.length > 0) {
    throw invalid([
      { field: 'remove', message: `must not contain tags that are also in add: ${both.join(', ')}.` },
    ]);
  }
};

/** Adds and removes tags on every contact of a selection. New tags are appended. A contact whose tags would stay the same is
 *  not updated, and one that would have too many tags is reported as blocked. */
export const tagSelection = write(
  'tagSelection',
  async (
    db: Db,
    principal: Principal,
    change: TagChange,
  ): Promise<{ changed: number; missing: number; blocked: Blocked[] }> => {
    assertTagChange(change);
    const { add = [], remove = [] } = change;
    const { contacts, missing } = await lockContacts(db, principal, change.ids);
    const blocked: Blocked[] = [];
    const changed: FactChange[] = [];
    for (const contact of contacts) {
      const before = JSON.parse(contact.tags) as string[];
      const tags = [...new Set([...before, ...add])].filter((tag) => !remove.includes(tag));
      if (tags.length === before.length && tags.every((tag, at) => tag === before[at])) continue;
      if (tags.length > MAX_TAGS) {
        blocked.push({
          id: contact.id,
          reason: `The contact would have ${tags.length} tags; the maximum is ${MAX_TAGS}.`,
        });
        continue;
      }
      changed.push({ contact, changes: { tags } });
    }
    await replaceFacts(db, principal, changed);
    const counts = { changed: changed.length };
    recordChange(db, principal, { action: 'contact.updated', fields: ['tags'], counts });
    return { ...counts, missing, blocked };
  },
);

/** Deletes every contact of a selection. Nothing blocks a delete today. */
export const deleteSelection = write(
  'deleteSelection',
  async (
    db: Db,
    principal: Principal,
    { ids }: { ids: string[] },
  ): Promise<{ deleted: number; missing: number; blocked: Blocked[] }> => {
    const { contacts, missing } = await lockContacts(db, principal, ids);
    for (const contact of contacts) await deleteLocked(db, principal, contact);
    const counts = { deleted: contacts.length };
    recordChange(db, principal, { action: 'contact.deleted', counts });
    return { ...counts, missing, blocked: [] };
  },
);
