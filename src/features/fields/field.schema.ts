import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { type FieldValue, fieldTypes, KEY, KEY_PATTERN } from './field.values.ts';

export const MAX_FIELDS = 100;
export const MAX_FILTERABLE = 20;
const MAX_OPTIONS = 100;

export const keyProblem = (text: string): string | undefined =>
  KEY.test(text)
    ? undefined
    : 'must be 1 to 40 characters: a to z, 0 to 9 and _, beginning with a letter, for example renewal_date.';

/** How a field is named. */
export const key = v.text({
  schema: { pattern: KEY_PATTERN, examples: ['renewal_date'] },
  check: keyProblem,
});

const TYPES = ['string', 'number', 'boolean', 'null'];

const value = v.checked<FieldValue | null>({ type: TYPES }, (each) =>
  TYPES.includes(each === null ? 'null' : typeof each)
    ? undefined
    : 'must be a string, a number, true, false, or null to clear it.',
);

/** The values of a request. The operation checks them against the workspace's fields. */
export const fieldValues = v.described(
  v.mapOf(key, value, MAX_FIELDS),
  "Values of the workspace's fields by key. Other fields stay as they are; `null` clears one.",
);

const label = v.text({
  min: 1,
  max: 100,
  schema: { description: 'How people see the field.', examples: ['Renewal date'] },
});
const options = v.uniqueStrings(v.text({ min: 1, max: 200 }), MAX_OPTIONS, {
  minItems: 1,
  description: 'The values of an enum, in the order in which people see them.',
});
const filterable = v.boolean({
  description: `Whether lists find contacts by it quickly. At most ${MAX_FILTERABLE} fields are.`,
});
const type = v.oneOf(fieldTypes);
const OWNED = ['archived_at', 'created_at', 'updated_at'];

export const fieldCreate = v.object(
  {
    key: v.described(key, 'How requests and instructions name the field. It never changes.'),
    label,
    type: v.described(type, 'What values the field takes. It never changes.'),
    options,
    filterable,
  },
  {
    title: 'FieldCreate',
    required: ['key', 'label', 'type'],
    ignored: OWNED,
    check: (field) => {
      if (field.type === 'enum' && !field.options)
        return [{ field: 'options', message: 'is required for an enum, for example ["gold", "silver"].' }];
      return field.type !== 'enum' && field.options
        ? [{ field: 'options', message: 'must be omitted: only an enum has options.' }]
        : [];
    },
  },
);
export type FieldCreate = ReturnType<typeof fieldCreate.read>;

/** A field can be sent back as it was read: its key and type are accepted if they are unchanged. */
export const fieldUpdate = v.object(
  {
    key,
    label,
    type,
    options: v.described(options, 'All options of an enum. Options can be added and reordered, not removed.'),
    filterable,
    archived: v.boolean({ description: 'Archives the field, or makes it usable again.' }),
  },
  { title: 'FieldUpdate', ignored: OWNED },
);
export type FieldUpdate = ReturnType<typeof fieldUpdate.read>;

export const fieldDeletion = v.object({
  erase: v.optional(
    v.oneOf(['true', 'false']),
    'Whether to erase the values of an archived field in the background, and then the field.',
  ),
});

export const fieldParams = { key: { pattern: KEY_PATTERN, description: 'The key of the field.' } };

export const fieldResponses = {
  field: s.object(
    'Field',
    {
      key: s.string('How requests and instructions name the field.'),
      label: s.string('How people see it.'),
      type: s.oneOf(fieldTypes),
      filterable: { type: 'boolean', description: 'Whether lists find contacts by it quickly.' },
      archived_at: s.orNull(s.dateTime('When it was archived; null if it is in use.')),
      created_at: s.dateTime('When the field was created.'),
      updated_at: s.dateTime('When the field was last changed.'),
    },
    { options: s.list(s.string(), 'Only of an enum.') },
  ),
  deletion: s.object('FieldDeletion', {
    deleted: { type: 'boolean', description: 'Whether the field is gone.' },
    archived: { type: 'boolean', description: 'Whether it is archived, because contacts have values.' },
    contacts: s.count('How many contacts have a value.'),
  }),
};
