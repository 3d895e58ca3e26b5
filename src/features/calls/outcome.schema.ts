import * as s from '../../lib/schemas.ts';
import { parseDay } from '../../lib/time.ts';
import * as v from '../../lib/validation.ts';

/** The longest period of outcomes. */
export const MAX_OUTCOME_DAYS = 366;

/** A `YYYY-MM-DD` day. */
export const day = v.text({
  schema: { format: 'date', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', examples: ['2026-11-01'] },
  check: (text) => (parseDay(text) ? undefined : 'must be a day, for example 2026-01-31.'),
});

export const outcomeQuery = v.object({
  version_id: v.text({ schema: { description: 'Only calls that this version handled.' } }),
  channel_id: v.text({ schema: { description: 'Only calls on this channel.' } }),
  agent_id: v.text({ schema: { description: 'Only calls that a version of this agent handled.' } }),
  since: v.optional(
    day,
    `The first day of the period, in the time zone of the workspace; among the last ${MAX_OUTCOME_DAYS} days. Default: 30 days before its end.`,
  ),
  before: v.optional(day, 'The day after the last one. Default: tomorrow.'),
});
export type OutcomeQuery = ReturnType<typeof outcomeQuery.read>;

/** Dispositions and goals, by their keys. */
const outcomeSums: Record<string, s.JsonSchema> = {
  dispositions: s.mapOf(s.integer(), 'Calls by disposition. One without calls is missing.'),
  goals: s.mapOf(
    s.object('GoalCounts', { reached: s.integer(), missed: s.integer() }),
    'How many calls reached and missed each goal. One that no call reports is missing.',
  ),
};

const string = s.string();

export const outcomesResponse = s.object('Outcomes', {
  time_zone: s.string('The time zone of the days.'),
  days: s.list(
    s.object('OutcomesOfDay', { day: { ...string, format: 'date' }, ...outcomeSums }),
    'The days of the period, oldest first. An hour counts for the day in which it begins.',
  ),
  versions: s.list(
    s.object('OutcomesOfVersion', {
      version_id: s.orNull(string, '`null` for calls without a version.'),
      version_label: s.orNull(string),
      agent_id: s.orNull(string),
      ...outcomeSums,
    }),
  ),
  channels: s.list(
    s.object('OutcomesOfChannel', {
      channel_id: string,
      channel_name: s.orNull(string, '`null` if the channel was deleted.'),
      ...outcomeSums,
    }),
  ),
  ...outcomeSums,
});
