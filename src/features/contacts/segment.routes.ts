import { routesOf } from '../../http/pipeline/route.ts';
import { needs } from '../workspaces/access.ts';
import {
  segmentCountSchema,
  segmentCreate,
  segmentQuery,
  segmentSchema,
  segmentUpdate,
} from './segment.schema.ts';
import * as service from './segment.service.ts';

const read = routesOf(needs('contacts:read'));
const write = routesOf(needs('contacts:write'));

const SCOPES = 'A filter by campaigns or calls also requires the scope `campaigns:read` or `calls:read`.';

export const segmentRoutes = {
  'GET /v1/segments': read({
    run: service.listSegments,
    summary: 'List segments',
    description: "The caller's own segments and the shared ones, by name.",
    query: segmentQuery,
    data: segmentSchema,
    list: true,
  }),

  'POST /v1/segments': write({
    run: service.createSegment,
    summary: 'Create a segment',
    description: `A filter of contacts under a name. Each user and each API key can have up to 100. ${SCOPES}`,
    body: segmentCreate,
    data: segmentSchema,
  }),

  'GET /v1/segments/:id': read({
    run: service.getSegment,
    summary: 'Get a segment',
    description: 'A private segment of another user is not found.',
    data: segmentSchema,
  }),

  'PATCH /v1/segments/:id': write({
    run: service.updateSegment,
    summary: 'Change a segment',
    description: `Its creator can change a segment; owners and API keys also shared ones. Campaigns with the segment as their live audience check all contacts again. ${SCOPES}`,
    body: segmentUpdate,
    data: segmentSchema,
    errors: ['CONFLICT'],
  }),

  'DELETE /v1/segments/:id': write({
    run: service.deleteSegment,
    summary: 'Delete a segment',
    description:
      'Its creator can delete a segment; owners and API keys also shared ones. The audience of a campaign that is not finished cannot be deleted: the 409 response names the campaigns to callers who may read them.',
    errors: ['CONFLICT'],
  }),

  'GET /v1/segments/:id/count': read({
    run: service.countSegment,
    summary: 'Count the contacts of a segment',
    description: `The exact number of contacts that match now. ${SCOPES}`,
    data: segmentCountSchema,
  }),
};
