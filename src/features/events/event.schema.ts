import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { eventTypes } from '../../records/actions.ts';
import { eventIdExample, eventIdPattern } from '../../records/event.id.ts';
import { workKinds } from './event.work.ts';

export const eventSchema = s.object('Event', {
  id: {
    type: 'string',
    pattern: eventIdPattern,
    description: 'Ids of a workspace sort in the order of the log. A repeated delivery has the same id.',
    examples: [eventIdExample],
  },
  type: s.oneOf(eventTypes),
  timestamp: s.dateTime('When the change was made.'),
  workspace_id: s.integer(),
  subject_id: s.string('The changed record; the contact for an enrollment.'),
  contact_id: s.nullableString('The contact that the change is about.'),
  agent_id: s.nullableString('The agent that the change is about.'),
  campaign_id: s.nullableString('The campaign that the change is about.'),
  actor: s.string('The id of the API key, user, channel, integration or import that made the change.'),
  request_id: s.nullableString('The id of the request; `null` for background work and the command line.'),
  changed: s.nullable(s.list(s.string(), 'The names of the changed fields of an update.')),
  data: s.nullable(
    s.mapOf(
      {},
      'The record after the change, as the API shows it. `null` after a delete, in the thin form, and if the contact was deleted since.',
    ),
  ),
});

export const feedSchema = s.object('EventPage', {
  events: s.list(eventSchema),
  after: s.nullableString('Send it as `after` to get the next events; `null` if there are no events yet.'),
  has_more: s.boolean('Whether more events are available now.'),
});

export const payloads = ['snapshot', 'thin'] as const;
export type Payload = (typeof payloads)[number];

export const feedFields = {
  after: v.described(
    v.text({ max: 64 }),
    'The id of the last event that you have. Without it, the log begins with its oldest event; `latest` begins after the newest one.',
  ),
  types: v.nameList(eventTypes, {
    what: 'types of events',
    max: 1_000,
    description: 'Only events of these types, separated by commas: `contact.created,contact.updated`',
  }),
  limit: v.queryInteger(1, 500, 100, { description: 'Maximum number of events.' }),
  wait: v.queryInteger(0, 30, 0, {
    description: 'Seconds to wait for an event if there is none yet.',
  }),
  payload: v.described(
    v.oneOf(payloads),
    '`thin` leaves out the snapshots: `data` is `null`. Default: `snapshot`.',
  ),
};
export const feedQuery = v.object(feedFields);
type Sent = ReturnType<typeof feedQuery.read>;
export type FeedQuery = Pick<Sent, 'after' | 'types'> & {
  readonly limit: number;
  readonly payload: Payload | 'ids';
};

export const changesQuery = v.object({ after: feedFields.after });

export const changesSchema = s.object('Changes', {
  work: s.list(
    s.oneOf(workKinds),
    'What the service does in the background and has changed: progress, results and notices. A stream begins with all that the user may see.',
  ),
  after: s.nullableString('Send it as `after` to get the next changes; `null` if there are no events yet.'),
  changes: s.list(
    s.object('RecordChange', {
      type: s.oneOf(eventTypes),
      ids: s.list(
        s.string(),
        'The changed record, and the contact, agent and campaign that the change is about.',
      ),
    }),
  ),
});
