import type { Storage } from '../../db/storage.ts';
import { ifMatchOf, ifNoneMatchOf } from '../../http/pipeline/preconditions.ts';
import { created, routesOf } from '../../http/pipeline/route.ts';
import { needs } from '../workspaces/access.ts';
import { withIncluded } from './contact.include.ts';
import { changedContact, sourceOf } from './contact.routes.ts';
import { contactResponses, contactUpdate, includeQuery } from './contact.schema.ts';
import { getContactByPhone, upsertContact } from './contact.upsert.ts';
import { E164_PATTERN } from './phone.ts';

const read = routesOf(needs('contacts:read'));
const write = routesOf(needs('contacts:write'));

const phoneParam = {
  phone: {
    pattern: E164_PATTERN,
    description:
      'The phone number in E.164 format, such as `+14155550100`. The `+` may be sent as it is or as `%2B`.',
  },
};

/** The path of the list, from that of a contact by its number. */
const listPath = (path: string): string => path.slice(0, path.lastIndexOf('/by-phone/'));

/** Contacts by their phone identity, for programs that do not store contact ids. */
export const byPhoneRoutes = (storage: Storage) => ({
  'GET /v1/contacts/by-phone/:phone': read({
    query: includeQuery,
    run: getContactByPhone,
    summary: 'Get a contact by phone number',
    description:
      'Includes the ids of the contact in CRMs. Finds a legacy contact by its normalized number, whatever number it displays.',
    params: phoneParam,
    data: contactResponses.full,
    hasEtag: true,
    errors: ['VALIDATION_ERROR'],
  }),

  'PUT /v1/contacts/by-phone/:phone': write({
    operationId: 'upsertContact',
    summary: 'Create or update a contact by phone number',
    description:
      'Creates the contact (201) or updates it (200). An update merges: fields in the request change, omitted fields stay, `null` clears a text field, `tags` replaces all tags, and `fields` is merged by key.',
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
        ? created({ path: listPath(path) }, result)
        : changedContact(principal, { phone_number: params.phone, ...fields }, result);
    },
  }),
});
