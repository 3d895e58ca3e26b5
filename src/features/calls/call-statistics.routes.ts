import { routesOf } from '../../http/pipeline/route.ts';
import { flagSchema, integerSchema, listSchema, stringSchema } from '../../lib/schemas.ts';
import { dateTimeSchema, objectSchema } from '../../lib/validation.ts';
import { needs } from '../workspaces/access.ts';
import { callFilterQuery } from './call.schema.ts';
import { getCallStatistics, MAX_COUNTED } from './call-statistics.service.ts';

const route = routesOf(needs('calls:read'));

const string = stringSchema();

const sums = {
  calls: integerSchema('Calls and messages.'),
  timed_calls: integerSchema('Those with a duration.'),
  seconds: integerSchema('The sum of the durations.'),
  statuses: {
    type: 'object',
    additionalProperties: integerSchema(),
    description: 'Calls by status. A status without calls is missing.',
  },
};

const statisticsSchema = objectSchema('CallStatistics', {
  time_zone: stringSchema('The time zone of the days.'),
  started_since: dateTimeSchema('The start of the period.'),
  started_before: dateTimeSchema('The end of the period.'),
  is_complete: flagSchema(
    `Whether all calls of the period are counted; otherwise the latest ${MAX_COUNTED}.`,
  ),
  ...sums,
  days: listSchema(
    objectSchema('CallsOfDay', { day: { ...string, format: 'date' }, ...sums }),
    'The days of the period, oldest first.',
  ),
  durations: listSchema(
    objectSchema('CallsOfDuration', {
      from: integerSchema('The shortest duration, in seconds.'),
      below: {
        type: ['integer', 'null'],
        description: 'The limit in seconds; `null` for the longest calls.',
      },
      calls: integerSchema('Calls with such a duration.'),
    }),
    'Calls by duration.',
  ),
  versions: listSchema(
    objectSchema('CallsOfVersion', {
      version_id: string,
      version_label: string,
      agent_id: string,
      agent_name: string,
      agent_deleted: flagSchema(),
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
