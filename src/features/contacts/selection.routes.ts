import type { Storage } from '../../db/storage.ts';
import { ok, page, route } from '../../http/pipeline/route.ts';
import { pageFields, pageRequestOf } from '../../lib/page.ts';
import { type JsonSchema, objectOf, objectSchema, text, uniqueStrings } from '../../lib/validation.ts';
import type { Principal } from '../workspaces/principal.ts';
import { MAX_TAGS, tag } from './contact.schema.ts';
import { deleteSelection, type TagChange, tagSelection } from './contact.selection.service.ts';
import { listTags, type TagQuery } from './tag.service.ts';

const group = 'Contacts';

/** Large enough for a page of contacts, and small enough that other writes do not wait long. */
const MAX_SELECTED = 500;

const ids = uniqueStrings(text({ min: 1, max: 64 }), MAX_SELECTED, {
  maxItems: MAX_SELECTED,
  description: 'Contact ids. Unknown ids are counted as `missing`.',
});
const tags = (description: string) => uniqueStrings(tag, MAX_TAGS, { maxItems: MAX_TAGS, description });

const tagBody = objectOf(
  { ids, add: tags('Tags to add after the existing ones.'), remove: tags('Tags to remove.') },
  { required: ['ids'] },
);
const deleteBody = objectOf({ ids }, { required: ['ids'] });
const tagQuery = objectOf({
  ...pageFields,
  search: text({ max: 64, schema: { description: 'Matches part of the tag. Ignores case and accents.' } }),
});

const count = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description });
const missing = count('Number of ids that match no contact in this workspace.');
const blocked: JsonSchema = {
  type: 'array',
  description: 'Contacts that could not be changed.',
  items: objectSchema('BlockedContact', {
    id: { type: 'string' },
    reason: { type: 'string', description: 'Why the contact could not be changed, as a sentence.' },
  }),
};

/** Bulk actions of the dashboard. Larger selections are processed in several requests. */
export const selectionRoutes = (storage: Storage) => ({
  tag: route<Principal, unknown, TagChange>({
    access: 'member',
    body: tagBody,
    document: {
      group,
      operationId: 'tagContacts',
      summary: 'Tag selected contacts',
      description:
        'Changes all contacts in one transaction. Contacts whose tags would stay the same are not updated.',
      status: 200,
      data: objectSchema('TaggedSelection', {
        changed: count('Number of contacts whose tags changed.'),
        missing,
        blocked,
      }),
      errors: ['VALIDATION_ERROR'],
    },
    handle: ({ principal, body }) => ok(storage.run(tagSelection, principal, body)),
  }),

  delete: route<Principal, unknown, { ids: string[] }>({
    access: 'member',
    body: deleteBody,
    document: {
      group,
      operationId: 'deleteContacts',
      summary: 'Delete selected contacts',
      description: 'Deletes all contacts in one transaction, by the same rules as a single contact.',
      status: 200,
      data: objectSchema('DeletedSelection', {
        deleted: count('Number of deleted contacts.'),
        missing,
        blocked,
      }),
      errors: ['VALIDATION_ERROR'],
    },
    handle: ({ principal, body }) => ok(storage.run(deleteSelection, principal, body)),
  }),

  tags: route<Principal, TagQuery>({
    access: 'member',
    query: tagQuery,
    document: {
      group,
      operationId: 'listTags',
      summary: 'List tags',
      description: 'The tags of contacts, most used first.',
      data: objectSchema('TagCount', {
        tag: { type: 'string' },
        count: count('Number of contacts with the tag.'),
      }),
      list: true,
      errors: ['VALIDATION_ERROR'],
    },
    handle: ({ principal, query }) => page(pageRequestOf(query), storage.run(listTags, principal, query)),
  }),
});
