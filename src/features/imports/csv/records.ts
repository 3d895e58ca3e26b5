import type { Delimiter } from './limits.ts';
import { type CsvRecord, RecordParser } from './parser.ts';
import { located } from './problem.ts';

export type { CsvRecord } from './parser.ts';

/** A record that is cut is read again with the next piece, so small pieces are put together before and large ones are
 *  taken apart. */
const PIECE = 16_384;

/** The records of a text in batches. Empty lines are none. Throws a FileProblem that names the line; of a text that was cut
 *  somewhere, after all records that came before it. */
export async function* readRecords(
  text: AsyncIterable<string>,
  delimiter: Delimiter,
  size = 500,
  { isCut = false } = {},
): AsyncGenerator<CsvRecord[]> {
  const parser = new RecordParser(delimiter);
  const records: CsvRecord[] = [];
  try {
    for await (const piece of pieces(text)) {
      parser.push(piece, records);
      while (records.length >= size) yield records.splice(0, size);
    }
    parser.end(records);
  } catch (error) {
    if (isCut) yield records.splice(0);
    throw located(error, parser.line);
  }
  while (records.length > 0) yield records.splice(0, size);
}

/** The same text in pieces of a good size; what came before a problem is given before it is thrown. */
async function* pieces(text: AsyncIterable<string>): AsyncGenerator<string> {
  let gathered = '';
  let problem: { error: unknown } | undefined;
  try {
    for await (const chunk of text) {
      gathered += chunk;
      if (gathered.length < PIECE) continue;
      for (let at = 0; at < gathered.length; at += 4 * PIECE) yield gathered.slice(at, at + 4 * PIECE);
      gathered = '';
    }
  } catch (error) {
    problem = { error };
  }
  if (gathered !== '') yield gathered;
  if (problem) throw problem.error;
}
