import { findHeaderRow, maxFieldNames } from './header-row.ts';
import { type Delimiter, delimiters } from './limits.ts';
import { type CsvRecord, RecordParser } from './parser.ts';
import { FileProblem } from './problem.ts';

export const HEAD_CHARACTERS = 65_536;
const SAMPLED_RECORDS = 100;

/** The format of a file that begins with this text; `isWhole` if that is all of it. If no delimiter fits, it is the comma, and
 *  parsing reports the problem. `headerRow` is the line of the header, null if there is none, and `skip` the number of lines at the start
 *  to skip: 1 if it is Excel's `sep=;`, which names the delimiter. */
export const detectFormat = (head: string, isWhole: boolean) => {
  const named = /^"?sep=([,;\t|])"?(?:\r\n|\r|\n)/i.exec(head);
  const text = named ? head.slice(named[0].length) : head;
  const candidates = named ? [named[1] as Delimiter] : delimiters;
  const readings = candidates.map((delimiter) => ({ delimiter, ...read(text, delimiter, isWhole) }));
  const best = readings.reduce((left, right) => (score(right) > score(left) ? right : left));
  const skip = named ? 1 : 0;
  const line = findHeaderRow(best.records);
  return { delimiter: best.delimiter, headerRow: line === null ? null : line + skip, skip };
};

const read = (text: string, delimiter: Delimiter, isWhole: boolean) => {
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
  return { records: filled.slice(0, SAMPLED_RECORDS), isBroken };
};

/** A delimiter scores higher if records have the same width, the more the wider they are, and if one of the first records
 *  names fields. */
const score = ({ records, isBroken }: ReturnType<typeof read>): number => {
  const width = commonWidth(records);
  const alike = records.filter(({ cells }) => cells.length === width).length;
  const consistency = records.length === 0 ? 0 : alike / records.length;
  const points = width === 1 ? 0 : consistency * Math.log2(width) + maxFieldNames(records);
  return isBroken ? points / 2 : points;
};

/** The most common number of cells. */
const commonWidth = (records: readonly CsvRecord[]): number => {
  const counts = new Map<number, number>();
  for (const { cells } of records) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), [1, 0])[0];
};
