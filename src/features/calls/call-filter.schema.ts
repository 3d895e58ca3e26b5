import { pageFields } from '../../lib/page.ts';
import * as v from '../../lib/validation.ts';
import { callStatuses, directions, media } from './call.schema.ts';

/* The filters of calls, for their list, export and statistics. An empty one counts as absent. */

export const callSorts = ['started_at', '-started_at'] as const;

/** More than a call lasts. */
const MAX_SECONDS = 10_000_000;

const seconds = (description: string): v.Field<number | undefined> => {
  const { schema, ...field } = v.queryInteger(0, MAX_SECONDS, 60);
  const { default: _, ...rest } = schema;
  return v.optional({ ...field, schema: rest }, description);
};

const GOAL = /^-?[a-z][a-z0-9_]{0,39}$/;
const goal = v.text({
  schema: { pattern: GOAL.source },
  check: (key) =>
    GOAL.test(key)
      ? undefined
      : 'must be the key of a goal, such as booked, or -booked for calls that missed it.',
});

const filterFields = {
  contact_id: v.text({ schema: { description: 'Only calls with this contact.' } }),
  identity_id: v.text({
    schema: {
      description: 'Only calls whose report names this identity, such as that of a person without a contact.',
    },
  }),
  channel_id: v.text({ schema: { description: 'Only calls on this channel.' } }),
  agent_id: v.text({ schema: { description: 'Only calls of this agent.' } }),
  version_id: v.text({ schema: { description: 'Only calls that this version handled.' } }),
  direction: v.described(v.oneOf(directions), 'Only incoming or only outgoing calls.'),
  type: v.optional(v.oneOf(media), 'Only calls, or only messages.'),
  status: v.optional(v.oneOf(callStatuses), 'Only calls with this status.'),
  started_since: v.optional(v.dateTime(), 'Only calls that started at this time or later.'),
  started_before: v.optional(v.dateTime(), 'Only calls that started before this time.'),
  number: v.text({
    max: 64,
    schema: {
      description:
        'Only calls with this number of the other party: an international number in any format, such as `+1 415-555-0100`. Any other text, such as a short code, finds the calls whose `number` is exactly this.',
    },
  }),
  disposition: v.text({ max: 40, schema: { description: 'Only calls with this disposition.' } }),
  goal: v.optional(
    goal,
    'Only calls that reached this goal, or with a minus sign before it, that missed it.',
  ),
  tag: v.text({ max: 64, schema: { description: 'Only calls with this tag.' } }),
  seconds_min: seconds('Only calls that lasted this many seconds or more.'),
  seconds_max: seconds('Only calls that lasted this many seconds or less.'),
  search: v.text({
    max: 1_000,
    schema: {
      description:
        'Only calls whose summary, note or stored transcript contains this text, regardless of case and accents. `total_is_capped` says that earlier calls were not searched.',
    },
  }),
};

export const callQuery = v.object({
  ...pageFields,
  ...filterFields,
  sort: v.optional(
    v.oneOf(callSorts),
    'The order of the list; `-` reverses it. Default: the order in which calls were recorded, newest first; with a filter other than `contact_id`, `channel_id`, `agent_id` and `direction`, `-started_at`.',
  ),
});
export type CallQuery = ReturnType<typeof callQuery.read>;

/** The filters of a list, for its export and statistics. */
export const callFilterQuery = v.object(filterFields);
export type CallFilterQuery = ReturnType<typeof callFilterQuery.read>;
