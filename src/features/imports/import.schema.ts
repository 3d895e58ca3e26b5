import { pageFields } from '../../lib/page.ts';
import {
  dateTimeSchema,
  type Field,
  type JsonSchema,
  mapOf,
  nullable,
  objectOf,
  objectSchema,
  oneOf,
  queryInteger,
  text,
} from '../../lib/validation.ts';
import { country } from '../workspaces/country.ts';
import { certainties, fields } from './csv/columns.ts';
import { encodingSources, encodings } from './csv/encoding.ts';
import { LAST_HEADER_ROW } from './csv/header-row.ts';
import { delimiters } from './csv/limits.ts';
import { workbookLimits } from './xlsx/limits.ts';

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

export interface ImportOptions {
  /** The default country for phone numbers without a country code. */
  country: string | null;
  /** Whether numbers without an international form are stored as they are written. */
  legacy: boolean;
  on_existing: (typeof existingRules)[number];
  tags: (typeof tagRules)[number];
  on_invalid: (typeof invalidRules)[number];
}

/** Query parameters are always text. */
const booleanText: Field<boolean> = {
  schema: { type: 'boolean' },
  read: (value, field, problems) => {
    if (value === true || value === 'true') return true;
    if (value !== false && value !== 'false') problems.push({ field, message: 'must be true or false.' });
    return false;
  },
};

export const optionFields = {
  country,
  legacy: booleanText,
  on_existing: oneOf(existingRules),
  tags: oneOf(tagRules),
  on_invalid: oneOf(invalidRules),
};

const fileFields = {
  encoding: oneOf(encodings),
  header_row: {
    ...queryInteger(0, LAST_HEADER_ROW, 1),
    schema: {
      type: 'integer',
      minimum: 0,
      maximum: LAST_HEADER_ROW,
      description: 'The line of the header row, counted from 1; 0 if the file has none. Detected if omitted.',
    },
  },
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

export const importQuery = objectOf({
  ...optionFields,
  ...fileFields,
  name: text({ min: 1, max: 200 }),
  mapping: mappingText,
});
export type ImportQuery = ReturnType<typeof importQuery.read>;

/** Column index, counted from 0, to field name, or to null to ignore the column. */
const mapping = mapOf(text({}), nullable(text({})), 200);

export const replanBody = objectOf({ ...optionFields, country: nullable(country), mapping });
export type ReplanBody = ReturnType<typeof replanBody.read>;

export const rowQuery = objectOf({
  ...pageFields,
  verdict: oneOf(verdicts),
  effect: oneOf(effects),
  warnings: booleanText,
});
export type RowQuery = ReturnType<typeof rowQuery.read>;

const nullableSchema = (schema: JsonSchema): JsonSchema => ({ oneOf: [schema, { type: 'null' }] });
const string: JsonSchema = { type: 'string' };
const counts: JsonSchema = { type: 'object', additionalProperties: { type: 'integer' } };

const optionsSchema = objectSchema('ImportOptions', {
  country: nullableSchema(string),
  legacy: { type: 'boolean' },
  on_existing: { type: 'string', enum: existingRules },
  tags: { type: 'string', enum: tagRules },
  on_invalid: { type: 'string', enum: invalidRules },
});

const formatSchema = {
  encoding: { type: 'string', enum: encodings },
  encoding_source: {
    type: 'string',
    enum: encodingSources,
    description: '`guessed` if another encoding fits nearly as well.',
  },
  delimiter: { type: 'string', enum: delimiters },
  header_row: nullableSchema({ type: 'integer', description: 'The line of the header row.' }),
  sheet: nullableSchema({ type: 'string', description: 'The imported sheet of an Excel workbook.' }),
} satisfies Record<string, JsonSchema>;

const problemSchema = objectSchema('ImportWarning', { field: string, message: string });

const columnsSchema: JsonSchema = {
  type: 'array',
  items: objectSchema('ImportColumn', {
    name: string,
    samples: {
      type: 'array',
      items: string,
      description: 'The first cells that are not empty. Not included in the list of imports.',
    },
    field: nullableSchema({ type: 'string', enum: fields }),
    certainty: nullableSchema({
      type: 'string',
      enum: certainties,
      description: 'How the field was determined: by the column name, by its content, or by the user.',
    }),
  }),
};

export const importResponses = {
  beginning: objectSchema('ImportBeginning', {
    ...formatSchema,
    sheets: { type: 'array', items: string, description: 'All sheets of an Excel workbook.' },
    columns: columnsSchema,
    preview: {
      type: 'array',
      description: 'The first lines of the file.',
      items: objectSchema('ImportPreviewLine', {
        line: { type: 'integer' },
        cells: { type: 'array', items: string },
      }),
    },
  }),
  import: objectSchema('Import', {
    id: string,
    name: string,
    state: { type: 'string', enum: importStates },
    options: optionsSchema,
    columns: columnsSchema,
    file: nullableSchema({
      ...objectSchema('ImportFile', formatSchema),
      description: '`null` for imports that were created before this field existed.',
    }),
    totals: {
      ...counts,
      description: 'Row counts by verdict or, once applied, by effect, and `with_warnings`.',
    },
    progress: { type: 'integer', description: 'The number of the last processed row.' },
    rows: { type: 'integer' },
    created_by: string,
    created_by_email: nullableSchema({
      type: 'string',
      description: '`null` for the command line, and after the user was removed.',
    }),
    created_at: dateTimeSchema('When the file was uploaded.'),
    applied_at: nullableSchema(dateTimeSchema('When all rows were applied.')),
    undo_until: nullableSchema(dateTimeSchema('When the undo period ends.')),
  }),
  row: objectSchema('ImportRow', {
    number: { type: 'integer' },
    line: { type: 'integer' },
    cells: nullableSchema({
      type: 'array',
      items: string,
      description:
        'Long cells are truncated and end with `…`. The last cells of a very long row are omitted.',
    }),
    verdict: { type: 'string', enum: verdicts },
    field: nullableSchema(string),
    reason: nullableSchema(string),
    warnings: { type: 'array', items: problemSchema, description: 'Cells that are not imported, and why.' },
    effect: nullableSchema({ type: 'string', enum: effects }),
    contact_id: nullableSchema(string),
  }),
};
