import type { Field } from '../../files/csv/headers.ts';
import { unescapeCell } from '../../files/csv/write.ts';
import type { Problem } from '../../lib/errors.ts';
import * as v from '../../lib/validation.ts';
import type { ContactFacts, WrittenFacts } from '../contacts/contact.lookup.ts';
import { MAX_CRM_ID, mapTexts, type ProfileText, profile, profileTexts } from '../contacts/contact.schema.ts';
import { numberKey } from '../contacts/contact.write.ts';
import { identityOf } from '../contacts/phone.identity.ts';
import { withoutSeparators } from '../contacts/phone.ts';
import { type FieldValue, sizeProblem } from '../fields/field.values.ts';
import { type Column, type FieldCells, fieldCells, type ImportFields } from './field.columns.ts';
import type { ImportOptions, Reason } from './import.schema.ts';
import type { ImportRecord } from './import.store.ts';
import { rulesOf } from './import.view.ts';
import { type ColumnIndexes, columnIndexes } from './mapping.ts';
import { fillFrom, type ImportedFacts, type MergedValues } from './merge.ts';
import { noPhone, readPhone, repairPhone } from './phones.ts';
import type { RowRecord } from './row.store.ts';
import { splitTags } from './tags.ts';

/** The contact that a row describes, with its id in the CRM of the import, its fields, and the variables of its enrollment. */
export type Reading = WrittenFacts & ImportedFacts;

/** The columns of a row: those of the contact, and those of the workspace's fields and of variables. */
interface RowColumns {
  readonly indexes: ColumnIndexes;
  readonly fields: readonly FieldCells[];
}

export const rowColumns = (columns: readonly Column[], fields: ImportFields): RowColumns => ({
  indexes: columnIndexes(columns),
  fields: fieldCells(columns, fields),
});

/** Enough for several numbers in one cell. A longer cell is text in the wrong column and is not searched for a number. */
const MAX_CELL_LENGTH = 256;
const TOO_LONG = `is longer than ${MAX_CELL_LENGTH} characters, so it is not a phone number. Check which column holds the phone numbers.`;

type Phone = Pick<ContactFacts, 'phone_number' | 'phone_identity' | 'phone_conflict'>;
type NoPhone = ReturnType<typeof noPhone>;

/** A number with its identity; null for one that is stored as it is written. */
const phoneWith = (phone_number: string, phone_identity: string | null): Phone => ({
  phone_number,
  phone_identity,
  phone_conflict: 0,
});

/** The number of a row, or what is wrong with it. A legacy import stores it as it is written, and marks a conflict if the
 *  column of normalized numbers disagrees. */
const phoneOf = (
  written: string,
  normalized: string,
  { country, legacy }: ImportOptions,
): Phone | NoPhone => {
  if (written === '') return noPhone('is missing.', 'phone_missing');
  if (written.length > MAX_CELL_LENGTH || normalized.length > MAX_CELL_LENGTH) return noPhone(TOO_LONG);
  const own = readPhone(written, country);
  const stated = normalized === '' ? undefined : readPhone(normalized, country);
  if (legacy) {
    return legacyPhone(written, own.ok ? own.identity : null, stated?.ok ? stated.identity : undefined);
  }
  if (stated && !stated.ok) return noPhone(`is invalid: its normalized form ${stated.reason}`, stated.code);
  const known = stated ?? own;
  return known.ok ? phoneWith(known.identity, known.identity) : known;
};

const MAX_NUMBER_LENGTH = 64;
const MIN_DIGITS = 3;

/** `derived` is the identity of the written number, `stated` the one that the file has. An international number is
 *  stored in E.164 and is not a legacy number. */
const legacyPhone = (
  written: string,
  derived: string | null,
  stated: string | undefined,
): Phone | NoPhone => {
  const { number: repaired, lost } = repairPhone(written);
  const number = lost === undefined ? repaired : written;
  if ((number.match(/\p{Nd}/gu)?.length ?? 0) < MIN_DIGITS) return noPhone('is not a phone number.');
  if (number.length > MAX_NUMBER_LENGTH) return noPhone(`must have at most ${MAX_NUMBER_LENGTH} characters.`);
  const isWhole = derived !== null && withoutSeparators(number).startsWith('+');
  const phone_number = isWhole ? derived : number;
  const conflicts = stated !== undefined && stated !== derived && disagree(phone_number, stated);
  return { phone_number, phone_identity: stated ?? derived, phone_conflict: conflicts ? 1 : 0 };
};

/** Whether a displayed number differs from an identity. It is read as dialled in the country of the identity, and leading
 *  digits may be missing. */
const disagree = (displayed: string, identity: string): boolean =>
  identityOf(displayed, identity) !== identity &&
  (displayed.startsWith('+') || !identity.endsWith(displayed.replace(/\D/g, '').replace(/^0+/, '')));

export type RowReading = { warnings: Problem[] } & (
  | { reading: Reading; problem: null }
  /** `identity` is set if only another field is invalid. `fallback` applies if a contact is stored with the number exactly as
   *  the row has it. */
  | { reading: null; problem: Problem; code: Reason; identity: string | null; fallback: Reading | null }
);

/** The reason of a problem with another field than the phone number. */
export const reasonOf = ({ field }: Problem): Reason => {
  if (field === 'email') return 'email_invalid';
  if (field === 'crm_ids') return 'crm_id_invalid';
  return field === 'tags' ? 'tags_invalid' : 'value_invalid';
};

/** The text of the field's first column that is not blank. */
const cellOf = (cells: readonly string[], indexes: ColumnIndexes, field: Field): string => {
  let text = '';
  for (const index of indexes[field] ?? []) {
    text = unescapeCell(cells[index] ?? '');
    if (text.trim() !== '') break;
  }
  return text;
};

/** The number of a planned row, by its key. */
const plannedPhone = (key: string): Phone =>
  key.startsWith('=') ? phoneWith(key.slice(1), null) : phoneWith(key, key);

/** Reads a row. The problem is that of the first invalid field. The `identity` from the plan replaces parsing the number, except
 *  in a legacy import, where the number is stored as it is written. */
export const readRow = (
  cells: readonly string[],
  columns: RowColumns,
  options: ImportOptions,
  identity: string | null = null,
): RowReading => {
  const cell = (field: Field) => cellOf(cells, columns.indexes, field).trim();
  const normalized = cell('normalized_phone');
  const written = cell('phone_number') || cell('other_phone') || normalized;
  const phone =
    identity === null || options.legacy ? phoneOf(written, normalized, options) : plannedPhone(identity);
  if (!('reason' in phone)) return readProfile(cells, columns, { phone, written }, options);
  const { reason: message, code } = phone;
  const failure = { reading: null, problem: { field: 'phone_number', message }, code, identity: null };
  if (written === '') return { ...failure, fallback: null, warnings: [] };
  const stored = { phone: phoneWith(written, null), written };
  const { reading: fallback, warnings } = readProfile(cells, columns, stored, options);
  return { ...failure, fallback, warnings };
};

/** The first address of a cell that may have several. */
const firstEmail = (cell: string): string =>
  cell
    .split(/:::|[;,\r\n]/)
    .find((part) => part.trim() !== '')
    ?.trim() ?? '';

const crmId = v.text({ max: MAX_CRM_ID });

/** The values of a row's fields and variables. */
const readValues = (
  cells: readonly string[],
  columns: readonly FieldCells[],
  found: Problem[],
): Pick<Reading, 'fields' | 'variables'> => {
  const values: Record<FieldCells['into'], Record<string, FieldValue>> = { fields: {}, variables: {} };
  for (const { into, key, cellOf } of columns) {
    const read = cellOf(cells);
    if (!read) continue;
    if ('problem' in read) found.push({ field: `${into}.${key}`, message: read.problem });
    else values[into][key] = read.value;
  }
  const [fields, variables] = [values.fields, values.variables].map((each) =>
    Object.keys(each).length > 0 ? each : null,
  ) as [Reading['fields'], Reading['variables']];
  const message = fields ? sizeProblem(JSON.stringify(fields)) : undefined;
  if (message === undefined) return { fields, variables };
  found.push({ field: 'fields', message });
  return { fields: null, variables };
};
const NO_VALUES = { fields: null, variables: null };

/** Reads everything but the number. An invalid cell is omitted with a warning or rejects the row, as the options say. */
const readProfile = (
  cells: readonly string[],
  { indexes, fields }: RowColumns,
  { phone, written }: { phone: Phone; written: string },
  { on_invalid, on_invalid_email }: ImportOptions,
): RowReading => {
  const cell = (field: Field) => cellOf(cells, indexes, field);
  const found: Problem[] = [];
  const read = (field: ProfileText) => {
    const text = field === 'email' ? firstEmail(cell(field)) : cell(field);
    return text === '' ? null : (profile[field].read(text, field, found) ?? null);
  };
  const reading = {
    ...phone,
    written,
    ...mapTexts(read),
    tags: profile.tags.read(splitTags(cell('tags')), 'tags', found),
    crm_id: crmId.read(cell('crm_ids').trim(), 'crm_ids', found) || null,
    ...(fields.length > 0 ? readValues(cells, fields, found) : NO_VALUES),
  };
  if (found.length === 0) return { reading, problem: null, warnings: [] };
  // `tags[1]` is in the cell `tags`.
  const problems = found.map((each) => ({ ...each, field: each.field.replace(/\[.*/, '') }));
  const rejecting = problems.find(
    ({ field }) => ((field === 'email' && on_invalid_email) || on_invalid) !== 'omit_field',
  );
  if (rejecting) {
    const failure = { reading: null, problem: rejecting, code: reasonOf(rejecting), fallback: null };
    return { ...failure, identity: numberKey(phone), warnings: [] };
  }
  // One warning for each cell, also if several of its tags are invalid.
  const wrong = Map.groupBy(problems, ({ field }) => field);
  const warnings = [...wrong.values()].flatMap(([first]) => first ?? []);
  for (const field of profileTexts) if (wrong.has(field)) reading[field] = null;
  if (wrong.has('tags')) reading.tags = [];
  if (wrong.has('crm_ids')) reading.crm_id = null;
  return { reading, problem: null, warnings };
};

/** What the plan stores of a valid row. */
type PlannedCells = Pick<RowRecord, 'cells' | 'identity' | 'merged' | 'crm_id'>;

/** Reads the stored rows of an import. */
export const rowReader = (record: Pick<ImportRecord, 'columns' | 'options'>, fields: ImportFields) => {
  const options = rulesOf(record);
  const columns = rowColumns(JSON.parse(record.columns) as Column[], fields);
  const read = (cells: string | null, identity?: string | null): RowReading =>
    readRow(JSON.parse(cells ?? '[]') as string[], columns, options, identity);
  /** Reads a row that was planned as valid again, with the values of later rows that were merged into it; null if it was
   *  erased. */
  const reread = ({ cells, identity, merged, crm_id }: PlannedCells): Reading | null => {
    const own = cells === null || identity === null ? null : read(cells, identity).reading;
    // The plan omits an id that an earlier row has.
    const reading = own && { ...own, crm_id };
    return reading && merged !== null ? fillFrom(reading, JSON.parse(merged) as MergedValues) : reading;
  };
  return { options, read, reread };
};
