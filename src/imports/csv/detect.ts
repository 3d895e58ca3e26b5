import { isFieldName } from './headers.ts';
import { type Delimiter, delimiters } from './limits.ts';
import { type CsvRecord, RecordParser } from './parser.ts';
import { FileProblem } from './problem.ts';
import { looksLikeValue } from './values.ts';

export interface Format {
  delimiter: Delimiter;
  /** Whether the first record names the columns. */
  hasHeader: boolean;
  /** Lines before the first record that are none: 1 where Excel's `sep=;` says the delimiter. */
  skip: 0 | 1;
}

/** How much text is enough to detect a format from. */
export const HEAD_CHARACTERS = 65_536;
const LOOKED_AT = 100;

/** The format of a file that begins with this text; `isWhole` where no more comes. Where the text is broken in every
 *  reading, the comma: reading it will say what is wrong. */
export const detectFormat = (head: string, isWhole: boolean): Format => {
  const named = /^"?sep=([,;\t|])"?(?:\r\n|\r|\n)/i.exec(head);
  const text = named ? head.slice(named[0].length) : head;
  const candidates = named ? [named[1] as Delimiter] : delimiters;
  const readings = candidates.map((delimiter) => ({ delimiter, ...read(text, delimiter, isWhole) }));
  const best = readings.reduce((left, right) => (score(right) > score(left) ? right : left));
  return { delimiter: best.delimiter, hasHeader: isHeader(best.records), skip: named ? 1 : 0 };
};

interface Reading {
  records: CsvRecord[];
  isBroken: boolean;
}

const read = (text: string, delimiter: Delimiter, isWhole: boolean): Reading => {
  const parser = new RecordParser(delimiter);
  const records: CsvRecord[] = [];
  let isBroken = false;
  try {
    parser.push(text, records);
    if (isWhole) parser.end(records);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    isBroken = true;
  }
  const filled = records.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  return { records: filled.slice(0, LOOKED_AT), isBroken };
};

/** Records as wide as the first one speak for a delimiter, the more the wider they are, and so does a first record that
 *  names fields. */
const score = ({ records, isBroken }: Reading): number => {
  const width = records[0]?.cells.length ?? 1;
  const alike = records.filter(({ cells }) => cells.length === width).length;
  const consistency = records.length === 0 ? 0 : alike / records.length;
  const named = records[0]?.cells.filter((cell) => isFieldName(cell)).length ?? 0;
  const points = width === 1 ? 0 : consistency * Math.log2(width) + named;
  return isBroken ? points / 2 : points;
};

/** A header holds names and no values. Two names of fields are enough where a column is called by a number. */
const isHeader = ([first]: CsvRecord[]): boolean => {
  if (!first) return false;
  const named = first.cells.filter((cell) => isFieldName(cell)).length;
  return named >= 2 || !first.cells.some((cell) => looksLikeValue(cell));
};
