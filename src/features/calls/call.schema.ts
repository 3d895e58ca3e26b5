import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { channelKinds } from '../channels/channel.schema.ts';
import { MAX_TAGS, tag } from '../contacts/contact.schema.ts';
import { userIdentity } from '../contacts/identity.schema.ts';
import { resultFields, resultProperties } from './result.schema.ts';

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

const SHA256 = /^[0-9a-f]{64}$/;
const sha256 = v.text({
  schema: {
    pattern: SHA256.source,
    description: 'The SHA-256 of the rendered instructions that the runtime uses, as Roster returned it.',
  },
  check: (hash) => (SHA256.test(hash) ? undefined : 'must be 64 hexadecimal digits, 0 to 9 and a to f.'),
});

/** A provider's report of a call or a message, in Roster's own terms. */
export const callEvent = v.object(
  {
    type: v.oneOf(media),
    provider_id: v.text({ min: 1, max: 255 }),
    direction: v.oneOf(directions),
    number: v.text({
      min: 1,
      max: 64,
      schema: { description: "The other party's number. Required without `user`." },
    }),
    user: v.described(
      userIdentity,
      'Who the other party is, for a person whose number is unknown. With a number, its contact gets this identity.',
    ),
    status: v.oneOf(callStatuses),
    started_at: v.dateTime(),
    ended_at: v.dateTime(),
    seconds: v.integer(0, 10_000_000),
    instructions_sha256: sha256,
    ...resultFields,
  },
  {
    title: 'CallEvent',
    required: ['type', 'provider_id', 'direction'],
    schema: { anyOf: [s.having('number'), s.having('user')] },
    check: ({ number, user }) =>
      number === undefined && user === undefined
        ? [{ field: 'number', message: 'is required, unless the event has a user.' }]
        : [],
  },
);
export type CallEvent = ReturnType<typeof callEvent.read>;

export const callUpdate = v.object(
  {
    note: v.nullable(
      v.text({
        max: 2_000,
        schema: { description: 'What the team notes about the call; `null` or an empty text removes it.' },
      }),
    ),
    tags: v.uniqueStrings(tag, MAX_TAGS, {
      description: 'Replaces all tags of the call. Duplicates are removed; the order is preserved.',
    }),
  },
  { title: 'CallUpdate' },
);
export type CallUpdate = ReturnType<typeof callUpdate.read>;

export const callInclude = v.only({
  include: v.optional(
    v.oneOf(['instructions']),
    'Adds `instructions`: the text that the runtime reports to have used, and its hash. A key also needs the scopes `agents:read` and `contacts:read`.',
  ),
});

/** A page of contacts. */
const MAX_IDS = 100;

export const activityQuery = v.object({
  ids: v.textList('ids', MAX_IDS, `The ids of up to ${MAX_IDS} contacts, separated by commas.`),
});
export type ActivityQuery = ReturnType<typeof activityQuery.read>;

const string = s.string();

/** How many calls are counted, the latest first. It bounds the time of a request to about half a second. */
export const MAX_COUNTED = 100_000;

const sums = {
  calls: s.integer('Calls and messages.'),
  timed_calls: s.integer('Those with a duration.'),
  seconds: s.integer('The sum of the durations.'),
  statuses: s.mapOf(s.integer(), 'Calls by status. A status without calls is missing.'),
};

const callProperties: Record<string, s.JsonSchema> = {
  id: string,
  channel_id: string,
  channel_name: s.orNull(string, '`null` if the channel was deleted.'),
  channel_kind: s.orNull(s.oneOf(channelKinds)),
  contact_id: s.orNull(string),
  contact_name: s.orNull(string, 'The display name, or else the first and last name.'),
  agent_id: s.orNull(string),
  agent_name: s.orNull(string),
  agent_deleted: s.boolean('Whether the agent was deleted.'),
  version_id: s.orNull(string),
  version_label: s.orNull(string),
  type: s.oneOf(media),
  direction: s.oneOf(directions),
  status: s.oneOf(callStatuses),
  number: s.orNull(string),
  provider_id: string,
  started_at: s.dateTime('When the call started.'),
  ended_at: s.orNull(s.dateTime('When the call ended.')),
  seconds: s.orNull(s.integer()),
  ...resultProperties,
  note: s.orNull(string, 'What the team has noted about the call.'),
  tags: s.list(string, 'The tags that the team has added, in their order.'),
};
const instructions = s.orNull(
  s.object('CallInstructions', {
    sha256: s.string('The hash that the runtime reported.'),
    text: s.orNull(string, '`null` if no such text is stored for the contact.'),
  }),
  'Only with `include`; `null` if the runtime did not report them.',
);

export const callResponses = {
  statistics: s.object('CallStatistics', {
    time_zone: s.string('The time zone of the days.'),
    started_since: s.dateTime('The start of the period.'),
    started_before: s.dateTime('The end of the period.'),
    is_complete: s.boolean(
      `Whether all calls of the period are counted; otherwise the latest ${MAX_COUNTED}.`,
    ),
    ...sums,
    days: s.list(
      s.object('CallsOfDay', { day: { ...string, format: 'date' }, ...sums }),
      'The days of the period, oldest first.',
    ),
    durations: s.list(
      s.object('CallsOfDuration', {
        from: s.integer('The shortest duration, in seconds.'),
        below: s.nullable(s.integer('The limit in seconds; `null` for the longest calls.')),
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
  }),
  activity: s.list(
    s.object('ContactActivity', {
      contact_id: string,
      first_at: s.orNull(s.dateTime('When the first call or message started; `null` if there is none.')),
      last_at: s.orNull(s.dateTime('When the last call or message started; `null` if there is none.')),
    }),
  ),
  call: s.object('Call', callProperties),
  tags: s.list(s.object('CallTag', { tag: string })),
  /** What a get can show. */
  full: s.object('CallWithInstructions', callProperties, { instructions }),
};
