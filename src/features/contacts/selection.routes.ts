import type { Storage } from '../../db/storage.ts';
import { type Access, ok, page, route } from '../../http/pipeline/route.ts';
import { pageFields, pageRequestOf } from '../../lib/page.ts';
import {
  described,
  type JsonSchema,
  objectOf,
  objectSchema,
  oneOf,
  text,
  uniqueStrings,
} from '../../lib/validation.ts';
import type { Principal } from '../workspaces/principal.ts';
import { MAX_TAGS, tag } from './contact.schema.ts';
import { deleteSelection, type TagChange, tagSelection } from './contact.selection.service.ts';
import { listTags, type TagQuery, tagSorts } from './tag.service.ts';

const group = 'Contacts';

/** Large enough for a page of contacts, and small enough that other writes do not wait long. */
const MAX_SELECTED = 500;

const ids = uniqueStrings(text({ min: 1, max: 64 }), MAX_SELECTED, {
  description: 'Contact ids. Unknown ids are counted as `missing`.',
});
const tags = (description: string) => uniqueStrings(tag, MAX_TAGS, { description });

const tagBody = objectOf(
  { ids, add: tags('Tags to add after the existing ones.'), remove: tags('Tags to remove.') },
  {
    title: 'SelectionTagChange',
    required: ['ids'],
    schema: {
      anyOf: ['add', 'remove'].map((name) => ({
        type: 'object',
        required: [name],
        properties: { [name]: { type: 'array', items: {}, minItems: 1 } },
      })),
    },
    check: ({ add = [], remove = [] }) =>
      (add as string[]).length + (remove as string[]).length > 0
        ? []
        : [{ field: 'add', message: 'must contain a tag if remove is empty.' }],
  },
);
const deleteBody = objectOf({ ids }, { title: 'Selection', required: ['ids'] });
const tagQuery = objectOf({
  ...pageFields,
  search: text({ max: 64, schema: { description: 'Matches part of the tag. Ignores case and accents.' } }),
  sort: described(oneOf(tagSorts), 'The order of the list; `-` reverses it. Default: most used first.'),
  similar: described(
    oneOf(['true', 'false']),
    'Whether to list only tags that differ from another one only by case or accents.',
  ),
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

/** Tags, and changes of several contacts at a time. Larger selections are processed in several requests. */
export const selectionRoutes = (
  storage: Storage,
  access: { readonly read: Access; readonly write: Access },
) => ({
  tag: route<Principal, unknown, TagChange>({
    access: access.write,
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
    access: access.write,
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
    access: access.read,
    query: tagQuery,
    document: {
      group,
      operationId: 'listTags',
      summary: 'List tags',
      description: 'The tags of contacts, most used first unless `sort` says otherwise.',
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
