import { setTimeout as pause } from 'node:timers/promises';
import type { Storage } from '../../db/storage.ts';
import { StepSize } from '../../jobs/step-size.ts';
import { ApiError } from '../../lib/errors.ts';
import type { Principal } from '../workspaces/principal.ts';
import { MAX_FILE_BYTES, MAX_SAMPLE_BYTES, STEP_BYTES } from './csv/limits.ts';
import type { Mapping } from './csv/mapping.ts';
import type { FileChoices } from './csv/open.ts';
import { FileProblem } from './csv/problem.ts';
import { assertSize } from './csv/size.ts';
import type { ImportOptions } from './import.schema.ts';
import { abandonImport } from './lifecycle.service.ts';
import { createImport, endPlan, importId, planRows } from './plan.service.ts';
import { openFile } from './worker/client.ts';
import type { ReadRow } from './worker/requests.ts';

/** A file that comes slowly is planned at least so often: it is still alive. */
const SLOW_MS = 30_000;
const TOO_SLOW = 'The file came too slowly and was given up. Send it again.';

export interface PlanInput {
  /** The id of the new import, for a caller that must know it before. */
  id?: string;
  name: string;
  options: ImportOptions;
  /** Columns that a person has matched. */
  mapping?: Mapping | undefined;
  /** The same, with columns called by their names. */
  named?: ReadonlyMap<string, string | null>;
  /** What a person has chosen about the file. */
  choices?: FileChoices;
  bytes: AsyncIterable<Buffer>;
  /** How many bytes there will be, where that is known, and how many there may be. */
  size?: number;
  largest?: number;
  /** Called after each batch with the number of rows that are done. */
  onProgress?: (rows: number) => void;
  /** How long to rest after each batch, so that another process can write to the same file. */
  restMs?: number;
}

/** How the beginning of a file would be read, so that a person can match its columns before it is sent. */
export const lookAtFile = async (bytes: AsyncIterable<Buffer>, choices: FileChoices) => {
  const { file, close } = await openFile(bytes, { ...choices, largest: MAX_SAMPLE_BYTES, isCut: true });
  await close();
  return { ...file.format, sheets: file.sheets, columns: file.columns, preview: file.preview };
};

/** Reads a file to its end and gives every row its verdict. The contacts are not touched. What is wrong with the file
 *  itself is thrown before anything is written, or, where it shows only later, leaves nothing of the import. */
export const planFile = async (storage: Storage, principal: Principal, input: PlanInput): Promise<string> => {
  const { id = importId.create(), name, options, mapping, named, bytes, onProgress, restMs = 0 } = input;
  const { size = 0, largest = MAX_FILE_BYTES } = input;
  assertSize(size, largest);
  const request = { ...input.choices, largest, isCut: false };
  const opened = await openFile(bytes, request, { options, mapping, named });
  let rows: ReadRow[] = [];
  let characters = 0;
  const pace = new StepSize();
  let planned = Date.now();
  const plan = async () => {
    await pace.step(() => storage.run(planRows, principal, { id, rows }), rows.length);
    onProgress?.(rows.at(-1)?.number ?? 0);
    rows = [];
    characters = 0;
    planned = Date.now();
    if (restMs > 0) await pause(restMs);
  };
  try {
    const { columns, format } = opened.file;
    await storage.run(createImport, principal, { id, name, options, columns, format });
    for await (const batch of opened.rows) {
      rows.push(...batch);
      for (const { cells } of batch) characters += cells?.length ?? 0;
      const isFull = rows.length >= pace.size || characters >= STEP_BYTES;
      if (isFull || Date.now() - planned > SLOW_MS) await plan();
    }
    if (rows.length > 0) await plan();
  } catch (error) {
    await opened.close();
    await storage.run(abandonImport, principal, { id }).catch(() => {});
    throw error instanceof ApiError && error.code === 'NOT_FOUND' ? new FileProblem(TOO_SLOW) : error;
  }
  await storage.run(endPlan, principal, { id, format: opened.file.format });
  return id;
};
