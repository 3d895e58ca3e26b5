import type { Storage } from '../../db/storage.ts';
import { created, deleted, ok, routesOf } from '../../http/pipeline/route.ts';
import { member } from '../workspaces/access.ts';
import { viewCreate, viewQuery, viewSchema, viewUpdate } from './view.schema.ts';
import { createView, deleteView, getView, listViews, updateView } from './view.service.ts';

const route = routesOf(member);

/** Saved views of the dashboard's lists. */
export const viewRoutes = (storage: Storage) => ({
  'GET /dashboard/api/views': route({
    operationId: 'listViews',
    summary: 'List views',
    description: 'The views of the user and the shared ones, of one list or of all, by list and name.',
    query: viewQuery,
    data: { type: 'array', items: viewSchema },
    handle: ({ principal, query }) => ok(storage.run(listViews, principal, query)),
  }),

  'POST /dashboard/api/views': route({
    operationId: 'createView',
    summary: 'Save a view',
    description: 'A user can save up to 100 views.',
    body: viewCreate,
    data: viewSchema,
    handle: (request) => created(request, storage.run(createView, request.principal, request.body)),
  }),

  'GET /dashboard/api/views/:id': route({
    operationId: 'getView',
    summary: 'Get a view',
    description: 'A private view of another user is not found.',
    data: viewSchema,
    handle: ({ principal, params: { id } }) => ok(storage.run(getView, principal, { id })),
  }),

  'PATCH /dashboard/api/views/:id': route({
    operationId: 'updateView',
    summary: 'Change a view',
    description: 'Only its creator can change a view.',
    body: viewUpdate,
    data: viewSchema,
    handle: ({ principal, params: { id }, body: change }) =>
      ok(storage.run(updateView, principal, { id, change })),
  }),

  'DELETE /dashboard/api/views/:id': route({
    operationId: 'deleteView',
    summary: 'Delete a view',
    description: 'Its creator can delete a view, and an owner a shared one.',
    handle: ({ principal, params: { id } }) => deleted(storage.run(deleteView, principal, { id })),
  }),
});
