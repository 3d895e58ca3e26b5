import { routesOf } from '../../http/pipeline/route.ts';
import * as s from '../../lib/schemas.ts';
import { member } from '../workspaces/access.ts';
import { viewCreate, viewQuery, viewSchema, viewUpdate } from './view.schema.ts';
import { createView, deleteView, listViews, updateView } from './view.service.ts';

const route = routesOf(member);

/** Saved views of the dashboard's lists. */
export const viewRoutes = {
  'GET /dashboard/api/views': route({
    run: listViews,
    summary: 'List views',
    description: 'The views of the user and the shared ones, of one list or of all, by list and name.',
    query: viewQuery,
    data: s.list(viewSchema),
  }),

  'POST /dashboard/api/views': route({
    run: createView,
    summary: 'Save a view',
    description: 'A user can save up to 100 views.',
    body: viewCreate,
    data: viewSchema,
  }),

  'PATCH /dashboard/api/views/:id': route({
    run: updateView,
    summary: 'Change a view',
    description: 'Only its creator can change a view. A private view of another user is not found.',
    body: viewUpdate,
    data: viewSchema,
  }),

  'DELETE /dashboard/api/views/:id': route({
    run: deleteView,
    summary: 'Delete a view',
    description: 'Its creator can delete a view, and an owner a shared one.',
  }),
};
