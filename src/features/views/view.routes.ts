import type { Storage } from '../../db/storage.ts';
import { created, deleted, deletedSchema, ok, route } from '../../http/pipeline/route.ts';
import { member } from '../workspaces/access.ts';
import type { UserPrincipal } from '../workspaces/principal.ts';
import {
  type ViewCreate,
  type ViewQuery,
  type ViewUpdate,
  viewCreate,
  viewQuery,
  viewSchema,
  viewUpdate,
} from './view.schema.ts';
import { createView, deleteView, getView, listViews, updateView, viewId } from './view.service.ts';

const group = 'Views';
const access = member;
const params = { id: viewId.schema };

/** Saved views of the dashboard's lists. */
export const viewRoutes = (storage: Storage) => ({
  list: route<UserPrincipal, ViewQuery>({
    access,
    query: viewQuery,
    document: {
      group,
      operationId: 'listViews',
      summary: 'List views',
      description: 'The views of the user and the shared ones, of one list or of all, by list and name.',
      data: { type: 'array', items: viewSchema },
      errors: ['VALIDATION_ERROR'],
    },
    handle: ({ principal, query }) => ok(storage.run(listViews, principal, query)),
  }),

  create: route<UserPrincipal, unknown, ViewCreate>({
    access,
    body: viewCreate,
    document: {
      group,
      operationId: 'createView',
      summary: 'Save a view',
      description: 'A user can save up to 100 views.',
      data: viewSchema,
      errors: ['VALIDATION_ERROR'],
    },
    handle: (request) => created(request, storage.run(createView, request.principal, request.body)),
  }),

  get: route<UserPrincipal>({
    access,
    document: {
      group,
      operationId: 'getView',
      summary: 'Get a view',
      description: 'A private view of another user is not found.',
      params,
      data: viewSchema,
      errors: ['NOT_FOUND'],
    },
    handle: ({ principal, params: { id } }) => ok(storage.run(getView, principal, { id })),
  }),

  update: route<UserPrincipal, unknown, ViewUpdate>({
    access,
    body: viewUpdate,
    document: {
      group,
      operationId: 'updateView',
      summary: 'Change a view',
      description: 'Only its creator can change a view.',
      params,
      data: viewSchema,
      errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    },
    handle: ({ principal, params: { id }, body: change }) =>
      ok(storage.run(updateView, principal, { id, change })),
  }),

  delete: route<UserPrincipal>({
    access,
    document: {
      group,
      operationId: 'deleteView',
      summary: 'Delete a view',
      description: 'Its creator can delete a view, and an owner a shared one.',
      params,
      data: deletedSchema,
      errors: ['NOT_FOUND'],
    },
    handle: ({ principal, params: { id } }) => deleted(storage.run(deleteView, principal, { id })),
  }),
});
