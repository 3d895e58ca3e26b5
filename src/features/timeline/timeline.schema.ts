import { integerSchema, listSchema, nullableText, orNull, stringSchema } from '../../lib/schemas.ts';
import {
  dateTimeSchema,
  type Field,
  nullableSchema,
  objectOf,
  objectSchema,
  queryInteger,
  text,
} from '../../lib/validation.ts';
import { changeActions, changeKinds } from '../../records/timeline.store.ts';
import { actorKinds } from '../audit-log/audit-log.schema.ts';
import { callResponses, media } from '../calls/call.schema.ts';
import { enrollmentStatuses } from '../campaigns/campaign.schema.ts';
import { sources } from '../contacts/contact.schema.ts';

export const timelineKinds = [...changeKinds, ...media] as const;
export type TimelineKind = (typeof timelineKinds)[number];

export const timelineActions = ['contact.created', ...changeActions, 'call.recorded'] as const;

const isKind = (name: string): name is TimelineKind => (timelineKinds as readonly string[]).includes(name);

/** Names of kinds, separated by commas. Longer than all of them is an error. */
const MAX_KINDS_LENGTH = timelineKinds.join().length;

const kindList: Field<TimelineKind[]> = {
  schema: {
    type: 'string',
    maxLength: MAX_KINDS_LENGTH,
    pattern: `^(${timelineKinds.join('|')})(,(${timelineKinds.join('|')}))*$`,
    description: 'Only entries of these kinds, separated by commas: `tag,enrollment`',
  },
  read: (value, field, problems) => {
    const names = typeof value === 'string' ? value.split(',') : [];
    if (typeof value !== 'string' || value.length > MAX_KINDS_LENGTH || !names.every(isKind)) {
      problems.push({
        field,
        message: `must be kinds of entries, separated by commas. Kinds: ${timelineKinds.join(', ')}.`,
      });
      return [];
    }
    return names.filter(isKind);
  },
};

export const timelineQuery = objectOf({
  kinds: kindList,
  limit: queryInteger(1, 100, 20, { description: 'Maximum number of entries.' }),
  cursor: text({
    max: 500,
    schema: { description: 'The `next_cursor` of the previous page, with the same `kinds`.' },
  }),
});
export type TimelineQuery = ReturnType<typeof timelineQuery.read>;

const texts = listSchema(stringSchema());

export const timelineActorKinds = [...actorKinds, 'import'] as const;

const actorSchema = objectSchema('TimelineActor', {
  kind: {
    type: 'string',
    enum: timelineActorKinds,
    description: '`channel` is a call or message that came in on the channel.',
  },
  id: nullableText('The id of a key, user, channel, integration or import.'),
  name: nullableText(
    'The current name; `null` if it was deleted or has none. The email of a user is shown to users and to keys with the scope `admin`.',
  ),
  deleted: { type: 'boolean', description: 'Whether it was deleted.' },
});

export const timelineSchema = objectSchema('Timeline', {
  entries: {
    type: 'array',
    items: objectSchema('TimelineEntry', {
      id: { type: 'string', description: 'Identifies the entry within the timeline.' },
      at: dateTimeSchema('When it happened: for a call, when it started.'),
      kind: { type: 'string', enum: timelineKinds },
      action: { type: 'string', enum: timelineActions },
      actor: orNull(actorSchema, 'Who made the change; `null` for a call, and if it was not recorded.'),
      source: orNull({ type: 'string', enum: sources }, 'Of a new contact: how it was created.'),
      fields: orNull(texts, 'The names of the changed fields, never their values.'),
      tags: orNull(
        objectSchema('TimelineTags', { added: texts, removed: texts }),
        'The tags that were added and removed, if they were recorded.',
      ),
      enrollment: orNull(
        objectSchema('TimelineEnrollment', {
          campaign_id: { type: 'string' },
          campaign_name: nullableText('`null` if the campaign was deleted.'),
          status: orNull(
            { type: 'string', enum: enrollmentStatuses },
            'After the change; `null` if it was not recorded.',
          ),
          attempts: nullableSchema(integerSchema('How often the contact had been claimed.')),
          outcome: nullableText('How the last attempt went.'),
        }),
        'The enrollment that was changed.',
      ),
      call: orNull(callResponses.call, 'The call or message as it is now.'),
      request_id: nullableText('The id of the request that made the change.'),
    }),
  },
  next_cursor: nullableText('Where the next page begins; `null` after the last.'),
});
