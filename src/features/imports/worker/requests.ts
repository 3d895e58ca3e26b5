import { invalid } from '../../../lib/errors.ts';
import { readAhead } from '../csv/ahead.ts';
import type { Column } from '../csv/columns.ts';
import { limits } from '../csv/limits.ts';
import { applyMapping, columnIndexes, type Mapping } from '../csv/mapping.ts';
import {
  type FileChoices,
  type FileFormat,
  type OpenTable,
  openCsv,
  type TableChoices,
} from '../csv/open.ts';
import { FileProblem } from '../csv/problem.ts';
import type { CsvRecord } from '../csv/records.ts';
import { upToSize } from '../csv/size.ts';
import type { ImportOptions } from '../import.schema.ts';
import { type RowReading, readRow } from '../reading.ts';
import { isArchive, openWorkbook } from '../xlsx/open.ts';

/** A row of a file and what it says: something valid, or what is wrong with it. `cells` is JSON. */
export type ReadRow = StoredRow & RowReading;

/** A row as it is stored; without cells once the person was deleted. */
export interface StoredRow {
  number: number;
  line: number;
  cells: string | null;
}

/** How a file is to be read. */
export interface FileRequest extends FileChoices {
  /** How many bytes there may be. */
  largest: number;
  /** Whether the bytes are only the beginning of a file, of which no rows are wanted. */
  isCut: boolean;
}

/** What rows are to be read as. */
export interface PlanRequest {
  options: ImportOptions;
  /** Columns that a person has matched. */
  mapping: Mapping | undefined;
  /** The same, with columns called by their names. */
  named: ReadonlyMap<string, string | null> | undefined;
}

/** How a file is read, and the columns that were found. */
export interface FileRead {
  format: FileFormat;
  /** The names of the sheets of a workbook; none for a text file. */
  sheets: string[];
  columns: Column[];
  preview: CsvRecord[];
}

/** So many rows travel to the planner together, or fewer where their cells are long. */
const BATCH = 50;
const BATCH_CHARACTERS = 131_072;

/** What the cells of a row measure as JSON. It writes a control character with six characters; every contact, and every text
 *  with few of those, takes less. */
const MAX_JSON_LENGTH = 3 * limits.record;

const jsonOf = ({ line, cells }: CsvRecord): string => {
  const json = JSON.stringify(cells);
  if (json.length <= MAX_JSON_LENGTH) return json;
  throw new FileProblem('has a record with thousands of control characters. The file is damaged.', line);
};

/** The same rows in batches that are limited in size. */
function* inBatches(rows: Iterable<ReadRow>): Generator<ReadRow[]> {
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

/** A workbook has a limit of its own, also where only the beginning of a file is expected: it can only be read whole. */
const openTable = async (
  bytes: AsyncIterable<Uint8Array>,
  largest: number,
  choices: TableChoices & { isCut: boolean },
): Promise<OpenTable> => {
  let beginning = Buffer.alloc(0);
  const { all } = await readAhead(bytes, (chunk) => {
    beginning = Buffer.concat([beginning, chunk.subarray(0, 4)]);
    return beginning.length >= 4;
  });
  return isArchive(beginning) ? openWorkbook(all, choices) : openCsv(upToSize(all, largest), choices);
};

/** Reads a file: how it is read, then its rows, and at last how it was read to its end. */
export async function* readFile(
  bytes: AsyncIterable<Uint8Array>,
  { largest, ...request }: FileRequest,
  plan: PlanRequest | undefined,
): AsyncGenerator<FileRead | ReadRow[]> {
  const opened = await openTable(bytes, largest, { size: BATCH, ...request });
  const { batches, columns: found, preview, format, sheets } = opened;
  const columns = plan ? applyMapping(found, { ...plan.mapping, ...byNumber(found, plan.named) }) : found;
  yield { format: format(), sheets, columns, preview };
  if (!plan) return;
  const places = columnIndexes(columns);
  let number = 0;
  for await (const batch of batches) {
    const rows = batch.values().map((record): ReadRow => {
      number++;
      const reading = readRow(record.cells, places, plan.options);
      return { number, line: record.line, cells: jsonOf(record), ...reading };
    });
    yield* inBatches(rows);
  }
  yield { format: format(), sheets, columns, preview };
}

/** Reads rows that are stored. */
export const readStored = (
  rows: readonly StoredRow[],
  columns: readonly Column[],
  options: ImportOptions,
): ReadRow[] => {
  const places = columnIndexes(columns);
  return rows.map((row) => ({ ...row, ...readRow(JSON.parse(row.cells ?? '[]'), places, options) }));
};

const byNumber = (
  columns: readonly Column[],
  named: ReadonlyMap<string, string | null> = new Map(),
): Mapping =>
  Object.fromEntries(
    [...named].map(([name, field]) => {
      const index = columns.findIndex((column) => column.name === name);
      if (index !== -1) return [String(index), field];
      const names = columns.map((column) => column.name).join(', ');
      throw invalid([{ field: 'columns', message: `there is none named ${name}. There are: ${names}.` }]);
    }),
  );
