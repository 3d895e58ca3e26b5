import { pageFields } from '../../lib/page.ts';
import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';

export const mergeStatuses = ['moving', 'merged', 'undoing', 'undone'] as const;
export type MergeStatus = (typeof mergeStatuses)[number];

const MAX_OTHERS = 9;
const MAX_CHOICES = 500;

const contact = v.text({ min: 1, max: 64, schema: { description: 'The id of a contact.' } });

const WAYS = ['dry_run', 'plan_token'] as const;

export const mergeBody = v.object(
  {
    survivor_id: v.described(contact, 'The contact that stays.'),
    other_ids: v.uniqueStrings(contact, MAX_OTHERS, {
      description: 'The contacts that become a part of it.',
      minItems: 1,
    }),
    choices: v.described(
      v.mapOf(v.text({ min: 1, max: 100 }), contact, MAX_CHOICES),
      "The contact whose value a field gets, by the field's name as the plan has it, such as `first_name`, `phone_number`, `fields.plan` or `crm_ids.hubspot`.",
    ),
    dry_run: v.checked<true>({ const: true, description: 'Returns the plan and changes nothing.' }, (sent) =>
      sent === true ? undefined : 'must be true. To merge, send plan_token instead.',
    ),
    plan_token: v.text({
      min: 1,
      max: 100,
      schema: { description: 'That of the plan, to merge the contacts as planned.' },
    }),
  },
  {
    title: 'MergeCreate',
    required: ['survivor_id', 'other_ids'],
    schema: { oneOf: WAYS.map(s.having) },
    check: (value) =>
      WAYS.filter((name) => name in value).length === 1
        ? []
        : [{ field: 'plan_token', message: 'is needed, or else dry_run. Send exactly one.' }],
  },
);
export type MergeCreate = ReturnType<typeof mergeBody.read>;

export const mergeQuery = v.object({
  ...pageFields,
  contact_id: v.text({ schema: { description: 'Only merges in which this contact was or is.' } }),
});
export type MergeQuery = ReturnType<typeof mergeQuery.read>;

const value: s.JsonSchema = { type: ['string', 'number', 'boolean'] };
const contactIdSchema = s.string('The id of a contact.');
const valueSchema = s.object('ValueOfContact', { contact_id: contactIdSchema, value });

/** Without the scope of their records, callers see null. */
const optionalCount = (what: string, scope: string): s.JsonSchema =>
  s.orNull(s.count(), `How many ${what}; \`null\` without the scope \`${scope}\`.`);

const countsSchema = s.object('MergeCounts', {
  identities: s.count('Current and former ones.'),
  enrollments: optionalCount('enrollments', 'campaigns:read'),
  calls: optionalCount('calls and messages', 'calls:read'),
  sessions: optionalCount('sessions of runtimes', 'calls:read'),
  renderings: s.count('Rendered instructions.'),
  import_rows: s.count('Rows of imports.'),
  bulk_changes: s.count('What bulk jobs keep for an undo.'),
});

const campaignSchema = s.object('MergedEnrollment', {
  campaign_id: s.string(),
  status: s.string('Of the enrollment that stays: the most advanced.'),
  contact_id: s.string('Whose enrollment it is now.'),
  removed: s.list(s.object('RemovedEnrollment', { contact_id: contactIdSchema, status: s.string() })),
});

export const planSchema = s.object('MergePlan', {
  survivor_id: s.string(),
  other_ids: s.list(s.string()),
  fields: s.list(
    s.object('MergedField', {
      field: s.string('Its name, by which `choices` names it.'),
      value,
      contact_id: s.string('Whose value it is.'),
      is_conflict: s.boolean('Whether the contacts have different values.'),
      values: s.list(valueSchema, 'The values of all contacts that have one, the survivor first.'),
    }),
    'Every field that one of the contacts has.',
  ),
  tags: s.list(s.string(), 'The tags of all contacts, in their order.'),
  first_contact_at: s.dateTime('The earliest of all.'),
  last_contact_at: s.dateTime('The latest of all.'),
  moves: countsSchema,
  enrollments: s.orNull(
    s.list(campaignSchema),
    'The campaigns in which one of the others is enrolled; `null` without the scope `campaigns:read`.',
  ),
  warnings: s.list(s.string(), 'What the caller should know before the merge.'),
  plan_token: s.string('Send it instead of `dry_run` to merge the contacts as planned.'),
  expires_at: s.dateTime('Until when the token is valid.'),
});

const properties: Record<string, s.JsonSchema> = {
  id: s.string(),
  survivor_id: s.string(),
  other_ids: s.list(s.string()),
  status: s.oneOf(
    mergeStatuses,
    '`moving` while the rest of a large call history moves, which is already part of the survivor; `undoing` while it moves back.',
  ),
  moved: countsSchema,
  created_by: s.string('The id of the user or the API key.'),
  created_at: s.dateTime('When the contacts were merged.'),
  undo_until: s.nullable(s.dateTime('Until when it can be undone; `null` if it was.')),
  undone_by: s.nullableString('The id of the user or the API key that has undone it.'),
  undone_at: s.nullable(s.dateTime('When it was undone.')),
  kept: s.list(
    s.string(),
    'Of an undo: fields that stay with the survivor, because they were changed since.',
  ),
  kept_calls: optionalCount('calls and messages since the merge stay with the survivor', 'calls:read'),
  not_restored: s.list(
    s.object('NotRestored', {
      contact_id: contactIdSchema,
      kind: s.oneOf(['identity', 'enrollment']),
      reason: s.oneOf(['held_by_other', 'removed', 'changed']),
      held_by: s.nullableString('The contact that has the identity by now.'),
      campaign_id: s.nullableString('Of an enrollment.'),
    }),
    'Of an undo: what could not be restored.',
  ),
};

export const mergeSchema = s.object('Merge', properties);
export const mergeDetails = s.object('MergeWithLosses', {
  ...properties,
  lost: s.orNull(
    s.list(s.object('LostValue', { field: s.string(), contact_id: contactIdSchema, value })),
    'The values that the survivor did not keep; `null` after an undo and after 30 days.',
  ),
});
