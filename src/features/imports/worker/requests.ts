import { readAhead } from '../../../files/csv/ahead.ts';
import { type Column, truncate } from '../../../files/csv/columns.ts';
import { limits, MAX_UNMAPPED_CELL } from '../../../files/csv/limits.ts';
import {
  type FileChoices,
  type FileFormat,
  type OpenTable,
  openCsv,
  type TableChoices,
} from '../../../files/csv/open.ts';
import { FileProblem } from '../../../files/csv/problem.ts';
import type { CsvRecord } from '../../../files/csv/records.ts';
import { limitSize } from '../../../files/csv/size.ts';
import { isArchive, openWorkbook } from '../../../files/xlsx/open.ts';
import { invalidField } from '../../../lib/errors.ts';
import type { ImportOptions } from '../import.schema.ts';
import { applyMapping, columnIndexes, type Mapping } from '../mapping.ts';
import { type RowReading, readRow } from '../reading.ts';

/** A row of a file with its valid reading or its problem. `cells` is JSON; null after the contact was deleted. */
export type ReadRow = { number: number; line: number; cells: string | null } & RowReading;

export interface FileRequest extends FileChoices {
  maxBytes: number;
  /** Whether the bytes are only the first ones of a file, for a preview without rows. */
  isCut: boolean;
}

/** How rows are read. */
export interface PlanRequest {
  options: ImportOptions;
  mapping: Mapping | undefined;
  /** Like `mapping`, by column name. */
  mappingByName: ReadonlyMap<string, string | null> | undefined;
}

export interface FileRead {
  format: FileFormat;
  /** The names of the sheets of a workbook; none for a text file. */
  sheets: string[];
  columns: Column[];
  preview: CsvRecord[];
}

/** Rows in one message, or fewer if their cells are long. */
const BATCH = 50;
const BATCH_CHARACTERS = 131_072;

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

function* batchRows(rows: Iterable<ReadRow>): Generator<ReadRow[]> {
  let batch: ReadRow[] = [];
  let characters = 0;
  for (const row of rows) {
    batch.push(row);
    characters += row.cells?.length ?? 0;
    if (batch.length < BATCH && characters < BATCH_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/** A workbook has its own size limit, even for a preview, because it can only be read whole. */
const openTable = async (
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
  choices: TableChoices & { isCut: boolean },
): Promise<OpenTable> => {
  let magic = Buffer.alloc(0);
  const { all } = await readAhead(bytes, (chunk) => {
    magic = Buffer.concat([magic, chunk.subarray(0, 4)]);
    return magic.length >= 4;
  });
  return isArchive(magic) ? openWorkbook(all, choices) : openCsv(limitSize(all, maxBytes), choices);
};

/** Yields how the file is read, then its rows. */
export async function* readFile(
  bytes: AsyncIterable<Uint8Array>,
  { maxBytes, ...request }: FileRequest,
  plan: PlanRequest | undefined,
): AsyncGenerator<FileRead | ReadRow[]> {
  const opened = await openTable(bytes, maxBytes, { size: BATCH, ...request });
  const { batches, columns: found, preview, format, sheets } = opened;
  const columns = plan
    ? applyMapping(found, { ...plan.mapping, ...mappingByIndex(found, plan.mappingByName) }, plan.options.crm)
    : found;
  yield { format, sheets, columns, preview };
  if (!plan) return;
  const indexes = columnIndexes(columns);
  let number = 0;
  for await (const batch of batches) {
    const rows = batch.values().map((record): ReadRow => {
      number++;
      const reading = readRow(record.cells, indexes, plan.options);
      return { number, line: record.line, cells: jsonOf(record, columns), ...reading };
    });
    yield* batchRows(rows);
  }
}

const mappingByIndex = (
  columns: readonly Column[],
  byName: ReadonlyMap<string, string | null> = new Map(),
): Mapping =>
  Object.fromEntries(
    [...byName].map(([name, field]) => {
      const index = columns.findIndex((column) => column.name === name);
      if (index !== -1) return [String(index), field];
      const names = columns.map((column) => column.name).join(', ');
      const message = `do not include ${JSON.stringify(name)}. Available columns: ${names}.`;
      throw invalidField('columns', message);
    }),
  );
