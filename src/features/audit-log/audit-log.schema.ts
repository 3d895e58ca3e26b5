import { pageFields } from '../../lib/page.ts';
import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { actions } from '../../records/actions.ts';

/** `environment` is the API key of the environment, `start` the start of the service, `audience` the audience of a campaign, and
 *  `unknown` a caller who failed to sign in. */
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
  'audience',
  'unknown',
] as const;
export type ActorKind = (typeof actorKinds)[number];

const filter = v.text({ max: 64 });

export const auditLogQuery = v.object({
  ...pageFields,
  actor: v.described(filter, 'Only changes by this key, user, channel, integration or webhook.'),
  subject: v.described(filter, 'Only changes to this record or to a part of it.'),
  action: v.described(filter, 'An action or a prefix of one: `contact.deleted`, `contact.`'),
  since: v.described(v.dateTime(), 'Only changes at this time or later.'),
  before: v.described(v.dateTime(), 'Only changes before this time.'),
  sort: v.described(
    v.oneOf(['at', '-at']),
    'The order by time. A minus sign reverses it. By default the newest change is first.',
  ),
});
export type AuditLogQuery = ReturnType<typeof auditLogQuery.read>;

const named: Record<string, s.JsonSchema> = {
  name: s.nullableString(
    'The current name; `null` if it was deleted, has no name, or the key may not see it.',
  ),
  deleted: s.boolean('Whether it was deleted.'),
};
const values = s.mapOf(
  {},
  'By the names of the fields. The id of a record is an object with its `id`, `name` and `deleted`.',
);

/** The values of changed fields. */
export const changesSchema = (description: string) =>
  s.orNull(s.object('ChangedValues', { before: values, after: values }), description);

const recordSchema = s.object('AuditedRecord', { id: s.string(), ...named });

export const entrySchema = s.object('AuditEntry', {
  at: s.dateTime(
    'When the change was made. Entries are listed in the order of the changes, even if the clock was set back.',
  ),
  actor: s.object('AuditActor', {
    kind: s.oneOf(actorKinds),
    id: s.nullableString('The id of a key, user, channel, integration or webhook.'),
    ...named,
  }),
  action: s.oneOf(actions),
  subject: s.orNull(recordSchema, 'The changed record; `null` for several records or the workspace itself.'),
  parent: s.orNull(recordSchema, 'The agent of a version, or the campaign of an enrollment.'),
  fields: s.nullable(s.list(s.string(), 'The names of the changed fields.')),
  changes: changesSchema(
    'The values of settings. Never secrets and what is stored about contacts. `null` if none were recorded, or the key may not see the name of the record.',
  ),
  counts: s.nullable(s.mapOf(s.count(), 'The number of records, if there were several.')),
  request_id: s.nullableString(
    'The id of the request; `null` for the command line and the start of the service.',
  ),
  via: s.nullable(s.oneOf(['mcp'], '`mcp` for a change through the MCP server.')),
});
