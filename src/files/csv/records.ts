import { type Delimiter, RECORDS_PER_BATCH } from './limits.ts';
import { type CsvRecord, RecordParser } from './parser.ts';
import { withLine } from './problem.ts';

/** An incomplete record is parsed again with the next chunk, so small chunks are joined and large ones are split. */
const CHUNK = 16_384;

/** The records of a text in batches, without empty lines. Throws a FileProblem that names the line; with `isCut`, only after
 *  yielding all records before it. */
export async function* readRecords(
  text: AsyncIterable<string>,
  delimiter: Delimiter,
  isCut = false,
): AsyncGenerator<CsvRecord[]> {
  const parser = new RecordParser(delimiter);
  const records: CsvRecord[] = [];
  try {
    for await (const chunk of rechunk(text)) {
      parser.push(chunk, records);
      while (records.length >= RECORDS_PER_BATCH) yield records.splice(0, RECORDS_PER_BATCH);
    }
    parser.end(records);
  } catch (error) {
    if (isCut) yield records.splice(0);
    throw withLine(error, parser.line);
  }
  while (records.length > 0) yield records.splice(0, RECORDS_PER_BATCH);
}

/** The same text in chunks of a suitable size. Throws a problem only after the text before it. */
async function* rechunk(text: AsyncIterable<string>): AsyncGenerator<string> {
  let gathered = '';
  let problem: { error: unknown } | undefined;
  try {
    for await (const chunk of text) {
      gathered += chunk;
      if (gathered.length < CHUNK) continue;
      for (let at = 0; at < gathered.length; at += 4 * CHUNK) yield gathered.slice(at, at + 4 * CHUNK);
      gathered = '';
    }
  } catch (error) {
    problem = { error };
  }
  if (gathered !== '') yield gathered;
  if (problem) throw problem.error;
}
