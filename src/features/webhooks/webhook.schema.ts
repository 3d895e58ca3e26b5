import { parseUuid, uuidSchema } from '../../lib/ids.ts';
import { pageFields } from '../../lib/page.ts';
import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { eventTypes } from '../../records/actions.ts';
import { payloads } from '../events/event.schema.ts';
import { MAX_URL_LENGTH } from './webhook.url.ts';

export const webhookStatuses = ['active', 'paused', 'disabled'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

/** A test event is sent only to the endpoint that is tested. */
const selectableTypes = eventTypes.filter((type) => type !== 'webhook.test');

const fields = {
  url: v.described(
    v.text({ min: 1, max: MAX_URL_LENGTH, schema: { examples: ['https://example.com/webhooks'] } }),
    'Where the events are sent. It must be an https URL with a public address.',
  ),
  description: v.nullable(v.text({ max: 200 })),
  types: v.nullable(
    v.uniqueStrings(v.oneOf(selectableTypes), selectableTypes.length, {
      description: 'The types of the events to send; `null` for all.',
      minItems: 1,
    }),
  ),
  tag: v.nullable(
    v.described(
      v.text({ min: 1, max: 64 }),
      'Only events of contacts with this tag, changes of the tags of a contact, and deletes of contacts.',
    ),
  ),
  agent_id: v.nullable(
    v.text({
      schema: { ...uuidSchema, description: 'Only events that are about this agent.' },
      check: (id) => (parseUuid(id) ? undefined : 'must be the id of an agent (UUID).'),
    }),
  ),
  campaign_id: v.nullable(
    v.described(v.text({ min: 1, max: 64 }), 'Only events that are about this campaign.'),
  ),
  payload: v.described(v.oneOf(payloads), '`thin` leaves out the snapshot of the record in `data`.'),
  include: v.uniqueStrings(v.oneOf(['fields']), 1, {
    description:
      '`["fields"]` adds the contact\'s values of fields, as they are when the event is sent, to `data` of its events; this requires `contacts:read`. Default: none.',
  }),
  ordered: v.boolean({
    description:
      'Whether an event is sent only after all earlier events of the same record were delivered or have finally failed.',
  }),
  max_concurrency: v.described(
    v.integer(1, 100),
    'The number of requests at the same time, from each instance of the service. Default: 10.',
  ),
  rate_per_second: v.nullable(
    v.described(v.integer(1, 10_000), 'The number of requests per second; `null` for no limit.'),
  ),
  status: v.described(
    v.oneOf(webhookStatuses),
    '`paused` keeps the events until it is `active` again. Only the service sets `disabled`.',
  ),
};

const replayFields = {
  event_id: v.described(
    v.text({ min: 1, max: 64 }),
    'Sends this event again, even if the types or filters of the endpoint exclude it.',
  ),
  since: v.described(v.dateTime(), 'Sends all events from this time on, included, again.'),
  until: v.described(v.dateTime(), 'The end of the range, included. Default: now.'),
  failed: v.boolean({ const: true, description: 'Sends all events again whose last attempt has failed.' }),
};

const REPLAY_MISSING = 'is missing. Send one of event_id, since and failed.';
const REPLAY_HINT = 'must be sent alone: send either event_id, or since with an optional until, or failed.';

const { event_id, since, until, failed } = replayFields;
const replayForms = [
  v.object({ event_id }, { title: 'WebhookReplayOfEvent', required: ['event_id'] }),
  v.object({ since, until }, { title: 'WebhookReplayOfRange', required: ['since'] }),
  v.object({ failed }, { title: 'WebhookReplayOfFailed', required: ['failed'] }),
];

const webhookReplayFields = v.object(replayFields, {
  check: ({ event_id, since, until, failed }) => {
    if (failed === false) return [{ field: 'failed', message: 'must be true.' }];
    const criteria = [event_id, since, failed].filter((each) => each !== undefined).length;
    if (criteria === 1 && (until === undefined || since !== undefined)) return [];
    const field = event_id !== undefined ? 'event_id' : failed !== undefined ? 'failed' : 'since';
    return [{ field, message: criteria === 0 ? REPLAY_MISSING : REPLAY_HINT }];
  },
});
/** Exactly one of the three forms. */
export const webhookReplay: typeof webhookReplayFields = {
  ...webhookReplayFields,
  schema: { title: 'WebhookReplayCreate', oneOf: replayForms.map(({ schema }) => schema) },
};
export type WebhookReplayBody = ReturnType<typeof webhookReplay.read>;

const nullableTime = (description: string) => s.orNull(s.dateTime(description));

const serviceProperties: Record<string, s.JsonSchema> = {
  disabled_reason: s.nullableString('Why the service disabled the endpoint.'),
  old_secret_expires_at: nullableTime('Until then, events are also signed with the old secret.'),
  created_at: s.dateTime('When the endpoint was created.'),
  updated_at: s.dateTime('When the endpoint was last changed.'),
  failing_since: nullableTime('The first failure since the last success.'),
  last_delivery_at: nullableTime('The last success.'),
  pending_deliveries: s.integer('Events that are being sent or wait for a retry.'),
  failed_deliveries: s.integer('Events whose last attempt has failed. At most 1,000 are counted.'),
  replay: s.orNull(
    s.object('WebhookReplayProgress', {
      remaining: s.integer('How many events of the log remain to be examined.'),
    }),
  ),
};
const properties = { id: s.string(), ...v.schemasOf(fields), ...serviceProperties };
const ignored = ['id', ...Object.keys(serviceProperties)];

export const webhookCreate = v.object(fields, { title: 'WebhookCreate', required: ['url'], ignored });
export type WebhookCreate = ReturnType<typeof webhookCreate.read>;

export const webhookUpdate = v.object(fields, { title: 'WebhookUpdate', ignored });
export type WebhookUpdate = ReturnType<typeof webhookUpdate.read>;

export const webhookQuery = v.object({
  ...pageFields,
  status: v.described(v.oneOf(webhookStatuses), 'Only endpoints with this status.'),
});
export type WebhookQuery = ReturnType<typeof webhookQuery.read>;

export const webhookResponses = {
  webhook: s.object('Webhook', properties),
  created: s.object('CreatedWebhook', {
    ...properties,
    secret: s.string('Signs the events. Shown only once.'),
  }),
  replay: s.object('WebhookReplay', {
    events: s.integer(
      'How many events are sent again. For a range of time, those that the filters exclude are included.',
    ),
  }),
};
