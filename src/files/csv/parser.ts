import { type Delimiter, limits } from './limits.ts';
import { FileProblem } from './problem.ts';

/** One record of a file; `line` is the line on which it begins, counted from 1. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

const QUOTE = 34;
const CR = 13;
const LF = 10;

/** Parses text in chunks, which may be cut anywhere, into records (RFC 4180; lines end with \n, \r\n or \r). Buffers at most
 *  one incomplete record. */
export class RecordParser {
  readonly #delimiter: Delimiter;
  #rest = '';
  #line = 1;

  constructor(delimiter: Delimiter) {
    this.#delimiter = delimiter;
  }

  /** The line at the end of the text so far. */
  get line(): number {
    return this.#line + lineEnds(this.#rest);
  }

  /** Adds the records that `text` completes to `into`, also those before a FileProblem that it throws. */
  push(text: string, into: CsvRecord[]): void {
    this.#read(this.#rest + text, false, into);
  }

  end(into: CsvRecord[]): void {
    this.#read(this.#rest, true, into);
  }

  #read(text: string, last: boolean, into: CsvRecord[]): void {
    let start = 0;
    while (start < text.length) {
      const next = this.#readRecord(text, start, last, into);
      if (next < 0) break;
      start = next;
    }
    this.#rest = text.slice(start);
  }

  /** Reads the record at `start`, unless the line is empty, and returns the start of the next one, or -1 if the record is
   *  incomplete. Checks every limit, also of an incomplete record. */
  #readRecord(text: string, start: number, last: boolean, into: CsvRecord[]): number {
    const { length } = text;
    const delimiter = this.#delimiter.charCodeAt(0);
    const cells: string[] = [];
    let line = this.#line;
    let at = start;
    for (;;) {
      let cell: string;
      if (text.charCodeAt(at) === QUOTE) {
        const close = closingQuote(text, at, start, line, last);
        if (close < 0) return -1;
        cell = text.slice(at + 1, close);
        line += lineEnds(cell);
        if (cell.includes('"')) cell = cell.replaceAll('""', '"');
        at = close + 1;
        if (at < length && !endsCell(text.charCodeAt(at), delimiter))
          throw new FileProblem(
            'has text after a closing quote. A quote inside a cell is written twice.',
            line,
          );
      } else {
        const from = at;
        while (at < length && !endsCell(text.charCodeAt(at), delimiter)) at++;
        cell = text.slice(from, at);
      }
      cells.push(cell);
      if (cells.length > limits.columns) throw tooManyColumns(this.#line);
      if (cell.length > limits.cell) throw tooLong('a cell', limits.cell, this.#line);
      if (at - start > limits.record) throw tooLong('a record', limits.record, this.#line);
      if (at === length && !last) return -1;
      if (text.charCodeAt(at) !== delimiter) break;
      at++;
    }
    const end = text.charCodeAt(at);
    if (end === CR && at + 1 === length && !last) return -1;
    if (at > start) into.push({ line: this.#line, cells });
    this.#line = line + 1;
    return end === CR && text.charCodeAt(at + 1) === LF ? at + 2 : at + 1;
  }
}

/** The quote that closes the cell which opens at `open`; -1 if the text ends before it. */
const closingQuote = (text: string, open: number, start: number, line: number, last: boolean): number => {
  for (let from = open + 1; ; ) {
    const close = text.indexOf('"', from);
    if ((close < 0 ? text.length : close) - start > limits.record)
      throw new FileProblem(
        `has a quote that is not closed within ${limits.record.toLocaleString('en')} characters.`,
        line,
      );
    if (close < 0 && last) throw new FileProblem('has a quote that is never closed.', line);
    if (close < 0 || text.charCodeAt(close + 1) !== QUOTE) return close;
    from = close + 2;
  }
};

const endsCell = (code: number, delimiter: number): boolean =>
  code === delimiter || code === LF || code === CR;

const LINE_END = /\r\n|\r|\n/g;
const lineEnds = (text: string): number => text.match(LINE_END)?.length ?? 0;

export const tooManyColumns = (line: number): FileProblem =>
  new FileProblem(`has more than ${limits.columns} columns.`, line);
export const tooLong = (what: string, limit: number, line: number): FileProblem =>
  new FileProblem(`has ${what} longer than ${limit.toLocaleString('en')} characters.`, line);
