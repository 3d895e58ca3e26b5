import { readAhead } from './ahead.ts';
import { type Column, matchColumns } from './columns.ts';
import { decodeText } from './decode.ts';
import { detectFormat, HEAD_CHARACTERS } from './detect.ts';
import type { Encoding } from './encoding.ts';
import type { Delimiter } from './limits.ts';
import { FileProblem } from './problem.ts';
import { type CsvRecord, readRecords } from './records.ts';
import { unescapeCell } from './write.ts';

export interface OpenCsv {
  encoding: Encoding;
  delimiter: Delimiter;
  hasHeader: boolean;
  columns: Column[];
  /** The records after the header. Those whose cells are all blank are left out; cells are as they stand in the file. */
  batches: AsyncGenerator<CsvRecord[]>;
}

/** Opens a CSV file from its bytes, which are read as they come, in batches of `size` records. Columns are matched by the
 *  header and the first batch. Whoever gives the bytes closes them. Of a file that was cut somewhere, the beginning is
 *  enough. */
export const openCsv = async (
  bytes: AsyncIterable<Uint8Array>,
  size = 500,
  { isCut = false } = {},
): Promise<OpenCsv> => {
  const { encoding, text } = await decodeText(bytes);
  let length = 0;
  const start = await readAhead(text, (piece) => {
    length += piece.length;
    return length >= HEAD_CHARACTERS;
  });
  const head = start.read.join('');
  const { delimiter, hasHeader, skip } = detectFormat(head.slice(0, HEAD_CHARACTERS), start.ended);
  const records = filled(readRecords(start.all, delimiter, size, { isCut }), skip);
  const { read, all, failure } = await readAhead(records, (batch) => batch.length > 1);
  const beginning = read.flat();
  if (failure && !(isCut && beginning.length > 1)) throw failure.error;
  const rows = beginning.map(({ cells }) => cells.map(unescapeCell));
  const header = hasHeader ? (rows.shift() ?? null) : null;
  if (!beginning[0]) throw new FileProblem('The file is empty.');
  if (rows.length === 0) throw new FileProblem('names the columns, and no rows follow.', beginning[0].line);
  const { columns } = matchColumns(header, rows);
  return { encoding, delimiter, hasHeader, columns, batches: hasHeader ? withoutFirst(all) : all };
};

async function* filled(batches: AsyncIterable<CsvRecord[]>, skip: number): AsyncGenerator<CsvRecord[]> {
  for await (const batch of batches) {
    const kept = batch.filter(({ line, cells }) => line > skip && cells.some((cell) => cell.trim() !== ''));
    if (kept.length > 0) yield kept;
  }
}

async function* withoutFirst(batches: AsyncIterable<CsvRecord[]>): AsyncGenerator<CsvRecord[]> {
  let skip = 1;
  for await (const batch of batches) {
    const kept = batch.slice(skip);
    skip = 0;
    if (kept.length > 0) yield kept;
  }
}
