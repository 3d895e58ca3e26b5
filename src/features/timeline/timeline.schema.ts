import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { changeActions, changeKinds } from '../../records/timeline.store.ts';
import { actorKinds, changesSchema } from '../audit-log/audit-log.schema.ts';
import { callResponses, media } from '../calls/call.schema.ts';
import { enrollmentStatuses } from '../campaigns/campaign.schema.ts';
import { sources } from '../contacts/contact.schema.ts';

export const timelineKinds = [...changeKinds, ...media] as const;
export type TimelineKind = (typeof timelineKinds)[number];

export const timelineQuery = v.object({
  kinds: v.nameList(timelineKinds, {
    what: 'kinds of entries',
    max: timelineKinds.join().length,
    description: 'Only entries of these kinds, separated by commas: `tag,enrollment`',
  }),
  limit: v.queryInteger(1, 100, 20, { description: 'Maximum number of entries.' }),
  cursor: v.described(v.text({ max: 500 }), 'The `next_cursor` of the previous page, with the same `kinds`.'),
});
export type TimelineQuery = ReturnType<typeof timelineQuery.read>;

const texts = s.list(s.string());

const actorSchema = s.object('TimelineActor', {
  kind: s.oneOf([...actorKinds, 'import'], '`channel` is a call or message that came in on the channel.'),
  id: s.nullableString('The id of a key, user, channel, integration or import.'),
  name: s.nullableString(
    'The current name; `null` if it was deleted or has none. The email of a user is shown to users and to keys with the scope `admin`.',
  ),
  deleted: s.boolean('Whether it was deleted.'),
});

export const timelineSchema = s.object('Timeline', {
  entries: {
    type: 'array',
    items: s.object('TimelineEntry', {
      id: s.string('Identifies the entry within the timeline.'),
      at: s.dateTime('When it happened: for a call, when it started.'),
      kind: s.oneOf(timelineKinds),
      action: s.oneOf(['contact.created', ...changeActions, 'call.recorded']),
      actor: s.orNull(actorSchema, 'Who made the change; `null` for a call, and if it was not recorded.'),
      source: s.orNull(s.oneOf(sources), 'Of a new contact: how it was created.'),
      fields: s.orNull(texts, 'The names of the changed fields.'),
      changes: changesSchema(
        'The values of the changed fields, without those of archived fields; `null` if they were not recorded.',
      ),
      tags: s.orNull(
        s.object('TimelineTags', { added: texts, removed: texts }),
        'The tags that were added and removed, if they were recorded.',
      ),
      enrollment: s.orNull(
        s.object('TimelineEnrollment', {
          campaign_id: s.string(),
          campaign_name: s.nullableString('`null` if the campaign was deleted.'),
          status: s.orNull(s.oneOf(enrollmentStatuses), 'After the change; `null` if it was not recorded.'),
          attempts: s.nullable(s.integer('How often the contact had been claimed.')),
          outcome: s.nullableString('How the last attempt went.'),
        }),
        'The enrollment that was changed.',
      ),
      call: s.orNull(callResponses.call, 'The call or message as it is now.'),
      request_id: s.nullableString('The id of the request that made the change.'),
    }),
  },
  next_cursor: s.nullableString('Where the next page begins; `null` after the last.'),
});
