import { isFieldName } from './headers.ts';
import type { CsvRecord } from './parser.ts';
import { FileProblem } from './problem.ts';
import { looksLikeEmail, looksLikeValue, phoneLikeness } from './values.ts';

/** The header is one of this many records at the start of the file. */
const SEARCHED_RECORDS = 20;
/** The last line that a user can choose. */
export const LAST_HEADER_ROW = 50;

const filled = ({ cells }: CsvRecord): number => cells.filter((cell) => cell.trim() !== '').length;

export const countFieldNames = ({ cells }: CsvRecord): number =>
  cells.filter((cell) => isFieldName(cell)).length;

export const maxFieldNames = (records: readonly CsvRecord[]): number =>
  records.slice(0, SEARCHED_RECORDS).reduce((most, record) => Math.max(most, countFieldNames(record)), 0);

/** A header has names and no values. Two field names are enough if a column is named by a number. */
const isHeader = (record: CsvRecord): boolean =>
  countFieldNames(record) >= 2 || !record.cells.some((cell) => looksLikeValue(cell));

const hasContactData = ({ cells }: CsvRecord): boolean =>
  cells.some((cell) => looksLikeEmail(cell) || phoneLikeness(cell) > 0.5);

/** Whether these records are titles above a header: narrower than it, and without contact data. */
const areTitles = (records: readonly CsvRecord[], header: CsvRecord): boolean =>
  records.every((record) => filled(record) < filled(header) && !hasContactData(record));

/** The line of the header; null if there is none. Titles above it are skipped. */
export const findHeaderRow = (records: readonly CsvRecord[]): number | null => {
  const searched = records.slice(0, SEARCHED_RECORDS);
  const [first] = searched;
  if (!first) return null;
  const named = searched.findIndex((record) => countFieldNames(record) >= 2);
  const wide = searched.findIndex((record) => filled(record) >= 2);
  for (const at of [named, wide]) {
    const header = searched[at];
    if (header && isHeader(header) && areTitles(searched.slice(0, at), header)) return header.line;
  }
  return isHeader(first) ? first.line : null;
};

export const assertHeaderRow = (records: readonly CsvRecord[], line: number): void => {
  if (records.some((record) => record.line === line)) return;
  const last = Math.min(records.at(-1)?.line ?? 1, LAST_HEADER_ROW);
  throw new FileProblem(
    `Line ${line} is empty, so it cannot be the header row. Choose a line from 1 to ${last}, or 0 if the file has no header row.`,
  );
};
