import type { Storage } from '../../db/storage.ts';
import { routesOf } from '../../http/pipeline/route.ts';
import * as s from '../../lib/schemas.ts';
import { needs } from '../workspaces/access.ts';
import { fieldCreate, fieldDeletion, fieldParams, fieldResponses, fieldUpdate } from './field.schema.ts';
import { createField, deleteField, getField, listFields, updateField } from './field.service.ts';

const read = routesOf(needs('contacts:read'));
const write = routesOf(needs('admin'));

/** The definitions of the workspace's fields. */
export const fieldRoutes = (storage: Storage) => ({
  'GET /v1/fields': read({
    run: listFields,
    summary: 'List fields',
    description: 'All fields of the workspace in the order of their creation, archived ones included.',
    data: s.list(fieldResponses.field),
  }),

  'POST /v1/fields': write({
    operationId: 'createField',
    summary: 'Create a field',
    description:
      'Contacts can have values of it from now on. A workspace can have 100 fields, 20 of them filterable.',
    body: fieldCreate,
    data: fieldResponses.field,
    errors: ['CONFLICT'],
    handle: async ({ principal, path, body }) => {
      const field = await storage.run(createField, principal, body);
      const headers = { Location: `${path}/${field.key}` };
      return { status: 201, body: JSON.stringify({ success: true, data: field }), headers };
    },
  }),

  'GET /v1/fields/:key': read({
    run: getField,
    summary: 'Get a field',
    params: fieldParams,
    data: fieldResponses.field,
  }),

  'PATCH /v1/fields/:key': write({
    run: updateField,
    input: ({ params, body }) => ({ field: params.key, update: body }),
    summary: 'Change a field',
    description:
      'Changes the label, the options, `filterable` and `archived`. The key and the type never change. If `filterable` is switched on, the existing values are indexed in the background. A field that deployed instructions or the audience of a campaign use is not archived (409), and that of an audience stays filterable.',
    params: fieldParams,
    body: fieldUpdate,
    data: fieldResponses.field,
    errors: ['CONFLICT'],
  }),

  'DELETE /v1/fields/:key': write({
    run: deleteField,
    summary: 'Delete or archive a field',
    description:
      'Deletes a field that no contact has a value of. Otherwise archives it: its values stay, but requests cannot write them, and responses and instructions leave them out. With `erase=true`, the values of an archived field are erased in the background, and then the field. Not while deployed instructions or the audience of a campaign use it (409).',
    params: fieldParams,
    query: fieldDeletion,
    data: fieldResponses.deletion,
    errors: ['CONFLICT'],
  }),
});
