import { setTimeout as pause } from 'node:timers/promises';
import type { Operation } from '../db/operation.ts';
import type { Storage } from '../db/storage.ts';
import { describeError, type Log } from '../lib/log.ts';
import {
  claimJob,
  isClockSetBack,
  isJobDue,
  type JobRow,
  postponeJob,
  rescheduleAfterClockChange,
} from './job.service.ts';
import { StepSize } from './step-size.ts';

type Work = { job: JobRow; size: number };

/** One step of a kind of work: does so many pieces, says whether those were the last. */
export type Step = (storage: Storage, work: Work) => Promise<boolean>;

/** A step that is one transaction and nothing else. */
export const transactionStep =
  (operation: Operation<null, Work, boolean, 'write'>): Step =>
  (storage, work) =>
    storage.run(operation, null, work);

export interface Runner {
  /** Looks for work now, rather than at the next turn. */
  wake(): void;
  /** Ends after the step that is under way. */
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;
/** So long one job is worked on before the others have their turn. */
const TURN_MS = 1_000;

/** Runs a job to its end. Another runner may end it first; then the next step throws. */
export const runToCompletion = async (
  storage: Storage,
  step: Step,
  job: JobRow,
  restMs: number,
): Promise<void> => {
  const pace = new StepSize();
  while (!(await pace.step((size) => step(storage, { job, size })))) await pause(restMs);
};

export interface RunnerOptions {
  /** How long to rest after each step, so that another process can write to the same file. */
  readonly restMs?: number;
}

/** Works through the queue while the service runs, one step after the other, each a transaction like any other write. */
export const startRunner = (
  storage: Storage,
  steps: Readonly<Record<string, Step>>,
  log: Log,
  { restMs = 0 }: RunnerOptions = {},
): Runner => {
  const paces = new Map<string, StepSize>();
  let stopping = false;
  let awake = false;
  let wakeUp = () => {};

  const rest = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, awake ? 0 : LOOK_EVERY_MS).unref();
      awake = false;
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  /** Works until the job is done, or lets go of it. */
  const work = async (job: JobRow): Promise<void> => {
    const step = steps[job.kind];
    if (!step) throw new Error(`there is no step for jobs of the kind ${job.kind}`);
    const pace = paces.getOrInsertComputed(job.kind, () => new StepSize());
    const until = performance.now() + TURN_MS;
    while (!stopping && performance.now() < until) {
      if (await pace.step((size) => step(storage, { job, size }))) return;
      await (restMs > 0 ? pause(restMs) : new Promise(setImmediate));
    }
    await storage.run(postponeJob, null, { ...job, failures: 0 });
  };

  const putOff = async (job: JobRow, error: unknown): Promise<void> => {
    const failed = { ...job, failures: job.failures + 1 };
    const isThere = await storage.run(postponeJob, null, failed).catch(() => true);
    // Otherwise another instance has done the rest of it.
    if (isThere) log.error('job failed', { kind: job.kind, subject: job.subject, ...describeError(error) });
  };

  /** Looks before it takes, so that an idle service writes nothing. */
  const claim = async () => {
    if (await storage.run(isJobDue, null, null)) return storage.run(claimJob, null, null);
    if (await storage.run(isClockSetBack, null, null))
      await storage.run(rescheduleAfterClockChange, null, null);
    return undefined;
  };

  const loop = async () => {
    while (!stopping) {
      const job = await claim().catch(() => undefined);
      if (job) await work(job).catch((error) => putOff(job, error));
      else await rest();
    }
  };
  const running = loop();

  const wake = () => {
    awake = true;
    wakeUp();
  };
  return {
    wake,
    stop: () => {
      stopping = true;
      wake();
      return running;
    },
  };
};
