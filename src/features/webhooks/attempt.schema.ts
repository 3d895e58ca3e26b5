import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { attemptResults } from './attempt.store.ts';

export const attemptQuery = v.object({
  result: v.described(v.oneOf(attemptResults), 'Only attempts with this result.'),
  limit: v.queryInteger(1, 100, 20, { description: 'Maximum number of attempts.' }),
  before: v.queryInteger(1, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, {
    description: 'Only attempts before the one with this number, to get the next page.',
  }),
});
export type AttemptQuery = ReturnType<typeof attemptQuery.read>;

const properties: Record<string, s.JsonSchema> = {
  number: s.integer('Identifies the attempt. A later attempt has a higher number.'),
  event_id: s.string(),
  event_type: s.string(),
  attempt: s.integer('1 for the first attempt to deliver the event.'),
  at: s.dateTime('When the request was sent.'),
  duration_ms: s.integer(),
  result: s.oneOf(attemptResults),
  status: { type: ['integer', 'null'], description: 'The status of the response, if there was one.' },
  error: s.nullableString('Why the attempt has failed.'),
};

export const attemptResponses = {
  page: s.object('WebhookAttemptPage', {
    attempts: s.list(s.object('WebhookAttempt', properties)),
    has_more: s.boolean('Whether there are earlier attempts.'),
  }),
  details: s.object('WebhookAttemptDetails', {
    ...properties,
    request: s.object('WebhookAttemptRequest', {
      headers: { type: 'object', additionalProperties: s.string() },
      body: s.nullableString(
        'Made from the event again, so it has no data of a contact that was deleted since. `null` if the event has expired.',
      ),
    }),
    response: s.orNull(
      s.object('WebhookAttemptResponse', { status: s.integer(), body: s.string('The first KB.') }),
    ),
  }),
};
