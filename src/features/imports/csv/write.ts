import type { Delimiter } from './limits.ts';

/** What a spreadsheet would run as a formula, or take for a number and change: `=1+1`, `+14155550100`, `007`. Apostrophes
 *  before it count as part of it, so that a text which has one comes back with it. */
const CHANGED_BY_SPREADSHEETS = /^'*(?:[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]|\(?\d[\d\s().,\-/E+]*$)/i;

/** A cell that a spreadsheet shows and saves as it is: with an apostrophe before what it would change. */
export const escapeCell = (text: string): string => (CHANGED_BY_SPREADSHEETS.test(text) ? `'${text}` : text);

/** The text from which `escapeCell` made a cell, for every text. Cells of other files stay as they are, but for one
 *  apostrophe before a number or a formula, which people write there for the same reason. */
export const unescapeCell = (cell: string): string =>
  cell.charCodeAt(0) === 39 && CHANGED_BY_SPREADSHEETS.test(cell) ? cell.slice(1) : cell;

const BYTE_ORDER_MARK = '\ufeff';
const NEEDS_QUOTES = /[,;\t|"\r\n]|^\s|\s$/;

const quote = (cell: string): string => (NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** One line of CSV. A line that would be empty is written as an empty cell in quotes, since readers skip empty lines. */
export const csvLine = (cells: readonly (string | null)[], delimiter: Delimiter = ','): string => {
  const line = cells.map((cell) => (cell ? quote(escapeCell(cell)) : '')).join(delimiter);
  return `${line === '' ? '""' : line}\r\n`;
};

/** A CSV file that opens cleanly in a spreadsheet: marked as UTF-8, no cell a formula, no number changed. One chunk of text
 *  for the header and one for each batch of rows. */
export async function* writeCsv(
  header: readonly string[],
  batches: AsyncIterable<readonly (readonly (string | null)[])[]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(header);
  for await (const rows of batches) {
    if (rows.length > 0) yield rows.map((row) => csvLine(row)).join('');
  }
}

/** One JSON object a line; one chunk of text for each batch. */
export async function* writeJsonLines(batches: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  for await (const rows of batches) {
    if (rows.length > 0) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  }
}
