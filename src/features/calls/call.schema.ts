import { pageFields } from '../../lib/page.ts';
import {
  dateTime,
  dateTimeSchema,
  integer,
  type JsonSchema,
  objectOf,
  objectSchema,
  oneOf,
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
  { required: ['type', 'provider_id', 'direction', 'number'] },
);
export type CallEvent = ReturnType<typeof callEvent.read>;

export const callQuery = objectOf({
  ...pageFields,
  contact_id: text({}),
  channel_id: text({}),
  agent_id: text({}),
  direction: oneOf(directions),
});
export type CallQuery = ReturnType<typeof callQuery.read>;

const orNull = (schema: JsonSchema): JsonSchema => ({ oneOf: [schema, { type: 'null' }] });
const string: JsonSchema = { type: 'string' };

export const callResponses = {
  call: objectSchema('Call', {
    id: string,
    channel_id: string,
    channel_name: { ...orNull(string), description: '`null` after the channel is deleted.' },
    channel_kind: orNull({ type: 'string', enum: channelKinds }),
    contact_id: orNull(string),
    contact_name: { ...orNull(string), description: 'The display name, or else the first and last name.' },
    agent_id: orNull(string),
    agent_name: orNull(string),
    agent_deleted: { type: 'boolean', description: 'Whether the agent was deleted.' },
    version_id: orNull(string),
    version_label: orNull(string),
    type: { type: 'string', enum: media },
    direction: { type: 'string', enum: directions },
    status: { type: 'string', enum: callStatuses },
    number: orNull(string),
    provider_id: string,
    started_at: dateTimeSchema('When the call started.'),
    ended_at: orNull(dateTimeSchema('When the call ended.')),
    seconds: orNull({ type: 'integer' }),
  }),
};
