import { invalid } from '../../../lib/errors.ts';
import { readAhead } from './ahead.ts';
import { type Column, matchColumns, shown } from './columns.ts';
import { decodeText } from './decode.ts';
import { detectFormat, HEAD_CHARACTERS } from './detect.ts';
import type { Encoding, FileEncoding } from './encoding.ts';
import { assertHeaderRow, LAST_HEADER_ROW } from './header-row.ts';
import type { Delimiter } from './limits.ts';
import { FileProblem } from './problem.ts';
import { type CsvRecord, readRecords } from './records.ts';
import { unescapeCell } from './write.ts';

/** What a person has chosen about a file; the rest is detected. */
export interface FileChoices {
  encoding?: Encoding | undefined;
  /** The line that names the columns, 0 where none does. */
  headerRow?: number | undefined;
  /** The name of the sheet, of a workbook. */
  sheet?: string | undefined;
}

export interface TableChoices extends FileChoices {
  /** How many records a batch has. */
  size?: number;
}

/** How a file is read. */
export interface FileFormat {
  encoding: Encoding;
  encoding_source: FileEncoding['source'];
  delimiter: Delimiter;
  header_row: number | null;
  /** The sheet of a workbook that is read; null for a text file. */
  sheet: string | null;
}

export interface OpenTable {
  /** The encoding can change until the last record was read. */
  format: () => FileFormat;
  /** The names of the sheets of a workbook; none for a text file. */
  sheets: string[];
  columns: Column[];
  /** The first records of the file as they are, titles and header included. */
  preview: CsvRecord[];
  /** The records after the header. Those whose cells are all blank are left out; cells are as they stand in the file. */
  batches: AsyncGenerator<CsvRecord[]>;
}

const PREVIEW_RECORDS = 8;
const PREVIEW_CELLS = 12;

/** Opens a CSV file from its bytes, which are read as they come, in batches of `size` records. The caller closes the
 *  bytes. Of a file that was cut somewhere, the beginning is enough. */
export const openCsv = async (
  bytes: AsyncIterable<Uint8Array>,
  { size = 500, isCut = false, ...choices }: TableChoices & { isCut?: boolean } = {},
): Promise<OpenTable> => {
  const { file, text } = await decodeText(bytes, choices.encoding);
  if (choices.sheet !== undefined) {
    throw invalid([{ field: 'sheet', message: 'can be chosen only for an Excel workbook. Leave it out.' }]);
  }
  let length = 0;
  const start = await readAhead(text, (piece) => {
    length += piece.length;
    return length >= HEAD_CHARACTERS;
  });
  const head = start.read.join('');
  const detected = detectFormat(head.slice(0, HEAD_CHARACTERS), start.ended);
  const { delimiter, skip } = detected;
  const records = filled(readRecords(start.all, delimiter, size, { isCut }), skip);
  const { header_row, ...table } = await openRecords(records, {
    size,
    isCut,
    headerRow: choices.headerRow,
    detectHeaderRow: () => detected.headerRow,
  });
  const format = () => ({
    encoding: file.encoding,
    encoding_source: file.source,
    delimiter,
    header_row,
    sheet: null,
  });
  return { ...table, sheets: [], format };
};

export interface RecordChoices {
  size: number;
  isCut?: boolean;
  headerRow: number | undefined;
  detectHeaderRow: (beginning: readonly CsvRecord[]) => number | null;
}

/** Opens a table from its records. Columns are matched by the header and the first records. */
export const openRecords = async (
  records: AsyncIterable<CsvRecord[]>,
  { size, isCut = false, headerRow, detectHeaderRow }: RecordChoices,
): Promise<Omit<OpenTable, 'format' | 'sheets'> & Pick<FileFormat, 'header_row'>> => {
  const first = Math.min(size, LAST_HEADER_ROW);
  let count = 0;
  const { read, all, failure } = await readAhead(records, (batch) => {
    count += batch.length;
    return count >= first;
  });
  const beginning = read.flat();
  if (failure && !(isCut && beginning.length > 1)) throw failure.error;
  if (!beginning[0]) throw new FileProblem('The file is empty.');
  if (headerRow) assertHeaderRow(beginning, headerRow);
  const header_row = headerRow === undefined ? detectHeaderRow(beginning) : headerRow || null;
  const after = header_row ?? 0;
  const header = beginning.find(({ line }) => line === header_row)?.cells.map(unescapeCell) ?? null;
  const rows = beginning.filter(({ line }) => line > after).map(({ cells }) => cells.map(unescapeCell));
  if (rows.length === 0) throw new FileProblem('names the columns, and no rows follow.', after);
  const { columns } = matchColumns(header, rows);
  const preview = beginning.slice(0, PREVIEW_RECORDS).map(({ line, cells }) => ({
    line,
    cells: cells.slice(0, PREVIEW_CELLS).map((cell) => shown(cell)),
  }));
  return { header_row, columns, preview, batches: filled(all, after) };
};

/** The records after a line that hold something. */
export async function* filled(
  batches: AsyncIterable<CsvRecord[]>,
  after: number,
): AsyncGenerator<CsvRecord[]> {
  for await (const batch of batches) {
    const found = batch.filter(({ line, cells }) => line > after && cells.some((cell) => cell.trim() !== ''));
    if (found.length > 0) yield found;
  }
}
