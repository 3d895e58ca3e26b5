import { pageFields } from '../../lib/page.ts';
import { dateTimeSchema, type JsonSchema, objectOf, objectSchema, text } from '../../lib/validation.ts';
import { actions } from '../audit/audit.service.ts';

/** Who can act: a principal with an id, the key of the environment, the command line, a start of the service, and an
 *  unknown caller who failed to sign in. */
export const actorKinds = [
  'key',
  'user',
  'channel',
  'integration',
  'environment',
  'command line',
  'start',
  'unknown',
] as const;
export type ActorKind = (typeof actorKinds)[number];

export const activityQuery = objectOf({
  ...pageFields,
  actor: text({ max: 64, schema: { description: 'What this key, user, channel or integration did.' } }),
  subject: text({ max: 64, schema: { description: 'What was done to this record, or to a part of it.' } }),
  action: text({
    max: 64,
    schema: { description: 'An action, or its beginning: `contact.deleted`, `contact.`' },
  }),
});
export type ActivityQuery = ReturnType<typeof activityQuery.read>;

const nullable = (type: string, description: string): JsonSchema => ({ type: [type, 'null'], description });

const named: Record<string, JsonSchema> = {
  name: nullable('string', 'What it is called; `null` once it is gone, and where it has no name.'),
  deleted: { type: 'boolean', description: 'Whether it is gone.' },
};
const recordSchema = objectSchema('AuditedRecord', { id: { type: 'string' }, ...named });
const orNothing = (description: string): JsonSchema => ({
  oneOf: [recordSchema, { type: 'null' }],
  description,
});

export const entrySchema = objectSchema('AuditEntry', {
  at: dateTimeSchema(
    'When it was done. The order of the list is that of the changes, whatever the clock said.',
  ),
  actor: objectSchema('AuditActor', {
    kind: { type: 'string', enum: actorKinds },
    id: nullable('string', 'The id of a key, user, channel or integration.'),
    ...named,
  }),
  action: { type: 'string', enum: actions },
  subject: orNothing('The record; `null` where there were many, or for the workspace itself.'),
  parent: orNothing('The agent of a version, or the campaign of an enrollment.'),
  fields: {
    type: ['array', 'null'],
    items: { type: 'string' },
    description: 'The names of the fields that were changed; never what they said.',
  },
  counts: {
    type: ['object', 'null'],
    additionalProperties: { type: 'integer', minimum: 0 },
    description: 'How many records, where there were many.',
  },
  request_id: nullable('string', 'The request; `null` for the command line and a start of the service.'),
});
