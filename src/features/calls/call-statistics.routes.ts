import { routesOf } from '../../http/pipeline/route.ts';
import { dateTimeSchema, type JsonSchema, objectSchema } from '../../lib/validation.ts';
import { needs } from '../workspaces/access.ts';
import { callFilterQuery } from './call.schema.ts';
import { getCallStatistics, MAX_COUNTED } from './call-statistics.service.ts';

const route = routesOf(needs('calls:read'));

const string: JsonSchema = { type: 'string' };
const count = (description: string): JsonSchema => ({ type: 'integer', description });

const sums = {
  calls: count('Calls and messages.'),
  timed_calls: count('Those with a duration.'),
  seconds: count('The sum of the durations.'),
  statuses: {
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'Calls by status. A status without calls is missing.',
  },
};

const statisticsSchema = objectSchema('CallStatistics', {
  time_zone: { ...string, description: 'The time zone of the days.' },
  started_since: dateTimeSchema('The start of the period.'),
  started_before: dateTimeSchema('The end of the period.'),
  is_complete: {
    type: 'boolean',
    description: `Whether all calls of the period are counted; otherwise the latest ${MAX_COUNTED}.`,
  },
  ...sums,
  days: {
    type: 'array',
    description: 'The days of the period, oldest first.',
    items: objectSchema('CallsOfDay', { day: { ...string, format: 'date' }, ...sums }),
  },
  durations: {
    type: 'array',
    description: 'Calls by duration.',
    items: objectSchema('CallsOfDuration', {
      from: count('The shortest duration, in seconds.'),
      below: {
        type: ['integer', 'null'],
        description: 'The limit in seconds; `null` for the longest calls.',
      },
      calls: count('Calls with such a duration.'),
    }),
  },
  versions: {
    type: 'array',
    description: 'The 50 versions with most calls, in that order.',
    items: objectSchema('CallsOfVersion', {
      version_id: string,
      version_label: string,
      agent_id: string,
      agent_name: string,
      agent_deleted: { type: 'boolean' },
      ...sums,
    }),
  },
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
