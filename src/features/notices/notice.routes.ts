import { routesOf } from '../../http/pipeline/route.ts';
import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { member } from '../workspaces/access.ts';
import { listNotices, markNoticesRead, noticeKinds } from './notice.service.ts';

const route = routesOf(member);

const readBody = v.object(
  { until: v.text({ min: 1, max: 64 }) },
  { title: 'NoticesRead', required: ['until'] },
);

const noticeSchema = s.object('Notice', {
  id: s.string(),
  at: s.dateTime('When it happened.'),
  kind: s.oneOf(Object.keys(noticeKinds)),
  subject: s.string('The id of the record.'),
  name: s.string('The name of the record at that time.'),
  counts: s.nullable(
    s.mapOf(s.count(), 'The number of records, such as `created`, by what was done to them.'),
  ),
  detail: s.nullableString('When a key expires, or why a webhook was disabled.'),
  read: s.boolean(),
});
const noticesSchema = s.object('Notices', {
  unread: { type: 'integer', minimum: 0, maximum: 200 },
  notices: s.list(noticeSchema),
});

/** What the dashboard informs its users of. */
export const noticeRoutes = {
  'GET /dashboard/api/notices': route({
    run: listNotices,
    summary: 'List the notices of the user',
    description:
      'The 50 newest of the last 30 days, newest first. Members do not see those about API keys and webhooks.',
    data: noticesSchema,
  }),

  'PUT /dashboard/api/notices/read': route({
    run: markNoticesRead,
    summary: 'Mark notices as read',
    description: 'Marks the notice with the id `until` and all before it as read, for the user.',
    body: readBody,
    data: noticesSchema,
  }),
};
