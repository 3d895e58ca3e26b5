import { readAhead } from '../../../files/csv/ahead.ts';
import { truncate } from '../../../files/csv/columns.ts';
import { limitSize, limits, MAX_UNMAPPED_CELL } from '../../../files/csv/limits.ts';
import { type FileChoices, type OpenTable, openCsv } from '../../../files/csv/open.ts';
import type { CsvRecord } from '../../../files/csv/parser.ts';
import { FileProblem } from '../../../files/csv/problem.ts';
import { isArchive, openWorkbook } from '../../../files/xlsx/open.ts';
import {
  type Column,
  type ImportFields,
  matchFields,
  NO_FIELDS,
  suggestFields,
  withCreated,
} from '../field.columns.ts';
import type { ImportOptions, NewField } from '../import.schema.ts';
import { applyMapping, type CreatedFields, type Mapping } from '../mapping.ts';
import { type RowReading, readRow, rowColumns } from '../reading.ts';

/** A row of a file with its valid reading or its problem. `cells` is JSON; null after the contact was deleted. */
export type ReadRow = { number: number; line: number; cells: string | null } & RowReading;

export interface FileRequest extends FileChoices {
  maxBytes: number;
  /** The workspace's fields; none by default. */
  fields?: ImportFields;
  /** Without it, only how the file is read. */
  plan?: PlanRequest;
}

/** How rows are read. */
interface PlanRequest {
  options: ImportOptions;
  mapping: Mapping | undefined;
  create_fields?: CreatedFields | undefined;
}

export type FileRead = Omit<OpenTable, 'batches' | 'sample' | 'columns'> & {
  columns: (Column & { suggestion?: NewField | null })[];
};

/** The limit for the cells of a row as JSON, which writes a control character as six characters. Only a damaged file exceeds
 *  it. */
const MAX_JSON_LENGTH = 3 * limits.record;

/** Cells of columns without a field are truncated. */
const jsonOf = ({ line, cells }: CsvRecord, columns: readonly Column[]): string => {
  const stored = cells.map((cell, at) => (columns[at]?.field ? cell : truncate(cell, MAX_UNMAPPED_CELL)));
  const json = JSON.stringify(stored);
  if (json.length <= MAX_JSON_LENGTH) return json;
  throw new FileProblem('has a record with thousands of control characters. The file is damaged.', line);
};

/** A workbook has its own size limit, even for a preview, because it can only be read whole. */
const openTable = async (
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
  choices: FileChoices,
): Promise<OpenTable> => {
  const { read, all } = await readAhead(bytes, 4);
  return isArchive(Buffer.concat(read))
    ? openWorkbook(all, choices)
    : openCsv(limitSize(all, maxBytes), choices);
};

/** Yields how the file is read, then its rows. */
export async function* readFile(
  bytes: AsyncIterable<Uint8Array>,
  { maxBytes, fields = NO_FIELDS, plan, ...choices }: FileRequest,
): AsyncGenerator<FileRead | ReadRow[]> {
  const { batches, sample, ...file } = await openTable(bytes, maxBytes, choices);
  const { definitions, zone } = fields;
  const isWorkbook = file.format.sheet !== null;
  const matched = matchFields(file.columns, sample, { ...fields, isWorkbook });
  if (!plan) {
    const suggested = suggestFields(matched, sample, definitions);
    return yield {
      ...file,
      columns: matched.map((each, at) => ({ ...each, suggestion: suggested[at] ?? null })),
    };
  }
  const { mapping, create_fields: creates, options } = plan;
  const columns = applyMapping(matched, mapping, options, { definitions, creates });
  yield { ...file, columns };
  const readable = rowColumns(columns, { definitions: withCreated(definitions, columns), zone });
  let number = 0;
  for await (const batch of batches)
    yield batch.map((record): ReadRow => {
      number++;
      const reading = readRow(record.cells, readable, options);
      return { number, line: record.line, cells: jsonOf(record, columns), ...reading };
    });
}
