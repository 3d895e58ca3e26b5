import type { Storage } from '../../db/storage.ts';
import { page, record, route } from '../../http/pipeline/route.ts';
import { pageFields, pageRequestOf } from '../../lib/page.ts';
import { type JsonSchema, objectOf, objectSchema, text, uniqueStrings } from '../../lib/validation.ts';
import type { Principal } from '../workspaces/principal.ts';
import { MOST_TAGS, tag } from './contact.schema.ts';
import { deleteSelection, type TagChange, tagSelection } from './contact.selection.service.ts';
import { listTags, type TagQuery } from './tag.service.ts';

const group = 'Contacts';

/** So many that a page gets far with one request, so few that nobody waits long behind its transaction. */
const MOST_SELECTED = 500;

const ids = uniqueStrings(text({ min: 1, max: 64 }), MOST_SELECTED, {
  maxItems: MOST_SELECTED,
  description: 'The ids of contacts. One that names none is counted as missing.',
});
const tags = (description: string) => uniqueStrings(tag, MOST_TAGS, { maxItems: MOST_TAGS, description });

const tagBody = objectOf(
  { ids, add: tags('Put behind the tags that are there.'), remove: tags('Taken away.') },
  { required: ['ids'] },
);
const deleteBody = objectOf({ ids }, { required: ['ids'] });
const tagQuery = objectOf({
  ...pageFields,
  search: text({ max: 64, schema: { description: 'A piece of the tag; case and accents do not matter.' } }),
});

const count = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description });
const missing = count('Ids that name no contact of this workspace.');
const blocked: JsonSchema = {
  type: 'array',
  description: 'Contacts that stay as they were.',
  items: objectSchema('BlockedContact', {
    id: { type: 'string' },
    reason: { type: 'string', description: 'A sentence to show.' },
  }),
};

/** What pages do with many contacts at once. Larger selections are worked through request by request. */
export const selectionRoutes = (storage: Storage) => ({
  tag: route<Principal, unknown, TagChange>({
    access: 'member',
    body: tagBody,
    document: {
      group,
      operationId: 'tagContacts',
      summary: 'Tag selected contacts',
      description: 'All in one transaction. A contact that has the wanted tags already is not touched.',
      status: 200,
      data: objectSchema('TaggedSelection', {
        changed: count('Contacts whose tags are others now.'),
        missing,
        blocked,
      }),
      errors: ['VALIDATION_ERROR'],
    },
    handle: ({ principal, body }) => record(storage.run(tagSelection, principal, body)),
  }),

  delete: route<Principal, unknown, { ids: string[] }>({
    access: 'member',
    body: deleteBody,
    document: {
      group,
      operationId: 'deleteContacts',
      summary: 'Delete selected contacts',
      description: 'All in one transaction, each by the rules of deleting one contact.',
      status: 200,
      data: objectSchema('DeletedSelection', { deleted: count('Contacts that are gone.'), missing, blocked }),
      errors: ['VALIDATION_ERROR'],
    },
    handle: ({ principal, body }) => record(storage.run(deleteSelection, principal, body)),
  }),

  tags: route<Principal, TagQuery>({
    access: 'member',
    query: tagQuery,
    document: {
      group,
      operationId: 'listTags',
      summary: 'List tags',
      description: 'The tags that contacts have, most used first.',
      data: objectSchema('TagCount', { tag: { type: 'string' }, count: count('How many contacts have it.') }),
      list: true,
      errors: ['VALIDATION_ERROR'],
    },
    handle: ({ principal, query }) => page(pageRequestOf(query), storage.run(listTags, principal, query)),
  }),
});
