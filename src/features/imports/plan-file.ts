import { setTimeout as pause } from 'node:timers/promises';
import type { Storage } from '../../db/storage.ts';
import { assertSize, MAX_FILE_BYTES, MAX_SAMPLE_BYTES, STEP_BYTES } from '../../files/csv/limits.ts';
import type { FileChoices } from '../../files/csv/open.ts';
import { FileProblem } from '../../files/csv/problem.ts';
import { StepSize } from '../../jobs/step-size.ts';
import { ApiError } from '../../lib/errors.ts';
import { isKeyWithout, type Principal } from '../workspaces/principal.ts';
import { NO_FIELDS, shownColumn } from './field.columns.ts';
import { assertMayCreateFields, importFields } from './field.service.ts';
import { DEFAULT_RULES, type ImportOptions } from './import.schema.ts';
import { campaignOf } from './import.service.ts';
import { abandonImport } from './lifecycle.service.ts';
import type { CreatedFields, Mapping } from './mapping.ts';
import { createImport, endPlan, importId, planRows } from './plan.service.ts';
import { openFile } from './worker/client.ts';
import type { ReadRow } from './worker/requests.ts';

/** A slow upload is planned at least this often, so that it is not taken for abandoned. */
const PLAN_EVERY_MS = 30_000;
const TOO_SLOW = 'The upload timed out because it was too slow. Send the file again.';

export interface PlanInput {
  /** The id of the new import, for a caller that needs it in advance. */
  id?: string;
  name: string;
  /** The other rules are the default ones. */
  options: Partial<ImportOptions>;
  mapping?: Mapping | undefined;
  create_fields?: CreatedFields | undefined;
  choices?: FileChoices;
  bytes: AsyncIterable<Buffer>;
  /** How many bytes the rows of all imports of the workspace may take; not limited by default. */
  quota?: number;
  /** The size of the file, if it is known. */
  size?: number;
  maxBytes?: number;
  /** Called after each batch with the number of planned rows. */
  onProgress?: (rows: number) => void;
  /** How long to pause after each batch, so that another process can write to the same database file. */
  pauseMs?: number;
}

/** How a file would be read, from its first bytes, so that a user can map the columns before uploading it. */
export const previewFile = async (
  storage: Storage,
  principal: Principal,
  { bytes, ...choices }: FileChoices & { bytes: AsyncIterable<Buffer> },
) => {
  const mayRead = !isKeyWithout(principal, 'contacts:read');
  const fields = mayRead ? await storage.run(importFields, principal, null) : NO_FIELDS;
  const request = { ...choices, maxBytes: MAX_SAMPLE_BYTES, isCut: true, fields };
  const { file, close } = await openFile(bytes, request);
  await close();
  return {
    ...file.format,
    sheets: file.sheets,
    columns: file.columns.map(({ suggestion, ...column }) => shownColumn(column, suggestion)),
    preview: file.preview,
  };
};

/** Reads a file to its end and gives every row a verdict; contacts do not change. If the file turns out to be unreadable,
 *  nothing of the import remains. */
export const planFile = async (storage: Storage, principal: Principal, input: PlanInput): Promise<string> => {
  const { id = importId.create(), name, mapping, create_fields, maxBytes = MAX_FILE_BYTES } = input;
  const { quota = Number.MAX_SAFE_INTEGER, onProgress, pauseMs = 0 } = input;
  const campaign_id = await storage.run(campaignOf, principal, input.options);
  const options = { ...DEFAULT_RULES, ...input.options, campaign_id };
  assertSize(input.size ?? 0, maxBytes);
  if (create_fields) assertMayCreateFields(principal, Object.values(create_fields));
  const fields = await storage.run(importFields, principal, campaign_id);
  const plan = { options, mapping, create_fields };
  const opened = await openFile(input.bytes, { ...input.choices, maxBytes, fields, plan });
  let rows: ReadRow[] = [];
  let characters = 0;
  const pace = new StepSize();
  let planned = Date.now();
  const planBatch = async () => {
    await pace.step(() => storage.run(planRows, principal, { id, rows, quota }), rows.length);
    onProgress?.(rows.at(-1)?.number ?? 0);
    rows = [];
    characters = 0;
    planned = Date.now();
    if (pauseMs > 0) await pause(pauseMs);
  };
  try {
    const { columns, format } = opened.file;
    await storage.run(createImport, principal, { id, name, options, columns, format });
    for await (const batch of opened.rows) {
      for (const row of batch) {
        rows.push(row);
        characters += row.cells?.length ?? 0;
        if (rows.length >= pace.size || characters >= STEP_BYTES) await planBatch();
      }
      if (rows.length > 0 && Date.now() - planned > PLAN_EVERY_MS) await planBatch();
    }
    if (rows.length > 0) await planBatch();
  } catch (error) {
    await opened.close();
    await storage.run(abandonImport, principal, { id }).catch(() => {});
    throw error instanceof ApiError && error.code === 'NOT_FOUND' ? new FileProblem(TOO_SLOW) : error;
  }
  await storage.run(endPlan, principal, { id });
  return id;
};
