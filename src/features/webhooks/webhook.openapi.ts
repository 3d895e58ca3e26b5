import { eventTypes } from '../../records/actions.ts';
import { eventSchema } from '../events/event.schema.ts';

const HEADERS = {
  'webhook-id': 'The id of the event. A repeated delivery has the same one.',
  'webhook-timestamp': 'When the request was sent, in seconds since 1970.',
  'webhook-signature':
    'Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64.',
};

const parameters = Object.entries(HEADERS).map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}));

/** `onContactCreated`. */
const operationIdOf = (type: string): string =>
  `on${type
    .split('.')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`;

/** The requests that Roster sends, for the `webhooks` of the OpenAPI document. */
export const webhookRequests = Object.fromEntries(
  eventTypes.map((type) => [
    type,
    {
      post: {
        tags: ['Webhooks'],
        operationId: operationIdOf(type),
        summary: `The event ${type}`,
        description:
          'Roster sends this request to the URL of a webhook. Verify the signature before you use the event.',
        security: [],
        parameters,
        requestBody: { required: true, content: { 'application/json': { schema: eventSchema } } },
        responses: {
          200: { description: 'Any status from 200 to 299 confirms the delivery.' },
          410: { description: 'Disables the webhook. With any other status, the delivery is retried.' },
        },
      },
    },
  ]),
);
