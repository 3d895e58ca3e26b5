import { pageFields } from '../../lib/page.ts';
import {
  countSchema,
  enumSchema,
  flagSchema,
  integerSchema,
  listSchema,
  orNull,
  stringSchema,
} from '../../lib/schemas.ts';
import {
  dateTime,
  dateTimeSchema,
  described,
  type Field,
  integer,
  objectOf,
  objectSchema,
  oneOf,
  optional,
  text,
} from '../../lib/validation.ts';
import { channelKinds } from '../channels/channel.schema.ts';

export const media = ['call', 'message'] as const;
export const directions = ['inbound', 'outbound'] as const;
export const callStatuses = [
  'queued',
  'ringing',
  'in_progress',
  'completed',
  'busy',
  'no_answer',
  'canceled',
  'failed',
] as const;
export type CallStatus = (typeof callStatuses)[number];

export const finalStatuses: readonly CallStatus[] = ['completed', 'busy', 'no_answer', 'canceled', 'failed'];

/** A provider's report of a call or a message, in Roster's own terms. */
export const callEvent = objectOf(
  {
    type: oneOf(media),
    provider_id: text({ min: 1, max: 255 }),
    direction: oneOf(directions),
    number: text({ min: 1, max: 64, schema: { description: "The other party's number." } }),
    status: oneOf(callStatuses),
    started_at: dateTime(),
    ended_at: dateTime(),
    seconds: integer(0, 10_000_000),
  },
  { title: 'CallEvent', required: ['type', 'provider_id', 'direction', 'number'] },
);
export type CallEvent = ReturnType<typeof callEvent.read>;

export const callSorts = ['started_at', '-started_at'] as const;

const filterFields = {
  contact_id: text({ schema: { description: 'Only calls with this contact.' } }),
  channel_id: text({ schema: { description: 'Only calls on this channel.' } }),
  agent_id: text({ schema: { description: 'Only calls of this agent.' } }),
  version_id: text({ schema: { description: 'Only calls that this version handled.' } }),
  direction: described(oneOf(directions), 'Only incoming or only outgoing calls.'),
  type: optional(oneOf(media), 'Only calls, or only messages.'),
  status: optional(oneOf(callStatuses), 'Only calls with this status.'),
  started_since: optional(dateTime(), 'Only calls that started at this time or later.'),
  started_before: optional(dateTime(), 'Only calls that started before this time.'),
};

export const callQuery = objectOf({
  ...pageFields,
  ...filterFields,
  sort: optional(
    oneOf(callSorts),
    'The order of the list; `-` reverses it. Default: the order in which calls were recorded, newest first; with `version_id`, `type`, `status` or a time, `-started_at`.',
  ),
});
export type CallQuery = ReturnType<typeof callQuery.read>;

/** The filters of a list, for its export and statistics. */
export const callFilterQuery = objectOf(filterFields);
export type CallFilterQuery = ReturnType<typeof callFilterQuery.read>;

/** A page of contacts. */
const MAX_IDS = 100;

const contactIds: Field<string[]> = {
  schema: { type: 'string', description: `The ids of up to ${MAX_IDS} contacts, separated by commas.` },
  read: (value, field, problems) => {
    const ids = (text({}).read(value, field, problems) ?? '').split(',').filter(Boolean);
    if (ids.length > MAX_IDS)
      problems.push({ field, message: `must have at most ${MAX_IDS} ids; this has ${ids.length}.` });
    return ids;
  },
};

export const activityQuery = objectOf({ ids: contactIds });
export type ActivityQuery = ReturnType<typeof activityQuery.read>;

const string = stringSchema();

export const callResponses = {
  activity: listSchema(
    objectSchema('ContactActivity', {
      contact_id: string,
      first_at: orNull(dateTimeSchema('When the first call or message started; `null` if there is none.')),
      last_at: orNull(dateTimeSchema('When the last call or message started; `null` if there is none.')),
    }),
  ),
  outcomes: objectSchema('VersionOutcomes', {
    total: countSchema('All calls and messages of the version.'),
    by_status: objectSchema(
      'CallsByStatus',
      Object.fromEntries(callStatuses.map((status) => [status, countSchema()])),
    ),
    success_rate: orNull(
      { type: 'number', minimum: 0, maximum: 1 },
      'The completed ones among those that ended; `null` if none ended.',
    ),
    average_seconds: orNull(
      { type: 'number', minimum: 0 },
      'The average duration of the completed ones that report it; `null` if none does.',
    ),
  }),
  call: objectSchema('Call', {
    id: string,
    channel_id: string,
    channel_name: orNull(string, '`null` if the channel was deleted.'),
    channel_kind: orNull(enumSchema(channelKinds)),
    contact_id: orNull(string),
    contact_name: orNull(string, 'The display name, or else the first and last name.'),
    agent_id: orNull(string),
    agent_name: orNull(string),
    agent_deleted: flagSchema('Whether the agent was deleted.'),
    version_id: orNull(string),
    version_label: orNull(string),
    type: enumSchema(media),
    direction: enumSchema(directions),
    status: enumSchema(callStatuses),
    number: orNull(string),
    provider_id: string,
    started_at: dateTimeSchema('When the call started.'),
    ended_at: orNull(dateTimeSchema('When the call ended.')),
    seconds: orNull(integerSchema()),
  }),
};
