import type { Delimiter } from './limits.ts';

/** What a spreadsheet would run as a formula or reformat as a number: `=1+1`, `+14155550100`, `007`. Leading apostrophes are
 *  part of it, so that a text which has one survives the round trip. */
const CHANGED_BY_SPREADSHEETS = /^'*(?:[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]|\(?\d[\d\s().,\-/E+]*$)/i;

/** Adds an apostrophe to text that a spreadsheet would change. */
export const escapeCell = (text: string): string => (CHANGED_BY_SPREADSHEETS.test(text) ? `'${text}` : text);

/** The inverse of `escapeCell`. In other files, it removes only an apostrophe that a user put before a number or a formula. */
export const unescapeCell = (cell: string): string =>
  cell.charCodeAt(0) === 39 && CHANGED_BY_SPREADSHEETS.test(cell) ? cell.slice(1) : cell;

const BYTE_ORDER_MARK = '\ufeff';
const NEEDS_QUOTES = /[,;\t|"\r\n]|^\s|\s$/;

const quote = (cell: string): string => (NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Text, or a number, which a spreadsheet may read as one. */
export type Cell = string | number | null;

/** A line that would be empty is written as an empty cell in quotes, since readers skip empty lines. `forPrograms` writes texts as
 *  they are: a spreadsheet would run or change some of them. */
export const csvLine = (
  cells: readonly Cell[],
  delimiter: Delimiter = ',',
  forPrograms: boolean = false,
): string => {
  const cellText = (cell: Cell): string => {
    if (typeof cell === 'number') return String(cell);
    return cell ? quote(forPrograms ? cell : escapeCell(cell)) : '';
  };
  const line = cells.map(cellText).join(delimiter);
  return `${line === '' ? '""' : line}\r\n`;
};

/** A CSV file that opens unchanged in a spreadsheet: marked as UTF-8, with escaped formulas and numbers, unless it is for programs. */
export async function* writeCsv(
  header: readonly string[],
  batches: AsyncIterable<readonly (readonly Cell[])[]>,
  forPrograms = false,
): AsyncGenerator<string> {
  const line = (cells: readonly Cell[]) => csvLine(cells, ',', forPrograms);
  yield (forPrograms ? '' : BYTE_ORDER_MARK) + line(header);
  for await (const rows of batches) {
    if (rows.length > 0) yield rows.map(line).join('');
  }
}

export async function* writeJsonLines(batches: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  for await (const rows of batches) {
    if (rows.length > 0) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  }
}

/** The limit of a download's first step, and of any. */
const FIRST_STEP = 100;
const MAX_STEP = 1_000;

/** The records of a download, which is read in steps, each limited in bytes. To scan few more than fit into a step, each one asks for at
 *  most twice as many as the previous one returned. `next` is undefined after the last step. */
export async function* inSteps<R, P>(
  read: (after: P | undefined, limit: number) => Promise<{ records: R[]; next: P | undefined }>,
): AsyncGenerator<R[]> {
  let limit = FIRST_STEP;
  let after: P | undefined;
  do {
    const { records, next } = await read(after, limit);
    yield records;
    after = next;
    limit = Math.min(records.length * 2, MAX_STEP);
  } while (after !== undefined);
}

/** Texts and numbers as they are, others as JSON; what is empty is an empty cell. */
const cellOf = (value: unknown): Cell => {
  if (typeof value === 'string' || typeof value === 'number') return value;
  const isEmpty = value == null || (typeof value === 'object' && Object.keys(value).length === 0);
  return isEmpty ? null : JSON.stringify(value);
};

/** A CSV file of records, read in steps (see `inSteps`), with a column for each of some members. */
export const writeRecords = <R extends object, P>(
  columns: readonly (keyof R & string)[],
  read: Parameters<typeof inSteps<R, P>>[0],
): AsyncGenerator<string> => {
  async function* rows() {
    for await (const records of inSteps(read))
      yield records.map((record) => columns.map((name) => cellOf(record[name])));
  }
  return writeCsv(columns, rows());
};
