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

/** What happens to a contact that has the number already, and to its tags. */
export const existingRules = ['skip', 'fill', 'overwrite'] as const;
export const tagRules = ['merge', 'replace'] as const;

/** What happens to a row of which an optional cell is invalid. A row without a valid phone number is always rejected. */
export const invalidRules = ['omit_field', 'reject_row'] as const;

export interface ImportOptions {
  /** The country that national numbers are read in. */
  country: string | null;
  /** Whether numbers that cannot be made international are kept as they are written. */
  legacy: boolean;
  on_existing: (typeof existingRules)[number];
  tags: (typeof tagRules)[number];
  on_invalid: (typeof invalidRules)[number];
}

/** A query or a form has only words. */
const wordFlag: Field<boolean> = {
  schema: { type: 'boolean' },
  read: (value, field, problems) => {
    if (value === true || value === 'true') return true;
    if (value !== false && value !== 'false') problems.push({ field, message: 'must be true or false.' });
    return false;
  },
};

export const optionFields = {
  country,
  legacy: wordFlag,
  on_existing: oneOf(existingRules),
  tags: oneOf(tagRules),
  on_invalid: oneOf(invalidRules),
};

/** What can be chosen about a file; the rest is detected. */
const fileFields = {
  encoding: oneOf(encodings),
  header_row: {
    ...queryInteger(0, LAST_HEADER_ROW, 1),
    schema: {
      type: 'integer',
      minimum: 0,
      maximum: LAST_HEADER_ROW,
      description:
        'The line that names the columns, counted from 1; 0 where none does. Detected if left out.',
    },
  },
  sheet: text({
    min: 1,
    max: workbookLimits.sheetName,
    schema: {
      description: 'The sheet of an Excel workbook; the first visible one with content if left out.',
    },
  }),
};
export const fileQuery = objectOf(fileFields);
export type FileQuery = ReturnType<typeof fileQuery.read>;

/** The mapping in a query is JSON. */
const writtenMapping: Field<Record<string, string | null>> = {
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
  mapping: writtenMapping,
});
export type ImportQuery = ReturnType<typeof importQuery.read>;

/** Which field a column holds: from the number of the column, counted from 0, to the name of a field or null. */
const mapping = mapOf(text({}), nullable(text({})), 200);

export const replanBody = objectOf({ ...optionFields, country: nullable(country), mapping });
export type ReplanBody = ReturnType<typeof replanBody.read>;

export const rowQuery = objectOf({
  ...pageFields,
  verdict: oneOf(verdicts),
  effect: oneOf(effects),
  warnings: wordFlag,
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
    description: '`guessed` where another encoding fits nearly as well.',
  },
  delimiter: { type: 'string', enum: delimiters },
  header_row: nullableSchema({ type: 'integer', description: 'The line that names the columns.' }),
  sheet: nullableSchema({ type: 'string', description: 'The sheet that is read, of an Excel workbook.' }),
} satisfies Record<string, JsonSchema>;

const problemSchema = objectSchema('ImportWarning', { field: string, message: string });

const columnsSchema: JsonSchema = {
  type: 'array',
  items: objectSchema('ImportColumn', {
    name: string,
    samples: {
      type: 'array',
      items: string,
      description: 'Sample values: the first cells that are not empty. Empty in the list of imports.',
    },
    field: nullableSchema({ type: 'string', enum: fields }),
    certainty: nullableSchema({
      type: 'string',
      enum: certainties,
      description: 'How the field was determined: by the name of the column, by its content, or by a person.',
    }),
  }),
};

export const importAnswers = {
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
    undo_until: nullableSchema(dateTimeSchema('Until when it can be undone.')),
  }),
  row: objectSchema('ImportRow', {
    number: { type: 'integer' },
    line: { type: 'integer' },
    cells: nullableSchema({
      type: 'array',
      items: string,
      description: 'Long cells are cut and end with `…`; the last cells of a very long row are left out.',
    }),
    verdict: { type: 'string', enum: verdicts },
    field: nullableSchema(string),
    reason: nullableSchema(string),
    warnings: { type: 'array', items: problemSchema, description: 'Cells that were left out, and why.' },
    effect: nullableSchema({ type: 'string', enum: effects }),
    contact_id: nullableSchema(string),
  }),
};
