import { certainties, fields } from '../../files/csv/columns.ts';
import { encodingSources, encodings } from '../../files/csv/encoding.ts';
import { LAST_HEADER_ROW } from '../../files/csv/header-row.ts';
import { delimiters } from '../../files/csv/limits.ts';
import { workbookLimits } from '../../files/xlsx/limits.ts';
import { pageFields } from '../../lib/page.ts';
import { enumSchema, integerSchema, listSchema, orNull, stringSchema } from '../../lib/schemas.ts';
import {
  boolean,
  dateTimeSchema,
  described,
  type Field,
  integer,
  mapOf,
  nullable,
  objectOf,
  objectSchema,
  oneOf,
  queryInteger,
  text,
} from '../../lib/validation.ts';
import { MAX_CRM_NAME } from '../contacts/contact.schema.ts';
import { country } from '../workspaces/country.ts';

export const importStates = [
  'planning',
  'planned',
  'applying',
  'applied',
  'undoing',
  'undone',
  'deleting',
] as const;
export type ImportState = (typeof importStates)[number];

export const verdicts = ['create', 'update', 'unchanged', 'duplicate_in_file', 'invalid'] as const;
export type Verdict = (typeof verdicts)[number];

export const effects = ['created', 'updated', 'none', 'removed', 'restored', 'edited_since'] as const;
export type Effect = (typeof effects)[number];

/** What happens to an existing contact with the number of a row, and to its tags. */
export const existingRules = ['skip', 'fill', 'overwrite'] as const;
export const tagRules = ['merge', 'replace'] as const;

/** What happens if an optional cell is invalid. A row without a valid phone number is always rejected. */
export const invalidRules = ['omit_field', 'reject_row'] as const;

/** Which row of a file counts if several have the same number: the first, the last, or the first with the values that only
 *  later ones have. */
export const duplicateRules = ['first', 'last', 'fill'] as const;

/** Kinds of reasons why a row is rejected, or imported without a cell. */
export const reasons = [
  'country_missing',
  'country_mismatch',
  'country_ambiguous',
  'phone_too_short',
  'digits_lost',
  'phone_missing',
  'phone_invalid',
  'email_invalid',
  'tags_invalid',
  'value_invalid',
  'crm_id_invalid',
  'crm_id_conflict',
  'duplicate_in_file',
] as const;
export type Reason = (typeof reasons)[number];

/** Query parameters are always text. */
const booleanText: Field<boolean> = {
  schema: { type: 'boolean' },
  read: (value, field, problems) => {
    if (value === true || value === 'true') return true;
    if (value !== false && value !== 'false') problems.push({ field, message: 'must be true or false.' });
    return false;
  },
};

const LEGACY = 'Whether numbers without an international form are stored as they are written. Default: no.';

export const optionFields = {
  country,
  legacy: described(booleanText, LEGACY),
  on_existing: described(
    oneOf(existingRules),
    'Whether a row skips an existing contact, fills its empty fields (default), or overwrites its fields.',
  ),
  tags: described(
    oneOf(tagRules),
    'Whether the tags of a row are added to those of an existing contact (default), or replace them.',
  ),
  on_invalid: described(
    oneOf(invalidRules),
    'Whether an invalid optional cell is left out with a warning (default), or its row is rejected.',
  ),
  on_invalid_email: described(oneOf(invalidRules), 'As `on_invalid`, for email addresses only.'),
  on_duplicate: described(
    oneOf(duplicateRules),
    'Of several rows with one number: imports the first (default), the last, or the first with the values that only later rows have.',
  ),
  crm: text({
    min: 1,
    max: MAX_CRM_NAME,
    schema: {
      description: 'The name of the CRM whose ids are in the column that is mapped to `crm_ids`.',
      examples: ['hubspot'],
    },
  }),
};

const fileFields = {
  encoding: described(oneOf(encodings), 'The character encoding of a CSV file. Detected if omitted.'),
  header_row: queryInteger(0, LAST_HEADER_ROW, 1, {
    default: undefined,
    description: 'The line of the header row, counted from 1; 0 if the file has none. Detected if omitted.',
  }),
  sheet: text({
    min: 1,
    max: workbookLimits.sheetName,
    schema: {
      description: 'The sheet of an Excel workbook. Default: the first visible sheet with content.',
    },
  }),
};
export const fileQuery = objectOf(fileFields);
export type FileQuery = ReturnType<typeof fileQuery.read>;

const mappingText: Field<Record<string, string | null>> = {
  schema: {
    type: 'string',
    description: 'JSON object that maps zero-based column indexes to fields, or to null to ignore a column.',
  },
  read: (value, field, problems) => {
    try {
      return mapping.read(JSON.parse(String(value)), field, problems);
    } catch {
      problems.push({ field, message: 'must be a JSON object, for example {"0": "phone_number"}.' });
      return {};
    }
  },
};

/** The longest name of a file. */
export const MAX_NAME = 200;

export const importQuery = objectOf({
  ...optionFields,
  ...fileFields,
  name: text({ min: 1, max: MAX_NAME, schema: { description: 'The name of the file.' } }),
  mapping: mappingText,
});
export type ImportQuery = ReturnType<typeof importQuery.read>;

/** Column index, counted from 0, to field name, or to null to ignore the column. */
const mapping = mapOf(text({}), nullable(text({})), 200);

/** The rules of an import, as a body has them. */
const rules = {
  ...optionFields,
  legacy: boolean({ description: LEGACY }),
  country: nullable(country),
  on_invalid_email: nullable(optionFields.on_invalid_email),
  crm: nullable(optionFields.crm),
};
export type ImportOptions = Required<ReturnType<ReturnType<typeof objectOf<typeof rules>>['read']>>;

export const DEFAULT_RULES: ImportOptions = {
  country: null,
  legacy: false,
  on_existing: 'fill',
  tags: 'merge',
  on_invalid: 'omit_field',
  on_invalid_email: null,
  on_duplicate: 'first',
  crm: null,
};

export const replanBody = objectOf({
  ...rules,
  mapping,
  header_row: described(
    integer(1, LAST_HEADER_ROW),
    'A line below the current header row that becomes the header row. The rows up to it are removed, and the columns are matched again.',
  ),
});

const filterFields = {
  verdict: described(oneOf(verdicts), 'Only rows for which the plan has this verdict.'),
  effect: described(oneOf(effects), 'Only rows that had this effect.'),
  warnings: described(booleanText, 'Only rows with warnings, or only those without.'),
  reason: described(
    oneOf(reasons),
    'Only rows that were rejected, or imported without a cell, for this reason.',
  ),
};

/** The rows to return; one filter at a time. */
export const reportQuery = objectOf(filterFields);
export type RowFilter = ReturnType<typeof reportQuery.read>;

export const rowQuery = objectOf({
  ...pageFields,
  ...filterFields,
  include: described(oneOf(['changes']), '`changes` adds `normalized_phone` and `changes` to each row.'),
});
export type RowQuery = ReturnType<typeof rowQuery.read>;

const string = stringSchema();
const strings = listSchema(string);

const changeSchema = objectSchema('ImportChange', {
  field: string,
  before: orNull(string),
  after: orNull(stringSchema('Long values are truncated and end with `…`.')),
  added: listSchema(string, 'Tags that the row adds.'),
  removed: listSchema(string, 'Tags that the row removes.'),
});

const formatSchema = {
  encoding: enumSchema(encodings),
  encoding_source: enumSchema(encodingSources, '`guessed` if another encoding fits nearly as well.'),
  delimiter: enumSchema(delimiters),
  header_row: orNull(integerSchema('The line of the header row.')),
  sheet: orNull(stringSchema('The imported sheet of an Excel workbook.')),
};

const columnsSchema = listSchema(
  objectSchema('ImportColumn', {
    name: string,
    samples: listSchema(string, 'The first cells that are not empty. Not included in the list of imports.'),
    field: orNull(enumSchema(fields)),
    certainty: orNull(
      enumSchema(
        certainties,
        'How the field was determined: by the column name, by its content, or by the user.',
      ),
    ),
  }),
);

const rowProperties = {
  number: integerSchema(),
  line: integerSchema(),
  cells: orNull(
    listSchema(
      string,
      'Long cells are truncated and end with `…`. The last cells of a very long row are omitted.',
    ),
  ),
  verdict: enumSchema(verdicts),
  field: orNull(string),
  reason: orNull(string),
  warnings: listSchema(
    objectSchema('ImportWarning', { field: string, message: string }),
    'Cells that are not imported, and why.',
  ),
  effect: orNull(enumSchema(effects)),
  contact_id: orNull(string),
};

/** What `include=changes` adds to a row. */
const changeProperties = {
  normalized_phone: orNull(stringSchema('The phone number in E.164; only with `include=changes`.')),
  changes: listSchema(
    changeSchema,
    'What the row changes in an existing contact; only with `include=changes`.',
  ),
};

export const importResponses = {
  beginning: objectSchema('ImportBeginning', {
    ...formatSchema,
    sheets: listSchema(string, 'All sheets of an Excel workbook.'),
    columns: columnsSchema,
    preview: listSchema(
      objectSchema('ImportPreviewLine', { line: integerSchema(), cells: strings }),
      'The first lines of the file.',
    ),
  }),
  import: objectSchema('Import', {
    id: string,
    name: string,
    state: enumSchema(importStates),
    options: objectSchema(
      'ImportOptions',
      Object.fromEntries(Object.entries(rules).map(([name, { schema }]) => [name, schema])),
    ),
    columns: columnsSchema,
    file: orNull({
      ...objectSchema('ImportFile', formatSchema),
      description: '`null` for imports that were created before this field existed.',
    }),
    totals: {
      type: 'object',
      additionalProperties: integerSchema(),
      description: 'Row counts by verdict or, once applied, by effect, and `with_warnings`.',
    },
    progress: integerSchema('How many rows are processed.'),
    rows: integerSchema(),
    created_by: string,
    created_by_email: orNull(stringSchema('`null` for the command line, and after the user was removed.')),
    created_at: dateTimeSchema('When the file was uploaded.'),
    applied_at: orNull(dateTimeSchema('When all rows were applied.')),
    undo_until: orNull(dateTimeSchema('When the undo period ends.')),
  }),
  undo: objectSchema('ImportUndo', {
    removed: integerSchema('Created contacts that would be deleted.'),
    restored: integerSchema('Updated contacts that would get their previous values back.'),
    edited_by_you: integerSchema(
      'Contacts that would be left as they are, because only the caller has changed them since.',
    ),
    edited_by_others: integerSchema('The same, changed by others.'),
    deleted: integerSchema('Contacts that were deleted since.'),
  }),
  reasons: objectSchema('ImportReasons', {
    header_row: orNull({
      ...objectSchema('ImportHeaderRow', { line: integerSchema(), names: strings }),
      description: 'A row that looks like the header row, if it is not read as such.',
    }),
    reasons: listSchema(
      objectSchema('ImportReason', {
        reason: enumSchema(reasons),
        count: integerSchema('The number of rows.'),
        rejected: {
          type: 'boolean',
          description: 'Whether the rows are skipped. Otherwise they are imported without the invalid cell.',
        },
        field: orNull(string),
        line: integerSchema('The line of the first such row.'),
        message: stringSchema('The reason of the first such row.'),
      }),
      'The most frequent reason first. A row with several problems counts for its first one.',
    ),
  }),
  row: {
    ...objectSchema('ImportRow', { ...rowProperties, ...changeProperties }),
    required: Object.keys(rowProperties),
  },
};
