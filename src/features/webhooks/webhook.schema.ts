import { parseUuid, uuidSchema } from '../../lib/ids.ts';
import { pageFields } from '../../lib/page.ts';
import {
  boolean,
  dateTime,
  dateTimeSchema,
  described,
  integer,
  type JsonSchema,
  nullable,
  objectOf,
  objectSchema,
  oneOf,
  schemasOf,
  text,
  uniqueStrings,
} from '../../lib/validation.ts';
import { eventTypes } from '../../records/actions.ts';
import { payloads } from '../events/feed.service.ts';
import { MAX_URL_LENGTH } from './webhook.url.ts';

export const webhookStatuses = ['active', 'paused', 'disabled'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

/** A test event is sent only to the endpoint that is tested. */
const selectableTypes = eventTypes.filter((type) => type !== 'webhook.test');

const fields = {
  url: text({
    min: 1,
    max: MAX_URL_LENGTH,
    schema: { description: 'Where the events are sent. It must be an https URL with a public address.' },
  }),
  description: nullable(text({ max: 200 })),
  types: nullable(
    uniqueStrings(oneOf(selectableTypes), selectableTypes.length, {
      description: 'The types of the events to send; `null` for all.',
      minItems: 1,
    }),
  ),
  tag: nullable(
    text({
      min: 1,
      max: 64,
      schema: {
        description:
          'Only events of contacts with this tag, changes of the tags of a contact, and deletes of contacts.',
      },
    }),
  ),
  agent_id: nullable(
    text({
      schema: { ...uuidSchema, description: 'Only events that are about this agent.' },
      check: (id) => (parseUuid(id) ? undefined : 'must be the id of an agent (UUID).'),
    }),
  ),
  campaign_id: nullable(
    text({ min: 1, max: 64, schema: { description: 'Only events that are about this campaign.' } }),
  ),
  payload: described(oneOf(payloads), '`thin` leaves out the snapshot of the record in `data`.'),
  ordered: boolean({
    description:
      'Whether an event is sent only after all earlier events of the same record were delivered or have finally failed.',
  }),
  max_concurrency: described(
    integer(1, 100),
    'The number of requests at the same time, from each instance of the service. Default: 10.',
  ),
  rate_per_second: nullable(
    described(integer(1, 10_000), 'The number of requests per second; `null` for no limit.'),
  ),
  status: described(
    oneOf(webhookStatuses),
    '`paused` keeps the events until it is `active` again. Only the service sets `disabled`.',
  ),
};

const replayFields = {
  event_id: text({
    min: 1,
    max: 64,
    schema: {
      description: 'Sends this event again, even if the types or filters of the endpoint exclude it.',
    },
  }),
  since: described(dateTime(), 'Sends all events from this time on, included, again.'),
  until: described(dateTime(), 'The end of the range, included. Default: now.'),
  failed: boolean({ const: true, description: 'Sends all events again whose last attempt has failed.' }),
};

const REPLAY_HINT = 'must be sent alone: send either event_id, or since with an optional until, or failed.';

const { event_id, since, until, failed } = replayFields;
const replayForms = [
  objectOf({ event_id }, { title: 'WebhookReplayOfEvent', required: ['event_id'] }),
  objectOf({ since, until }, { title: 'WebhookReplayOfRange', required: ['since'] }),
  objectOf({ failed }, { title: 'WebhookReplayOfFailed', required: ['failed'] }),
];

const webhookReplayFields = objectOf(replayFields, {
  check: ({ event_id, since, until, failed }) => {
    if (failed === false) return [{ field: 'failed', message: 'must be true.' }];
    const criteria = [event_id, since, failed].filter((each) => each !== undefined).length;
    if (criteria === 1 && (until === undefined || since !== undefined)) return [];
    const field = event_id !== undefined ? 'event_id' : failed !== undefined ? 'failed' : 'since';
    return [
      {
        field,
        message: criteria === 0 ? 'is missing. Send one of event_id, since and failed.' : REPLAY_HINT,
      },
    ];
  },
});
/** Exactly one of the three forms. */
export const webhookReplay: typeof webhookReplayFields = {
  ...webhookReplayFields,
  schema: { title: 'WebhookReplayCreate', oneOf: replayForms.map(({ schema }) => schema) },
};
export type WebhookReplayBody = ReturnType<typeof webhookReplay.read>;

const nullableTime = (description: string): JsonSchema => ({
  oneOf: [dateTimeSchema(description), { type: 'null' }],
});

const serviceProperties: Record<string, JsonSchema> = {
  disabled_reason: { type: ['string', 'null'], description: 'Why the service disabled the endpoint.' },
  old_secret_expires_at: nullableTime('Until then, events are also signed with the old secret.'),
  created_at: dateTimeSchema('When the endpoint was created.'),
  updated_at: dateTimeSchema('When the endpoint was last changed.'),
  failing_since: nullableTime('The first failure since the last success.'),
  last_delivery_at: nullableTime('The last success.'),
  pending_deliveries: { type: 'integer', description: 'Events that are being sent or wait for a retry.' },
  failed_deliveries: {
    type: 'integer',
    description: 'Events whose last attempt has failed. At most 1,000 are counted.',
  },
  replay: {
    oneOf: [
      objectSchema('WebhookReplayProgress', {
        remaining: { type: 'integer', description: 'How many events of the log remain to be examined.' },
      }),
      { type: 'null' },
    ],
  },
};
const properties = { id: { type: 'string' }, ...schemasOf(fields), ...serviceProperties };
const ignored = ['id', ...Object.keys(serviceProperties)];

export const webhookCreate = objectOf(fields, { title: 'WebhookCreate', required: ['url'], ignored });
export type WebhookCreate = ReturnType<typeof webhookCreate.read>;

export const webhookUpdate = objectOf(fields, { title: 'WebhookUpdate', ignored });
export type WebhookUpdate = ReturnType<typeof webhookUpdate.read>;

export const webhookQuery = objectOf({
  ...pageFields,
  status: described(oneOf(webhookStatuses), 'Only endpoints with this status.'),
});
export type WebhookQuery = ReturnType<typeof webhookQuery.read>;

export const webhookResponses = {
  webhook: objectSchema('Webhook', properties),
  created: objectSchema('CreatedWebhook', {
    ...properties,
    secret: { type: 'string', description: 'Signs the events. Shown only once.' },
  }),
  replay: objectSchema('WebhookReplay', {
    events: {
      type: 'integer',
      description:
        'How many events are sent again. For a range of time, those that the filters exclude are included.',
    },
  }),
};
