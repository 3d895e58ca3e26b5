import { routesOf } from '../../http/pipeline/route.ts';
import * as s from '../../lib/schemas.ts';
import { needs } from '../workspaces/access.ts';
import { callFilterQuery } from './call.schema.ts';
import { getCallStatistics, MAX_COUNTED } from './call-statistics.service.ts';

const route = routesOf(needs('calls:read'));

const string = s.string();

const sums = {
  calls: s.integer('Calls and messages.'),
  timed_calls: s.integer('Those with a duration.'),
  seconds: s.integer('The sum of the durations.'),
  statuses: {
    type: 'object',
    additionalProperties: s.integer(),
    description: 'Calls by status. A status without calls is missing.',
  },
};

const statisticsSchema = s.object('CallStatistics', {
  time_zone: s.string('The time zone of the days.'),
  started_since: s.dateTime('The start of the period.'),
  started_before: s.dateTime('The end of the period.'),
  is_complete: s.boolean(`Whether all calls of the period are counted; otherwise the latest ${MAX_COUNTED}.`),
  ...sums,
  days: s.list(
    s.object('CallsOfDay', { day: { ...string, format: 'date' }, ...sums }),
    'The days of the period, oldest first.',
  ),
  durations: s.list(
    s.object('CallsOfDuration', {
      from: s.integer('The shortest duration, in seconds.'),
      below: {
        type: ['integer', 'null'],
        description: 'The limit in seconds; `null` for the longest calls.',
      },
      calls: s.integer('Calls with such a duration.'),
    }),
    'Calls by duration.',
  ),
  versions: s.list(
    s.object('CallsOfVersion', {
      version_id: string,
      version_label: string,
      agent_id: string,
      agent_name: string,
      agent_deleted: s.boolean(),
      ...sums,
    }),
    'The 50 versions with most calls, in that order.',
  ),
});

export const callStatisticsRoutes = {
  'GET /v1/calls/statistics': route({
    run: getCallStatistics,
    summary: 'Count calls by status, day, duration and version',
    description:
      'The calls that match every filter. The period is the last 30 days unless times are given, and at most 366 days. Days are in the time zone of the workspace.',
    query: callFilterQuery,
    data: statisticsSchema,
  }),
};
