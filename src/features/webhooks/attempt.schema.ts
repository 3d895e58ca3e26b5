import {
  dateTimeSchema,
  type JsonSchema,
  objectOf,
  objectSchema,
  oneOf,
  queryInteger,
} from '../../lib/validation.ts';
import { attemptResults } from './attempt.store.ts';

const resultField = oneOf(attemptResults);

export const attemptQuery = objectOf({
  result: {
    ...resultField,
    schema: { ...resultField.schema, description: 'Only attempts with this result.' },
  },
  limit: queryInteger(1, 100, 20, { description: 'Maximum number of attempts.' }),
  before: queryInteger(1, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, {
    description: 'Only attempts before the one with this number, to get the next page.',
  }),
});
export type AttemptQuery = ReturnType<typeof attemptQuery.read>;

const properties: Record<string, JsonSchema> = {
  number: { type: 'integer', description: 'Identifies the attempt. A later attempt has a higher number.' },
  event_id: { type: 'string' },
  event_type: { type: 'string' },
  attempt: { type: 'integer', description: '1 for the first attempt to deliver the event.' },
  at: dateTimeSchema('When the request was sent.'),
  duration_ms: { type: 'integer' },
  result: { type: 'string', enum: attemptResults },
  status: { type: ['integer', 'null'], description: 'The status of the response, if there was one.' },
  error: { type: ['string', 'null'], description: 'Why the attempt has failed.' },
};

export const attemptSchema = objectSchema('WebhookAttempt', properties);

export const attemptResponses = {
  page: objectSchema('WebhookAttemptPage', {
    attempts: { type: 'array', items: attemptSchema },
    has_more: { type: 'boolean', description: 'Whether there are earlier attempts.' },
  }),
  details: objectSchema('WebhookAttemptDetails', {
    ...properties,
    request: objectSchema('WebhookAttemptRequest', {
      headers: { type: 'object', additionalProperties: { type: 'string' } },
      body: {
        type: ['string', 'null'],
        description:
          'Made from the event again, so it has no data of a contact that was deleted since. `null` if the event has expired.',
      },
    }),
    response: {
      oneOf: [
        objectSchema('WebhookAttemptResponse', {
          status: { type: 'integer' },
          body: { type: 'string', description: 'The first KB.' },
        }),
        { type: 'null' },
      ],
    },
  }),
};
