import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { conflict, invalid, type Problem } from '../../lib/errors.ts';
import { change } from '../../records/change.ts';
import type { Principal } from '../workspaces/principal.ts';
import { contactsById } from './contact.lookup.ts';
import { MAX_TAGS } from './contact.schema.ts';
import { changeEach, contactId } from './contact.service.ts';
import type { StoredContact } from './contact.store.ts';

export interface TagChange {
  ids: string[];
  add?: string[];
  remove?: string[];
}

export const tagChangeProblems = ({ add = [], remove = [] }: Partial<TagChange>): Problem[] => {
  if (add.length === 0 && remove.length === 0)
    return [{ field: 'add', message: 'must contain a tag if remove is empty.' }];
  const both = add.filter((tag) => remove.includes(tag));
  const message = `must not contain tags that are also in add: ${both.join(', ')}.`;
  return both.length > 0 ? [{ field: 'remove', message }] : [];
};

/** The tags of a contact after a change. New tags are appended. */
export const withTags = (
  before: readonly string[],
  { add = [], remove = [] }: Pick<TagChange, 'add' | 'remove'>,
): string[] => [...new Set([...before, ...add])].filter((tag) => !remove.includes(tag));

/** Gives locked contacts the tags that `next` returns, unless these are too many. */
export const replaceTags = (
  db: Db,
  principal: Principal,
  contacts: readonly StoredContact[],
  next: (before: readonly string[]) => string[],
) =>
  changeEach(db, principal, contacts, (contact) => {
    const tags = next(JSON.parse(contact.tags));
    if (tags.length > MAX_TAGS)
      throw conflict(`The contact would have ${tags.length} tags; the maximum is ${MAX_TAGS}.`);
    return { tags };
  });

/** Adds and removes tags of contacts in one transaction. `missing` counts ids that are not in this workspace. */
export const tagContacts = write('tagContacts', async (db, principal: Principal, wanted: TagChange) => {
  const problems = tagChangeProblems(wanted);
  if (problems.length > 0) throw invalid(problems);
  const ids = new Set(wanted.ids.map((id) => contactId.parse(id) ?? id));
  const contacts = [...(await contactsById(db, principal, [...ids])).values()];
  const { changed, blocked } = await replaceTags(db, principal, contacts, (before) =>
    withTags(before, wanted),
  );
  change(db, principal, { action: 'contact.updated', fields: ['tags'], counts: { changed } });
  return { changed, missing: ids.size - contacts.length, blocked };
});
