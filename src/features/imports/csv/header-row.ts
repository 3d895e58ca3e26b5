import { isFieldName } from './headers.ts';
import type { CsvRecord } from './parser.ts';
import { FileProblem } from './problem.ts';
import { looksLikeEmail, looksLikeValue, phoneLikeness } from './values.ts';

/** The header is looked for in so many records from the beginning. */
const LOOKED_AT = 20;
/** A person can choose a line up to here. */
export const LAST_HEADER_ROW = 50;

const filled = ({ cells }: CsvRecord): number => cells.filter((cell) => cell.trim() !== '').length;

/** How many cells of a record name fields. */
export const countNames = ({ cells }: CsvRecord): number => cells.filter((cell) => isFieldName(cell)).length;

/** The most names of fields that one of the first records has. */
export const maxNames = (records: readonly CsvRecord[]): number =>
  records.slice(0, LOOKED_AT).reduce((most, record) => Math.max(most, countNames(record)), 0);

/** A header holds names and no values. Two names of fields are enough where a column is called by a number. */
const isHeader = (record: CsvRecord): boolean =>
  countNames(record) >= 2 || !record.cells.some((cell) => looksLikeValue(cell));

const hasContactData = ({ cells }: CsvRecord): boolean =>
  cells.some((cell) => looksLikeEmail(cell) || phoneLikeness(cell) > 0.5);

/** Whether these records are titles above a header: narrower than it, and without people's data. */
const areTitles = (records: readonly CsvRecord[], header: CsvRecord): boolean =>
  records.every((record) => filled(record) < filled(header) && !hasContactData(record));

/** The line of the record that names the columns; null where none does. Titles above it are skipped. */
export const findHeaderRow = (records: readonly CsvRecord[]): number | null => {
  const looked = records.slice(0, LOOKED_AT);
  const [first] = looked;
  if (!first) return null;
  const named = looked.findIndex((record) => countNames(record) >= 2);
  const wide = looked.findIndex((record) => filled(record) >= 2);
  for (const at of [named, wide]) {
    const header = looked[at];
    if (header && isHeader(header) && areTitles(looked.slice(0, at), header)) return header.line;
  }
  return isHeader(first) ? first.line : null;
};

/** Refuses a choice of a line that has no cells, and one too far down. */
export const assertHeaderRow = (records: readonly CsvRecord[], line: number): void => {
  if (records.some((record) => record.line === line)) return;
  const last = Math.min(records.at(-1)?.line ?? 1, LAST_HEADER_ROW);
  throw new FileProblem(
    `Line ${line} has no cells, so it cannot name the columns. Choose one of the lines 1 to ${last} that has, or 0 if no line does.`,
  );
};
