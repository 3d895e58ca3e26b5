import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { readConfig } from '../config/config.ts';
import type { Storage } from '../db/storage.ts';
import { getImport } from '../features/imports/import.service.ts';
import { watchImport } from '../features/imports/lifecycle.service.ts';
import { importId } from '../features/imports/plan.service.ts';
import { type PlanInput, planFile } from '../features/imports/plan-file.ts';
import type { Principal } from '../features/workspaces/principal.ts';
import { runToCompletion, startRunner } from '../jobs/runner.ts';
import { createLog } from '../lib/log.ts';
import { jobHandlers } from '../wiring/handlers.ts';
import { progressBar } from './progress.ts';

/** Pause after each step, so that a service on the same SQLite file can write; it polls every millisecond. */
const REST_MS = 2;

/** Runs work with a signal that Ctrl+C aborts. A second Ctrl+C ends the process immediately. */
const interruptible = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return await work(interruption.signal);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
};

/** The operand that means the standard input. */
export const STANDARD_INPUT = '-';

const DELETING = 'import.deleting';

/** Deletes the stored rows of an incomplete upload. A running service does the same; without one, they would remain. */
const deleteUpload = async (storage: Storage, { workspace }: Principal, id: string): Promise<void> => {
  const key = { workspace_id: workspace, kind: DELETING, subject: id };
  const job = { ...key, created_at: '', due_at: '', failures: 0 };
  await runToCompletion(storage, jobHandlers.long[DELETING], job, REST_MS).catch(() => {});
};

type PlanRequest = { file: string } & Pick<
  PlanInput,
  'size' | 'options' | 'choices' | 'mapping' | 'create_fields'
>;

/** Plans a file. If it is interrupted while reading, it stores nothing and returns no view. */
export const planImport = (storage: Storage, principal: Principal, { file, ...request }: PlanRequest) =>
  interruptible(async (signal) => {
    const bar = progressBar('Reading');
    const id = importId.create();
    const onProgress = (rows: number) => {
      signal.throwIfAborted();
      bar.update(rows);
    };
    try {
      const isInput = file === STANDARD_INPUT;
      const name = isInput ? 'stdin' : basename(file);
      const bytes = isInput ? addAbortSignal(signal, process.stdin) : createReadStream(file, { signal });
      const { importQuota: quota } = readConfig(process.env);
      const plan = { ...request, id, name, bytes, quota, onProgress, pauseMs: REST_MS };
      await planFile(storage, principal, plan);
      const view = await storage.run(getImport, principal, { id });
      return { view, isInterrupted: signal.aborted };
    } catch (error) {
      await deleteUpload(storage, principal, id);
      if (!signal.aborted) throw error;
      return { view: undefined, isInterrupted: true };
    } finally {
      bar.end();
    }
  });

const TITLES = { applying: 'Applying', undoing: 'Undoing' } as const;

/** Runs an import until it is done or interrupted. A service on the same database may run some of the steps, and resumes
 *  the import after an interruption. */
export const runImport = (storage: Storage, principal: Principal, id: string, state: keyof typeof TITLES) =>
  interruptible(async (signal) => {
    const log = createLog({ level: 'error', pretty: true, write: (text) => process.stderr.write(text) });
    const runner = startRunner(storage, jobHandlers, log, { restMs: REST_MS });
    const bar = progressBar(TITLES[state]);
    for await (const view of watchImport(storage, principal, id, signal))
      bar.update(view.state === state ? view.progress : view.rows, view.rows);
    bar.end();
    await runner.stop();
    return storage.run(getImport, principal, { id });
  });
