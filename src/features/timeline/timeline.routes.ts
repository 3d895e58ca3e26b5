import { routesOf } from '../../http/pipeline/route.ts';
import { needs } from '../workspaces/access.ts';
import { timelineQuery, timelineSchema } from './timeline.schema.ts';
import { getContactTimeline } from './timeline.service.ts';

const route = routesOf(needs('contacts:read'));

export const timelineRoutes = {
  'GET /v1/contacts/:id/timeline': route({
    run: getContactTimeline,
    summary: 'Get the timeline of a contact',
    description:
      'What happened to the contact, newest first: its creation, edits, tags, imports, enrollments, calls and messages. Enrollments require the scope `campaigns:read`, calls and messages `calls:read`; without `kinds`, those that the key may not read are left out. Changes expire with the audit log; the creation and the calls remain.',
    query: timelineQuery,
    data: timelineSchema,
  }),
};
