import { certainties } from '../../files/csv/columns.ts';
import { encodingSources, encodings } from '../../files/csv/encoding.ts';
import { LAST_HEADER_ROW } from '../../files/csv/header-row.ts';
import { fields } from '../../files/csv/headers.ts';
import { delimiters, limits } from '../../files/csv/limits.ts';
import { workbookLimits } from '../../files/xlsx/limits.ts';
import { pageFields } from '../../lib/page.ts';
import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { MAX_CRM_NAME } from '../contacts/contact.schema.ts';
import { fieldCreate, MAX_FIELDS } from '../fields/field.schema.ts';
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
const booleanText: v.Field<boolean> = {
  schema: s.boolean(),
  read: (value, field, problems) => {
    if (value === true || value === 'true') return true;
    if (value !== false && value !== 'false') problems.push({ field, message: 'must be true or false.' });
    return false;
  },
};

const LEGACY = 'Whether numbers without an international form are stored as they are written. Default: no.';

export const optionFields = {
  country,
  legacy: v.described(booleanText, LEGACY),
  on_existing: v.described(
    v.oneOf(['skip', 'fill', 'overwrite']),
    'Whether a row skips an existing contact, fills its empty fields (default), or overwrites its fields.',
  ),
  tags: v.described(
    v.oneOf(['merge', 'replace']),
    'Whether the tags of a row are added to those of an existing contact (default), or replace them.',
  ),
  on_invalid: v.described(
    v.oneOf(['omit_field', 'reject_row']),
    'Whether an invalid optional cell is left out with a warning (default), or its row is rejected.',
  ),
  on_invalid_email: v.described(
    v.oneOf(['omit_field', 'reject_row']),
    'As `on_invalid`, for email addresses only.',
  ),
  on_duplicate: v.described(
    v.oneOf(['first', 'last', 'fill']),
    'Of several rows with one number: imports the first (default), the last, or the first with the values that only later rows have.',
  ),
  crm: v.text({
    min: 1,
    max: MAX_CRM_NAME,
    schema: {
      description: 'The name of the CRM whose ids are in the column that is mapped to `crm_ids`.',
      examples: ['hubspot'],
    },
  }),
  campaign_id: v.text({
    min: 1,
    max: 64,
    schema: {
      description:
        'The campaign in which applying the import enrolls the contacts of its rows, each once, with the columns that are mapped to `variables.<name>`. Also requires the scope `campaigns:write`, and to apply it `contacts:read`.',
    },
  }),
};

const fileFields = {
  encoding: v.described(v.oneOf(encodings), 'The character encoding of a CSV file. Detected if omitted.'),
  header_row: v.queryInteger(0, LAST_HEADER_ROW, 1, {
    default: undefined,
    description: 'The line of the header row, counted from 1; 0 if the file has none. Detected if omitted.',
  }),
  sheet: v.text({
    min: 1,
    max: workbookLimits.sheetName,
    schema: {
      description: 'The sheet of an Excel workbook. Default: the first visible sheet with content.',
    },
  }),
};
export const fileQuery = v.object(fileFields);
export type FileQuery = ReturnType<typeof fileQuery.read>;

/** Column index, counted from 0, or column name to field name, or to null to ignore the column. */
const mapping = v.mapOf(v.text({}), v.nullable(v.text({})), limits.columns);

export type NewField = ReturnType<typeof fieldCreate.read>;
const createFields = v.described(
  v.mapOf(v.text({}), v.nested(fieldCreate), MAX_FIELDS),
  'Contact fields to create from columns, by zero-based index or name, when the import is applied. Requires the scope `admin`, or an owner.',
);

/** A query parameter with JSON. */
const jsonText = <T>(field: v.Field<T>, description: string, example: string): v.Field<T> => ({
  schema: s.string(description),
  read: (value, name, problems) => {
    try {
      return field.read(JSON.parse(String(value)), name, problems);
    } catch {
      problems.push({ field: name, message: `must be a JSON object, for example ${example}.` });
      return {} as T;
    }
  },
});

/** The longest name of a file. */
export const MAX_NAME = 200;

export const importQuery = v.object({
  ...optionFields,
  ...fileFields,
  name: v.text({ min: 1, max: MAX_NAME, schema: { description: 'The name of the file.' } }),
  mapping: jsonText(
    mapping,
    'JSON object that maps columns, by zero-based index or name, to fields, or to null to ignore a column. `fields.<key>` is a field of the workspace, `variables.<name>` a variable of the enrollment.',
    '{"0": "phone_number"}',
  ),
  create_fields: jsonText(
    createFields,
    `JSON object. ${createFields.schema.description}`,
    '{"3": {"key": "plan", "type": "text"}}',
  ),
});
export type ImportQuery = ReturnType<typeof importQuery.read>;

/** The rules of an import, as a body has them. */
const rules = {
  ...optionFields,
  legacy: v.boolean({ description: LEGACY }),
  country: v.nullable(country),
  on_invalid_email: v.nullable(optionFields.on_invalid_email),
  crm: v.nullable(optionFields.crm),
  campaign_id: v.nullable(optionFields.campaign_id),
};
export type ImportOptions = Required<ReturnType<ReturnType<typeof v.object<typeof rules>>['read']>>;

export const DEFAULT_RULES: ImportOptions = {
  country: null,
  legacy: false,
  on_existing: 'fill',
  tags: 'merge',
  on_invalid: 'omit_field',
  on_invalid_email: null,
  on_duplicate: 'first',
  crm: null,
  campaign_id: null,
};

export const replanBody = v.object({
  ...rules,
  mapping,
  create_fields: createFields,
  header_row: v.described(
    v.integer(1, LAST_HEADER_ROW),
    'A line below the current header row that becomes the header row. The rows up to it are removed, and the columns are matched again.',
  ),
});

const filterFields = {
  verdict: v.described(v.oneOf(verdicts), 'Only rows for which the plan has this verdict.'),
  effect: v.described(v.oneOf(effects), 'Only rows that had this effect.'),
  warnings: v.described(booleanText, 'Only rows with warnings, or only those without.'),
  reason: v.described(v.oneOf(reasons), 'Only rows that are rejected or incomplete for this reason.'),
};

/** The rows to return; one filter at a time. */
export const reportQuery = v.object(filterFields);
export type RowFilter = ReturnType<typeof reportQuery.read>;

export const rowQuery = v.object({
  ...pageFields,
  ...filterFields,
  include: v.described(v.oneOf(['changes']), '`changes` adds `normalized_phone` and `changes` to each row.'),
});
export type RowQuery = ReturnType<typeof rowQuery.read>;

const string = s.string();
const strings = s.list(string);

const changeSchema = s.object('ImportChange', {
  field: string,
  before: s.orNull(string),
  after: s.orNull(s.string('Long values are truncated and end with `…`.')),
  added: s.list(string, 'Tags that the row adds.'),
  removed: s.list(string, 'Tags that the row removes.'),
});

const formatSchema = {
  encoding: s.oneOf(encodings),
  encoding_source: s.oneOf(encodingSources, '`guessed` if another encoding fits nearly as well.'),
  delimiter: s.oneOf(delimiters),
  header_row: s.orNull(s.integer('The line of the header row.')),
  sheet: s.orNull(s.string('The imported sheet of an Excel workbook.')),
};

const columnsSchema = s.list(
  s.object('ImportColumn', {
    name: string,
    samples: s.list(string, 'The first cells that are not empty. Not included in the list of imports.'),
    field: s.orNull(
      s.string(
        `One of ${fields.join(', ')}, \`fields.<key>\` for a field of the workspace, or \`variables.<name>\` for a variable of the enrollment.`,
      ),
    ),
    certainty: s.orNull(
      s.oneOf(certainties),
      'What determined the field; `hand` is a choice of the user, also to ignore the column.',
    ),
    creates: s.orNull(fieldCreate.schema, 'The contact field that applying the import creates.'),
    suggestion: s.orNull(
      fieldCreate.schema,
      'The contact field that could be created from the column, with the type of its first cells. Send it in `create_fields`.',
    ),
  }),
);

const rowProperties = {
  number: s.integer(),
  line: s.integer(),
  cells: s.orNull(strings, 'Long cells end with `…`. The last cells of a very long row are omitted.'),
  verdict: s.oneOf(verdicts),
  field: s.orNull(string),
  reason: s.orNull(string),
  warnings: s.list(
    s.object('ImportWarning', { field: string, message: string }),
    'Cells that are not imported, and why.',
  ),
  effect: s.orNull(s.oneOf(effects)),
  contact_id: s.orNull(string),
};

/** What `include=changes` adds to a row. */
const changeProperties = {
  normalized_phone: s.orNull(s.string('The phone number in E.164; only with `include=changes`.')),
  changes: s.list(changeSchema, 'What the row changes in an existing contact; only with `include=changes`.'),
};

export const importResponses = {
  beginning: s.object('ImportBeginning', {
    ...formatSchema,
    sheets: s.list(string, 'All sheets of an Excel workbook.'),
    columns: columnsSchema,
    preview: s.list(
      s.object('ImportPreviewLine', { line: s.integer(), cells: strings }),
      'The first lines of the file.',
    ),
  }),
  import: s.object('Import', {
    id: string,
    name: string,
    state: s.oneOf(importStates),
    options: s.object('ImportOptions', v.schemasOf(rules)),
    columns: columnsSchema,
    file: s.orNull(
      s.object('ImportFile', formatSchema),
      '`null` for imports that are older than this field.',
    ),
    totals: s.mapOf(
      s.integer(),
      'Row counts by verdict or, once applied, by effect, and `with_warnings`; `enrolled` contacts and, after an undo, `unenrolled` and `still_enrolled` ones.',
    ),
    progress: s.integer('How many rows are processed.'),
    rows: s.integer(),
    created_by: string,
    created_by_email: s.orNull(s.string('`null` for the command line, and after the user was removed.')),
    created_at: s.dateTime('When the file was uploaded.'),
    applied_at: s.orNull(s.dateTime('When all rows were applied.')),
    undo_until: s.orNull(s.dateTime('When the undo period ends.')),
  }),
  undo: s.object('ImportUndo', {
    removed: s.integer('Created contacts that would be deleted.'),
    restored: s.integer('Updated contacts that would get their previous values back.'),
    edited_by_you: s.integer('Contacts that would stay as they are, because only the caller changed them.'),
    edited_by_others: s.integer('The same, changed by others.'),
    claimed: s.integer(
      'Contacts that the import created and that would stay as they are, because their enrollments would stay.',
    ),
    deleted: s.integer('Contacts that were deleted since.'),
    unenrolled: s.integer('Enrollments of this import that would be removed.'),
    still_enrolled: s.integer(
      'Enrollments of this import that would stay, because someone has claimed or changed them. Contacts that the import created stay with them.',
    ),
  }),
  reasons: s.object('ImportReasons', {
    header_row: s.orNull(
      s.object('ImportHeaderRow', { line: s.integer(), names: strings }),
      'A row that looks like the header row, if it is not read as such.',
    ),
    reasons: s.list(
      s.object('ImportReason', {
        reason: s.oneOf(reasons),
        count: s.integer('The number of rows.'),
        rejected: s.boolean('Whether the rows are skipped, not imported without the invalid cell.'),
        field: s.orNull(string),
        line: s.integer('The line of the first such row.'),
        message: s.string('The reason of the first such row.'),
      }),
      'The most frequent reason first. A row with several problems counts for its first one.',
    ),
  }),
  row: s.object('ImportRow', rowProperties, changeProperties),
};
