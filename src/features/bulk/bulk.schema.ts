import { invalid, type Problem } from '../../lib/errors.ts';
import { pageFields } from '../../lib/page.ts';
import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { bodyFilter, bodyFilters, MAX_TAGS, tag } from '../contacts/contact.schema.ts';
import { contactId } from '../contacts/contact.service.ts';
import { tagChangeProblems } from '../contacts/contact.tags.ts';
import type { ContactFilter } from '../contacts/contact.terms.ts';
import { fieldValues } from '../fields/field.schema.ts';

export const bulkActions = ['tag', 'rename_tag', 'set_fields', 'delete', 'enroll', 'export'] as const;
export type BulkAction = (typeof bulkActions)[number];
/** What a job does that can be undone. */
export const undoableActions = ['tag', 'rename_tag', 'set_fields', 'enroll'] as const;
/** An undo is a job as well. */
export const jobActions = [...bulkActions, 'undo'] as const;
export type JobAction = (typeof jobActions)[number];

export const bulkStatuses = ['queued', 'running', 'done', 'canceled', 'failed'] as const;
export type BulkStatus = (typeof bulkStatuses)[number];

const MAX_IDS = 5_000;
const MAX_EXCEPTIONS = 1_000;

/** Explicit contacts, or all contacts that match a filter. */
export type BulkSelection = { readonly created_until?: string | undefined } & (
  | { readonly ids: string[] }
  | { readonly filter: ContactFilter; readonly except: string[] }
);

const idOf = (value: unknown) => (typeof value === 'string' && contactId.parse(value)) || '';
const contactIdField = v.checked(
  { type: 'string', minLength: 1, maxLength: 64, pattern: contactId.schema.pattern },
  (value) => (idOf(value) ? undefined : 'must be the id of a contact.'),
  idOf,
);

const byIds = v.object(
  {
    ids: v.uniqueStrings(contactIdField, MAX_IDS, {
      description: 'Contact ids. Unknown ids are counted as `missing`.',
      minItems: 1,
    }),
  },
  { title: 'BulkIds', required: ['ids'] },
);
const byFilter = v.object(
  {
    filter: bodyFilter,
    except: v.uniqueStrings(contactIdField, MAX_EXCEPTIONS, { description: 'Contacts to leave out.' }),
    created_until: v.described(
      v.dateTime(),
      'Leaves out contacts that were created later, for example after they were counted.',
    ),
  },
  { title: 'BulkMatches', required: ['filter'] },
);

const selection: v.Field<BulkSelection> = {
  schema: {
    title: 'BulkSelection',
    description: 'Contacts by id, or all contacts that match a filter.',
    oneOf: [byIds.schema, byFilter.schema],
  },
  read: (value, field, problems) => {
    if (v.isObject(value) && 'ids' in value === 'filter' in value) {
      problems.push({
        field,
        message: 'must contain either ids or filter. Send "filter": {} for all contacts.',
      });
      return { ids: [] };
    }
    if (v.isObject(value) && 'ids' in value) return v.nested(byIds).read(value, field, problems);
    const { filter, except = [], created_until } = v.nested(byFilter).read(value, field, problems);
    return { filter, except, created_until };
  },
};

const tags = (description: string) => v.uniqueStrings(tag, MAX_TAGS, { description });

/** All fields are required. */
const variant = <F extends v.Fields>(
  title: string,
  fields: F,
  check?: (value: Readonly<Record<string, unknown>>) => Problem[],
) =>
  v.object(fields, { title, required: Object.keys(fields) as (keyof F & string)[], ...(check && { check }) });

const variants = {
  tag: v.object(
    {
      action: v.oneOf(['tag']),
      selection,
      add: tags('Tags to add after the existing ones.'),
      remove: tags('Tags to remove.'),
    },
    {
      title: 'BulkTag',
      required: ['action', 'selection'],
      schema: {
        anyOf: ['add', 'remove'].map((name) => ({
          type: 'object',
          required: [name],
          properties: { [name]: { type: 'array', items: {}, minItems: 1 } },
        })),
      },
      check: tagChangeProblems,
    },
  ),
  rename_tag: variant('BulkTagRename', { action: v.oneOf(['rename_tag']), tag, to: tag }, (job) =>
    job.tag === job.to ? [{ field: 'to', message: 'must differ from tag, which it replaces.' }] : [],
  ),
  set_fields: variant(
    'BulkFields',
    {
      action: v.oneOf(['set_fields']),
      selection,
      fields: { ...fieldValues, schema: { ...fieldValues.schema, minProperties: 1 } },
    },
    (job) =>
      Object.keys(job.fields as object).length === 0
        ? [{ field: 'fields', message: 'must have at least one key, for example {"plan": "gold"}.' }]
        : [],
  ),
  delete: variant('BulkDelete', { action: v.oneOf(['delete']), selection }),
  enroll: variant('BulkEnroll', {
    action: v.oneOf(['enroll']),
    selection,
    campaign_id: v.described(v.text({ min: 1, max: 64 }), 'The campaign to enroll the contacts in.'),
  }),
  export: variant('BulkExport', { action: v.oneOf(['export']), selection }),
} as const;

export type BulkJobCreate = ReturnType<(typeof variants)[BulkAction]['read']>;

const action = v.oneOf(bulkActions);

/** What to do, and to which contacts. Each action has its own fields. */
export const bulkJobCreate: v.ObjectReader<BulkJobCreate> = {
  fields: {},
  schema: { title: 'BulkJobCreate', oneOf: Object.values(variants).map(({ schema }) => schema) },
  read: (value) => {
    const problems: Problem[] = [];
    const kind = action.read(value.action, 'action', problems);
    if (problems.length > 0) throw invalid(problems);
    return variants[kind].read(value);
  },
};

export const bulkJobQuery = v.object(pageFields);

export const bulkCounts = ['total', 'processed', 'changed', 'unchanged', 'missing', 'blocked'] as const;
export type BulkCount = (typeof bulkCounts)[number];

const bulkJobProperties: Record<string, s.JsonSchema> = {
  id: s.string(),
  action: s.oneOf(jobActions, 'An `undo` is created with `POST /bulk-jobs/{id}/undo`.'),
  status: s.oneOf(
    bulkStatuses,
    '`done`, `canceled` and `failed` jobs have ended. Their earlier changes remain.',
  ),
  filter: {
    anyOf: [...bodyFilters, { type: 'null' }],
    description:
      'The filter of the selection. Null if the selection has ids, and after the job has ended if the filter had `search`, `email` or `company`, or was a tree of conditions, which may be personal data.',
  },
  excluded: s.count('Number of contacts that the selection leaves out.'),
  add: s.list(s.string(), 'Tags to add.'),
  remove: s.list(s.string(), 'Tags to remove.'),
  tag: s.nullableString('The tag to rename.'),
  to: s.nullableString('The new name of the tag.'),
  campaign_id: s.nullableString('The campaign to enroll contacts in.'),
  fields: s.list(s.string(), 'The keys of the fields to set.'),
  undoes: s.nullableString('The job that an undo restores.'),
  undone_by: s.nullableString('The job that undoes this one, or has undone it.'),
  undo_until: s.orNull(
    s.dateTime(
      'Until when the job can be undone. Null while it runs, once it is undone, and if it deletes, exports or undoes.',
    ),
  ),
  total: s.count(
    'Number of contacts in the selection when the job was created. Of a finished job: `processed`.',
  ),
  processed: s.count('Number of contacts that the job has reached.'),
  changed: s.count('Contacts that were changed, deleted or enrolled. Of an undo: those that were restored.'),
  unchanged: s.count('Contacts that needed no change.'),
  missing: s.count('Contacts that did not exist, or were deleted before the job reached them.'),
  blocked: s.count(
    'Contacts that could not be changed. Of an undo: those that were changed or claimed since; only the rest of them is restored.',
  ),
  blocked_contacts: s.list(
    s.object('BlockedContact', {
      id: s.string(),
      reason: s.string('Why the contact could not be changed, as a sentence.'),
    }),
    'The first of the blocked contacts, at most 20.',
  ),
  error: s.nullableString('Why the job failed.'),
  created_by: s.string('The id of the user or API key that created the job.'),
  created_by_email: s.nullableString(
    'The email address of the user; null for an API key and a removed user.',
  ),
  created_at: s.dateTime('When the job was created. Contacts that were created later are not part of it.'),
  started_at: s.orNull(s.dateTime('When its first contacts were processed.')),
  finished_at: s.orNull(s.dateTime('When it ended.')),
};

export const bulkJobSchema = s.object('BulkJob', bulkJobProperties);

/** The response to a key that changes a job. */
export const bulkJobReceipt = s.object('BulkJobReceipt', {
  ...bulkJobProperties,
  ...Object.fromEntries(
    bulkCounts.map((name) => {
      const schema = bulkJobProperties[name] as s.JsonSchema;
      const description = `${schema.description} Null for a key without the scope \`contacts:read\`.`;
      return [name, { ...schema, type: ['integer', 'null'], description }];
    }),
  ),
});
