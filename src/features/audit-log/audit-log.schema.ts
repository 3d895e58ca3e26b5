import { pageFields } from '../../lib/page.ts';
import { enumSchema, nullableText, orNull } from '../../lib/schemas.ts';
import {
  dateTime,
  dateTimeSchema,
  described,
  type JsonSchema,
  objectOf,
  objectSchema,
  text,
} from '../../lib/validation.ts';
import { actions } from '../../records/actions.ts';

/** `environment` is the API key of the environment, `start` the start of the service, and `unknown` a caller who failed to
 *  sign in. */
export const actorKinds = [
  'key',
  'user',
  'channel',
  'integration',
  'webhook',
  'environment',
  'command line',
  'start',
  'schedule',
  'unknown',
] as const;
export type ActorKind = (typeof actorKinds)[number];

export const auditLogQuery = objectOf({
  ...pageFields,
  actor: text({
    max: 64,
    schema: { description: 'Only changes by this key, user, channel, integration or webhook.' },
  }),
  subject: text({ max: 64, schema: { description: 'Only changes to this record or to a part of it.' } }),
  action: text({
    max: 64,
    schema: { description: 'An action or a prefix of one: `contact.deleted`, `contact.`' },
  }),
  since: described(dateTime(), 'Only changes at this time or later.'),
  before: described(dateTime(), 'Only changes before this time.'),
});
export type AuditLogQuery = ReturnType<typeof auditLogQuery.read>;

const named: Record<string, JsonSchema> = {
  name: nullableText('The current name; `null` if it was deleted, has no name, or the key may not see it.'),
  deleted: { type: 'boolean', description: 'Whether it was deleted.' },
};
const recordSchema = objectSchema('AuditedRecord', { id: { type: 'string' }, ...named });

export const entrySchema = objectSchema('AuditEntry', {
  at: dateTimeSchema(
    'When the change was made. Entries are listed in the order of the changes, even if the clock was set back.',
  ),
  actor: objectSchema('AuditActor', {
    kind: enumSchema(actorKinds),
    id: nullableText('The id of a key, user, channel, integration or webhook.'),
    ...named,
  }),
  action: enumSchema(actions),
  subject: orNull(recordSchema, 'The changed record; `null` for several records or the workspace itself.'),
  parent: orNull(recordSchema, 'The agent of a version, or the campaign of an enrollment.'),
  fields: {
    type: ['array', 'null'],
    items: { type: 'string' },
    description: 'The names of the changed fields, never their values.',
  },
  counts: {
    type: ['object', 'null'],
    additionalProperties: { type: 'integer', minimum: 0 },
    description: 'The number of records, if there were several.',
  },
  request_id: nullableText(
    'The id of the request; `null` for the command line and the start of the service.',
  ),
  via: {
    type: ['string', 'null'],
    enum: ['mcp', null],
    description: '`mcp` for a change through the MCP server.',
  },
});
