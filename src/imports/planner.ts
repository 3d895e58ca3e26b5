import { setTimeout as pause } from 'node:timers/promises';
import { Pace } from '../jobs/pace.ts';
import { ApiError, invalid } from '../kernel/errors.ts';
import type { Storage } from '../storage/storage.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { Column } from './csv/columns.ts';
import { LARGEST_FILE, LONGEST_BEGINNING } from './csv/limits.ts';
import { applyMapping, type Mapping, placesOf } from './csv/mapping.ts';
import { openCsv } from './csv/open.ts';
import { FileProblem } from './csv/problem.ts';
import { assertSize, upToSize } from './csv/size.ts';
import type { ImportOptions } from './import.schema.ts';
import { abandonImport } from './lifecycle.service.ts';
import { createImport, endPlan, importId, planRows, type ReadRow } from './plan.service.ts';
import { readRow } from './reading.ts';

/** So many records are taken from the file at once; a step of the plan has some of these. */
const BATCH = 50;
/** A file that comes slowly is planned at least so often: it is still alive. */
const SLOW_MS = 30_000;
const TOO_SLOW = 'The file came too slowly and was given up. Send it again.';

/** Lets others have their turn. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

export interface PlanInput {
  /** The id of the new import, where somebody must know it before. */
  id?: string;
  name: string;
  options: ImportOptions;
  /** Columns that a person has matched. */
  mapping?: Mapping | undefined;
  /** The same, with columns called by their names. */
  named?: ReadonlyMap<string, string | null>;
  bytes: AsyncIterable<Buffer>;
  /** How many bytes there will be, where that is known, and how many there may be. */
  size?: number;
  largest?: number;
  /** Told after each batch how many rows are done. */
  onProgress?: (rows: number) => void;
  /** How long to rest after each batch, so that another process can write to the same file. */
  restMs?: number;
}

/** How the beginning of a file would be read, so that a person can match its columns before it is sent. */
export const lookAtFile = async (bytes: AsyncIterable<Buffer>) => {
  const { encoding, delimiter, hasHeader, columns } = await openCsv(
    upToSize(bytes, LONGEST_BEGINNING),
    BATCH,
    {
      isCut: true,
    },
  );
  return { encoding, delimiter, has_header: hasHeader, columns };
};

/** Reads a file to its end and gives every row its verdict. The contacts are not touched. What is wrong with the file
 *  itself is thrown before anything is written, or, where it shows only later, leaves nothing of the import. */
export const planFile = async (storage: Storage, principal: Principal, input: PlanInput): Promise<string> => {
  const { id = importId.create(), name, options, mapping, named, bytes, onProgress, restMs = 0 } = input;
  const { size = 0, largest = LARGEST_FILE } = input;
  assertSize(size, largest);
  const { columns: found, batches } = await openCsv(upToSize(bytes, largest), BATCH);
  const columns = applyMapping(found, { ...mapping, ...byNumber(found, named) });
  const places = placesOf(columns);
  await storage.write(createImport, principal, { id, name, options, columns });
  const pace = new Pace();
  let number = 0;
  let rows: ReadRow[] = [];
  let planned = Date.now();
  const plan = async () => {
    await pace.step(() => storage.write(planRows, principal, { id, rows }), rows.length);
    rows = [];
    planned = Date.now();
    onProgress?.(number);
    if (restMs > 0) await pause(restMs);
  };
  try {
    for await (const batch of batches) {
      for (const { line, cells } of batch) {
        rows.push({ number: ++number, line, cells, ...readRow(cells, places, options) });
      }
      if (rows.length >= pace.size || Date.now() - planned > SLOW_MS) await plan();
      // Reading numbers takes a while in some countries, and others want to be served.
      else await turn();
    }
    if (rows.length > 0) await plan();
  } catch (error) {
    await storage.write(abandonImport, principal, { id }).catch(() => {});
    throw error instanceof ApiError && error.code === 'NOT_FOUND' ? new FileProblem(TOO_SLOW) : error;
  }
  await storage.write(endPlan, principal, { id });
  return id;
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
