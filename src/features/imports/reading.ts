import type { Problem } from '../../lib/errors.ts';
import { type ContactFacts, factTexts, numberKey, type WrittenFacts } from '../contacts/contact.bulk.ts';
import { profile } from '../contacts/contact.schema.ts';
import { identityOf } from '../contacts/phone.identity.ts';
import { withoutSeparators } from '../contacts/phone.ts';
import type { Field } from './csv/columns.ts';
import type { Places } from './csv/mapping.ts';
import { readPhone } from './csv/phones.ts';
import { repairPhone } from './csv/repairs.ts';
import { splitTags } from './csv/tags.ts';
import { unescapeCell } from './csv/write.ts';
import type { ImportOptions } from './import.schema.ts';

/** What a row says of a person. */
export type Reading = WrittenFacts;

/** More than several numbers in one cell take. A longer cell is a text in the wrong column, and no number is looked for
 *  in it. */
const MAX_CELL_LENGTH = 256;
const TOO_LONG = `is longer than ${MAX_CELL_LENGTH} characters, so it is not a phone number. Check which column holds the phone numbers.`;

type Phone = Pick<ContactFacts, 'phone_number' | 'phone_identity' | 'phone_conflict'>;

/** The number of a row. A legacy migration keeps it as it is written, and where another column has the number in its
 *  normalized form and the two disagree, keeps both. */
const phoneOf = (written: string, normalized: string, { country, legacy }: ImportOptions): Phone | string => {
  if (written === '') return 'is missing.';
  if (written.length > MAX_CELL_LENGTH || normalized.length > MAX_CELL_LENGTH) return TOO_LONG;
  const read = (text: string) => readPhone(text, country === null ? {} : { country });
  const own = read(written);
  const given = normalized === '' ? undefined : read(normalized);
  if (legacy) {
    return legacyPhone(written, own.ok ? own.identity : null, given?.ok ? given.identity : undefined);
  }
  if (given && !given.ok) return `cannot be kept: its normalized form ${given.reason}`;
  const known = given ?? own;
  return known.ok
    ? { phone_number: known.identity, phone_identity: known.identity, phone_conflict: 0 }
    : known.reason;
};

const MAX_NUMBER_LENGTH = 64;
const MIN_DIGITS = 3;

/** `derived` is what the written number was read as, `given` what the file says it is. An international number is written
 *  in one way only, so that it is no legacy number. */
const legacyPhone = (written: string, derived: string | null, given: string | undefined): Phone | string => {
  const { number: repaired, lost } = repairPhone(written);
  const number = lost === undefined ? repaired : written;
  if ((number.match(/\p{Nd}/gu)?.length ?? 0) < MIN_DIGITS) return 'is not a phone number.';
  if (number.length > MAX_NUMBER_LENGTH) return `must have at most ${MAX_NUMBER_LENGTH} characters.`;
  const isWhole = derived !== null && withoutSeparators(number).startsWith('+');
  const phone_number = isWhole ? derived : number;
  const conflicts = given !== undefined && given !== derived && disagree(phone_number, given);
  return { phone_number, phone_identity: given ?? derived, phone_conflict: conflicts ? 1 : 0 };
};

/** Whether a number as it is shown is another one than the international number beside it: it is read as dialled in the
 *  country of that, and a part of its digits may be missing. */
const disagree = (shown: string, identity: string): boolean =>
  identityOf(shown, identity) !== identity &&
  (shown.startsWith('+') || !identity.endsWith(shown.replace(/\D/g, '').replace(/^0+/, '')));

export type RowReading = { warnings: Problem[] } & (
  | { reading: Reading; problem: null }
  /** `identity` is what the number was read as, where something else is wrong; `shown` what the row says if there is a
   *  contact that has the number as it is written. */
  | { reading: null; problem: Problem; identity: string | null; shown: Reading | null }
);

/** The text of the first of a field's columns that holds something. */
const cellOf = (cells: readonly string[], places: Places, field: Field): string => {
  let text = '';
  for (const index of places[field] ?? []) {
    text = unescapeCell(cells[index] ?? '');
    if (text.trim() !== '') break;
  }
  return text;
};

const writtenIn = (cell: (field: Field) => string): string =>
  cell('phone_number').trim() || cell('other_phone').trim() || cell('normalized_phone').trim();

/** A number as it is written, of which nothing else is known. */
const asWritten = (phone_number: string): Phone => ({
  phone_number,
  phone_identity: null,
  phone_conflict: 0,
});

/** Reads a row by the columns' meaning; what is wrong with it is said of the first field at fault. */
export const readRow = (cells: readonly string[], places: Places, options: ImportOptions): RowReading => {
  const cell = (field: Field) => cellOf(cells, places, field);
  const written = writtenIn(cell);
  const phone = phoneOf(written, cell('normalized_phone').trim(), options);
  if (typeof phone !== 'string') return readProfile(cell, phone, written, options);
  const problem = { field: 'phone_number', message: phone };
  if (written === '') return { reading: null, problem, identity: null, shown: null, warnings: [] };
  const { reading: shown, warnings } = readProfile(cell, asWritten(written), written, options);
  return { reading: null, problem, identity: null, shown, warnings };
};

/** An address has no blanks around it, and where a cell has several, the first is taken. */
const firstEmail = (cell: string): string =>
  cell
    .split(/:::|[;,\r\n]/)
    .find((part) => part.trim() !== '')
    ?.trim() ?? '';

/** Everything but the number. A cell with something wrong is left out with a warning, or refuses the row, as was chosen. */
const readProfile = (
  cell: (field: Field) => string,
  phone: Phone,
  written: string,
  { on_invalid }: ImportOptions,
): RowReading => {
  const problems: Problem[] = [];
  const read = (field: (typeof factTexts)[number]) => {
    const text = field === 'email' ? firstEmail(cell(field)) : cell(field);
    return text === '' ? null : (profile[field].read(text, field, problems) ?? null);
  };
  const reading = {
    ...phone,
    written,
    first_name: read('first_name'),
    last_name: read('last_name'),
    display_name: read('display_name'),
    email: read('email'),
    company: read('company'),
    notes: read('notes'),
    tags: profile.tags.read(splitTags(cell('tags')), 'tags', problems),
  };
  const [problem] = problems;
  if (!problem) return { reading, problem: null, warnings: [] };
  if (on_invalid !== 'omit_field') {
    return { reading: null, problem, identity: numberKey(phone), shown: null, warnings: [] };
  }
  const warnings = problems.map((each) => ({ ...each, field: each.field.replace(/\[.*/, '') }));
  const wrong = new Set(warnings.map(({ field }) => field));
  for (const field of factTexts) if (wrong.has(field)) reading[field] = null;
  if (wrong.has('tags')) reading.tags = [];
  return { reading, problem: null, warnings };
};

/** Reads a row that was planned as valid once more; null where nothing is left to read. Its number need not be
 *  understood again: but in a legacy migration the identity that was found is all there is to it. */
export const readAgain = (
  { cells, identity }: { cells: string | null; identity: string | null },
  places: Places,
  options: ImportOptions,
): Reading | null => {
  if (cells === null || identity === null) return null;
  const texts = JSON.parse(cells) as string[];
  if (options.legacy) return readRow(texts, places, options).reading;
  const cell = (field: Field) => cellOf(texts, places, field);
  const phone = identity.startsWith('=')
    ? asWritten(identity.slice(1))
    : { phone_number: identity, phone_identity: identity, phone_conflict: 0 };
  return readProfile(cell, phone, writtenIn(cell), options).reading;
};
