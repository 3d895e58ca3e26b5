import { invalid, type Problem } from '../../lib/errors.ts';
import { pageFields } from '../../lib/page.ts';
import {
  countSchema,
  enumSchema,
  listSchema,
  nullableText,
  orNull,
  stringSchema,
} from '../../lib/schemas.ts';
import {
  dateTime,
  dateTimeSchema,
  described,
  type Field,
  type Fields,
  isObject,
  type JsonSchema,
  nested,
  type ObjectReader,
  objectOf,
  objectSchema,
  oneOf,
  text,
  uniqueStrings,
} from '../../lib/validation.ts';
import { contactFilter, MAX_TAGS, tag } from '../contacts/contact.schema.ts';
import { contactId } from '../contacts/contact.service.ts';
import type { ContactFilter } from '../contacts/contact.terms.ts';

export const bulkActions = ['tag', 'rename_tag', 'delete', 'enroll', 'export'] as const;
export type BulkAction = (typeof bulkActions)[number];

export const bulkStatuses = ['queued', 'running', 'done', 'canceled', 'failed'] as const;
export type BulkStatus = (typeof bulkStatuses)[number];

const MAX_IDS = 5_000;
const MAX_EXCEPTIONS = 1_000;

/** Explicit contacts, or all contacts that match a filter. */
export type BulkSelection =
  | { readonly ids: string[] }
  | {
      readonly filter: ContactFilter;
      readonly except: string[];
      /** Contacts that were created later are left out. */
      readonly created_until?: string | undefined;
    };

const contactIdField = text({
  min: 1,
  max: 64,
  check: (id) => (contactId.parse(id) ? undefined : 'must be the id of a contact.'),
  schema: { pattern: contactId.schema.pattern },
});
const contactIds = (max: number, description: string, minItems?: number): Field<string[]> => {
  const field = uniqueStrings(contactIdField, max, { description, ...(minItems && { minItems }) });
  return {
    schema: field.schema,
    read: (value, name, problems) => {
      const before = problems.length;
      const ids = field.read(value, name, problems);
      return problems.length > before ? [] : [...new Set(ids.map((id) => contactId.parse(id) ?? id))];
    },
  };
};

const createdUntil = described(
  dateTime(),
  'Leaves out contacts that were created later, for example after they were counted.',
);

const byIds = objectOf(
  { ids: contactIds(MAX_IDS, 'Contact ids. Unknown ids are counted as `missing`.', 1) },
  { title: 'BulkIds', required: ['ids'] },
);
const byFilter = objectOf(
  {
    filter: nested(contactFilter),
    except: contactIds(MAX_EXCEPTIONS, 'Contacts to leave out.'),
    created_until: createdUntil,
  },
  { title: 'BulkMatches', required: ['filter'] },
);

const selection: Field<BulkSelection> = {
  schema: {
    title: 'BulkSelection',
    description: 'Contacts by id, or all contacts that match a filter.',
    oneOf: [byIds.schema, byFilter.schema],
  },
  read: (value, field, problems) => {
    if (isObject(value) && 'ids' in value === 'filter' in value) {
      problems.push({
        field,
        message: 'must contain either ids or filter. Send "filter": {} for all contacts.',
      });
      return { ids: [] };
    }
    if (isObject(value) && 'ids' in value) return nested(byIds).read(value, field, problems);
    const { filter, except = [], created_until } = nested(byFilter).read(value, field, problems);
    return { filter, except, created_until };
  },
};

const tags = (description: string) => uniqueStrings(tag, MAX_TAGS, { description });

/** All fields are required. */
const variant = (title: string, fields: Fields) => objectOf(fields, { title, required: Object.keys(fields) });

const variants = {
  tag: objectOf(
    {
      action: oneOf(['tag']),
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
      check: ({ add = [], remove = [] }) =>
        (add as string[]).length + (remove as string[]).length > 0
          ? []
          : [{ field: 'add', message: 'must contain a tag if remove is empty.' }],
    },
  ),
  rename_tag: variant('BulkTagRename', { action: oneOf(['rename_tag']), tag, to: tag }),
  delete: variant('BulkDelete', { action: oneOf(['delete']), selection }),
  enroll: variant('BulkEnroll', {
    action: oneOf(['enroll']),
    selection,
    campaign_id: described(text({ min: 1, max: 64 }), 'The campaign to enroll the contacts in.'),
  }),
  export: variant('BulkExport', { action: oneOf(['export']), selection }),
} as const;

export type BulkJobCreate =
  | { action: 'tag'; selection: BulkSelection; add?: string[]; remove?: string[] }
  | { action: 'rename_tag'; tag: string; to: string }
  | { action: 'delete' | 'export'; selection: BulkSelection }
  | { action: 'enroll'; selection: BulkSelection; campaign_id: string };

const action = oneOf(bulkActions);

/** What to do, and to which contacts. Each action has its own fields. */
export const bulkJobCreate: ObjectReader<BulkJobCreate> = {
  fields: {},
  schema: { title: 'BulkJobCreate', oneOf: Object.values(variants).map(({ schema }) => schema) },
  read: (value) => {
    const problems: Problem[] = [];
    const kind = action.read(value.action, 'action', problems);
    if (problems.length > 0) throw invalid(problems);
    return variants[kind].read(value) as BulkJobCreate;
  },
};

export const bulkJobQuery = objectOf(pageFields);

export const bulkCounts = ['total', 'processed', 'changed', 'unchanged', 'missing', 'blocked'] as const;
export type BulkCount = (typeof bulkCounts)[number];

const bulkJobProperties: Record<string, JsonSchema> = {
  id: stringSchema(),
  action: enumSchema(bulkActions),
  status: enumSchema(
    bulkStatuses,
    '`done`, `canceled` and `failed` jobs have ended. Their earlier changes remain.',
  ),
  filter: {
    oneOf: [contactFilter.schema, { type: 'null' }],
    description:
      'The filter of the selection. Null if the selection has ids, and after the job has ended if the filter had `search`, `email` or `company`, which may be personal data.',
  },
  excluded: countSchema('Number of contacts that the selection leaves out.'),
  add: listSchema(stringSchema(), 'Tags to add.'),
  remove: listSchema(stringSchema(), 'Tags to remove.'),
  tag: nullableText('The tag to rename.'),
  to: nullableText('The new name of the tag.'),
  campaign_id: nullableText('The campaign to enroll contacts in.'),
  total: countSchema(
    'Number of contacts in the selection when the job was created. Of a finished job: `processed`.',
  ),
  processed: countSchema('Number of contacts that the job has reached.'),
  changed: countSchema('Contacts that were changed, deleted or enrolled.'),
  unchanged: countSchema('Contacts that needed no change.'),
  missing: countSchema('Contacts that did not exist, or were deleted before the job reached them.'),
  blocked: countSchema('Contacts that could not be changed.'),
  blocked_contacts: listSchema(
    objectSchema('BlockedContact', {
      id: stringSchema(),
      reason: stringSchema('Why the contact could not be changed, as a sentence.'),
    }),
    'The first of the blocked contacts, at most 20.',
  ),
  error: nullableText('Why the job failed.'),
  created_by: stringSchema('The id of the user or API key that created the job.'),
  created_by_email: nullableText('The email address of the user; null for an API key and a removed user.'),
  created_at: dateTimeSchema(
    'When the job was created. Contacts that were created later are not part of it.',
  ),
  started_at: orNull(dateTimeSchema('When its first contacts were processed.')),
  finished_at: orNull(dateTimeSchema('When it ended.')),
};

export const bulkJobSchema = objectSchema('BulkJob', bulkJobProperties);

/** The response to a key that changes a job. */
export const bulkJobReceipt = objectSchema('BulkJobReceipt', {
  ...bulkJobProperties,
  ...Object.fromEntries(
    bulkCounts.map((name) => {
      const schema = bulkJobProperties[name] as JsonSchema;
      const description = `${schema.description} Null for a key without the scope \`contacts:read\`.`;
      return [name, { ...schema, type: ['integer', 'null'], description }];
    }),
  ),
});
