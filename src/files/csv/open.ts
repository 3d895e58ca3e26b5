import { invalidField } from '../../lib/errors.ts';
import { readAhead } from './ahead.ts';
import { type Column, matchColumns, truncate } from './columns.ts';
import { decodeText } from './decode.ts';
import { detectFormat, HEAD_CHARACTERS } from './detect.ts';
import type { Encoding, FileEncoding } from './encoding.ts';
import { assertHeaderRow, LAST_HEADER_ROW } from './header-row.ts';
import type { Delimiter } from './limits.ts';
import type { CsvRecord } from './parser.ts';
import { FileProblem } from './problem.ts';
import { readRecords } from './records.ts';
import { unescapeCell } from './write.ts';

/** What the user has chosen; the rest is detected. */
export interface FileChoices {
  encoding?: Encoding | undefined;
  /** The line of the header, counted from 1; 0 if there is none. */
  header_row?: number | undefined;
  sheet?: string | undefined;
  /** Whether the bytes are only the first ones of a file, for a preview without rows. */
  isCut?: boolean;
}

export interface FileFormat {
  encoding: Encoding;
  encoding_source: FileEncoding['source'];
  delimiter: Delimiter;
  header_row: number | null;
  /** Null for a CSV file. */
  sheet: string | null;
}

export interface OpenTable {
  format: FileFormat;
  /** Empty for a CSV file. */
  sheets: string[];
  columns: Column[];
  /** The first records of the file, including titles and header. */
  preview: CsvRecord[];
  /** The first rows after the header, without the escapes of spreadsheets. */
  sample: string[][];
  /** The records after the header, except blank ones, with cells as in the file. */
  batches: AsyncGenerator<CsvRecord[]>;
}

/** Columns are matched by the first ones alone, so that a file has the same columns in a preview and in an upload. */
const SAMPLE_RECORDS = 500;
const PREVIEW_RECORDS = 8;
const PREVIEW_CELLS = 12;

/** Opens a CSV file from a stream of bytes, which the caller closes. */
export const openCsv = async (bytes: AsyncIterable<Uint8Array>, choices: FileChoices = {}) => {
  const { file, text } = await decodeText(bytes, choices.encoding);
  if (choices.sheet !== undefined)
    throw invalidField('sheet', 'is supported only for Excel workbooks. Remove it.');
  const start = await readAhead(text, HEAD_CHARACTERS);
  const head = start.read.join('');
  const detected = detectFormat(head.slice(0, HEAD_CHARACTERS), start.ended);
  const { delimiter, skip } = detected;
  const records = filled(readRecords(start.all, delimiter, choices.isCut), skip);
  const { header_row, ...table } = await openRecords(records, choices, () => detected.headerRow);
  const { encoding, source: encoding_source } = file;
  return { ...table, sheets: [], format: { encoding, encoding_source, delimiter, header_row, sheet: null } };
};

/** Matches the columns by the header and the first records. */
export const openRecords = async (
  records: AsyncIterable<CsvRecord[]>,
  { isCut, header_row: chosen }: FileChoices,
  detectHeaderRow: (firstRecords: readonly CsvRecord[]) => number | null,
): Promise<Omit<OpenTable, 'format' | 'sheets'> & Pick<FileFormat, 'header_row'>> => {
  const enough = isCut ? SAMPLE_RECORDS : LAST_HEADER_ROW;
  const { read, all, failure } = await readAhead(records, enough);
  const sampled = read.flat();
  const firstRecords = sampled.slice(0, LAST_HEADER_ROW);
  if (failure && !(isCut && firstRecords.length > 1)) throw failure.error;
  if (!firstRecords[0]) throw new FileProblem('The file is empty.');
  if (chosen) assertHeaderRow(firstRecords, chosen);
  const header_row = chosen === undefined ? detectHeaderRow(firstRecords) : chosen || null;
  const after = header_row ?? 0;
  const header = firstRecords.find(({ line }) => line === header_row)?.cells.map(unescapeCell) ?? null;
  const sample = sampled.filter(({ line }) => line > after).map(({ cells }) => cells.map(unescapeCell));
  const rows = sample.slice(0, firstRecords.filter(({ line }) => line > after).length);
  if (rows.length === 0)
    throw new FileProblem(
      'is the header row, but no rows follow. Send the file unchanged, with its line breaks.',
      after,
    );
  const columns = matchColumns(header, rows);
  const preview = firstRecords.slice(0, PREVIEW_RECORDS).map(({ line, cells }) => ({
    line,
    cells: cells.slice(0, PREVIEW_CELLS).map((cell) => truncate(cell)),
  }));
  return { header_row, columns, preview, sample, batches: filled(all, after) };
};

/** The records after a line that are not blank. */
export async function* filled(
  batches: AsyncIterable<CsvRecord[]>,
  after: number,
): AsyncGenerator<CsvRecord[]> {
  for await (const batch of batches) {
    const found = batch.filter(({ line, cells }) => line > after && cells.some((cell) => cell.trim() !== ''));
    if (found.length > 0) yield found;
  }
}
