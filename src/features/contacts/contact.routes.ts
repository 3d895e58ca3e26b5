import type { Storage } from '../../db/storage.ts';
import { cursorPage } from '../../http/pipeline/cursor-page.ts';
import { changedRecord, ifMatchOf, ifNoneMatchOf } from '../../http/pipeline/preconditions.ts';
import { created, type HttpResponse, ok, page, routesOf } from '../../http/pipeline/route.ts';
import type { JsonWithEtag } from '../../lib/etag.ts';
import { pageFields, pageRequestOf } from '../../lib/page.ts';
import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { member, needs } from '../workspaces/access.ts';
import { isKey, isKeyWithout, type Principal } from '../workspaces/principal.ts';
import { listContactConflicts } from './conflict.service.ts';
import { assertMayFilter } from './contact.filters.ts';
import { withIncluded } from './contact.include.ts';
import {
  type ContactUpdate,
  contactCreate,
  contactQuery,
  contactResponses,
  contactUpdate,
  filterQuery,
  includeQuery,
  type Source,
} from './contact.schema.ts';
import { createContact, deleteContact, getContact, updateContact } from './contact.service.ts';
import { getContactByPhone, upsertContact } from './contact.upsert.ts';
import { filterContacts, hasCursorParameters, listContacts, listSorted } from './list.service.ts';
import { E164_PATTERN } from './phone.ts';

const read = routesOf(needs('contacts:read'));
const forMembers = routesOf(member);
const write = routesOf(needs('contacts:write'));

const phoneParam = {
  phone: {
    pattern: E164_PATTERN,
    description:
      'The phone number in E.164 format, such as `+14155550100`. The `+` may be sent as it is or as `%2B`.',
  },
};

const conflictQuery = v.object({
  ...pageFields,
  contact_id: v.text({ schema: { description: 'Only conflicts of this contact.' } }),
});

/** The source of a contact that the caller creates. */
export const sourceOf = (principal: Principal): Source => (isKey(principal) ? 'api' : 'manual');

/** 200 with a contact that existed before. A key that may not read contacts gets its id and what was sent; the ETag has the times of
 *  contact. */
const changedContact = async (
  principal: Principal,
  { confirm_phone_change: _, ...sent }: ContactUpdate,
  done: Promise<JsonWithEtag>,
): Promise<HttpResponse> => {
  if (!isKeyWithout(principal, 'contacts:read')) return changedRecord(done);
  const { fields, ...others } = sent;
  const values = Object.entries(fields ?? {}).filter(([, value]) => value !== null);
  const shown = fields ? { ...others, fields: Object.fromEntries(values) } : others;
  return ok(done.then(({ json }) => ({ id: JSON.parse(json).id, ...shown })));
};

export const contactRoutes = (storage: Storage) => ({
  'GET /v1/contacts': read({
    operationId: 'listContacts',
    summary: 'List contacts',
    description:
      'Newest first. A contact must match every filter. With `cursor`, `sort` or one of the filters from `created_since` on, the `Link` header has the URL of the next page, and `offset` is not allowed. The filters `campaign` and `in_campaign` also require the scope `campaigns:read`, and `called` and `last_activity_…` require `calls:read`.',
    query: contactQuery,
    hasNext: true,
    data: contactResponses.listed,
    list: true,
    errors: ['NOT_FOUND'],
    handle: (request) => {
      const { principal, query } = request;
      assertMayFilter(principal, query);
      return hasCursorParameters(query)
        ? cursorPage(request, pageRequestOf(query).limit, storage.run(listSorted, principal, query))
        : page(pageRequestOf(query), storage.run(listContacts, principal, query));
    },
  }),

  'GET /dashboard/api/contacts': forMembers({
    operationId: 'listContacts',
    run: filterContacts,
    summary: 'List contacts',
    description:
      'Newest first, or in the order of `sort` or of the time that a filter names. A contact must match every filter.',
    query: filterQuery,
    data: contactResponses.listed,
    list: true,
    hasCappedTotal: true,
    errors: ['NOT_FOUND'],
  }),

  'POST /v1/contacts': write({
    operationId: 'createContact',
    query: includeQuery,
    summary: 'Create a contact',
    description:
      'The phone number must be in E.164 format and unique in the workspace. A 409 response names the contact that has it.',
    body: contactCreate,
    data: contactResponses.created,
    hasEtag: true,
    errors: ['CONFLICT'],
    handle: (request) => {
      const { principal, query, body: fields } = request;
      const input = { source: sourceOf(principal), fields };
      const create = () => storage.run(createContact, principal, input);
      return created(request, withIncluded(storage, principal, query.include, create));
    },
  }),

  'GET /v1/contacts/:id': read({
    query: includeQuery,
    run: getContact,
    // Faster than merging the two objects.
    input: ({ params, query }) => ({ id: params.id, include: query.include }),
    summary: 'Get a contact',
    description: 'Includes the ids of the contact in CRMs.',
    data: contactResponses.full,
    hasEtag: true,
  }),

  'PATCH /v1/contacts/:id': write({
    operationId: 'updateContact',
    summary: 'Update a contact',
    description:
      'Changes only the fields in the request. `null` clears a text field; `tags` replaces all tags; `fields` is merged by key.',
    query: includeQuery,
    body: contactUpdate,
    data: contactResponses.changed,
    hasEtag: true,
    errors: ['CONFLICT'],
    handle: (request) => {
      const { principal, params, query, body: fields } = request;
      const input = { id: params.id, fields, match: ifMatchOf(request) };
      const update = () => storage.run(updateContact, principal, input);
      return changedContact(principal, fields, withIncluded(storage, principal, query.include, update));
    },
  }),

  'DELETE /v1/contacts/:id': write({
    run: deleteContact,
    summary: 'Delete a contact',
    description: 'Deletes the contact permanently. Its calls remain, without a link to it.',
    hasEtag: true,
  }),

  'GET /v1/contacts/by-phone/:phone': read({
    query: includeQuery,
    run: getContactByPhone,
    summary: 'Get a contact by phone number',
    description:
      'Includes the ids of the contact in CRMs. Finds a legacy contact by its normalized number, whatever number it displays. If no contact has the number, finds the one with another form of it, such as a Brazilian mobile number without its ninth digit.',
    params: phoneParam,
    data: contactResponses.full,
    hasEtag: true,
    errors: ['VALIDATION_ERROR'],
  }),

  'PUT /v1/contacts/by-phone/:phone': write({
    operationId: 'upsertContact',
    summary: 'Create or update a contact by phone number',
    description:
      'Creates the contact (201) or updates it (200): fields in the request change, omitted fields stay, `null` clears a text field, `tags` replaces all tags, and `fields` is merged by key.',
    query: includeQuery,
    body: contactUpdate,
    bodyOptional: true,
    params: phoneParam,
    data: contactResponses.changed,
    created: contactResponses.created,
    hasEtag: true,
    errors: ['CONFLICT'],
    handle: async (request) => {
      const { principal, params, query, body: fields, path } = request;
      const input = {
        phone: params.phone,
        source: sourceOf(principal),
        fields,
        match: ifMatchOf(request),
        noneMatch: ifNoneMatchOf(request),
      };
      const upsert = () => storage.run(upsertContact, principal, input);
      const done = await withIncluded(storage, principal, query.include, upsert);
      const result = Promise.resolve(done);
      return done.isNew
        ? created({ path: path.slice(0, path.lastIndexOf('/by-phone/')) }, result)
        : changedContact(principal, { phone_number: params.phone, ...fields }, result);
    },
  }),

  'GET /v1/contacts/conflicts': read({
    run: listContactConflicts,
    summary: 'List contacts with conflicting phone numbers',
    description:
      'Legacy contacts whose displayed and normalized numbers differ, each with the update that resolves it.',
    query: conflictQuery,
    data: s.object('PhoneConflict', {
      contact: contactResponses.listed,
      normalized_phone: { type: ['string', 'null'] },
      repair: s.object('PhoneRepair', {
        phone_number: { type: ['string', 'null'] },
        confirm_phone_change: { const: true },
      }),
    }),
    list: true,
  }),
});
