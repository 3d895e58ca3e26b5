import { setTimeout as pause } from 'node:timers/promises';
import type { Operation } from '../db/operation.ts';
import type { Storage } from '../db/storage.ts';
import { Alarm } from '../lib/concurrency.ts';
import { ApiError } from '../lib/errors.ts';
import { describeError, type Log } from '../lib/log.ts';
import { RunCounters } from '../lib/run-counters.ts';
import type { TraceBackground } from '../lib/tracing.ts';
import {
  claimJob,
  isJobDue,
  type JobRow,
  postponeJob,
  rescheduleAfterClockChange,
  type Work,
} from './job.service.ts';
import { StepSize } from './step-size.ts';

/** Processes up to `size` items of a job. Returns whether the job is done. */
export type Step = (storage: Storage, work: Work) => Promise<boolean>;

/** A step that is one write operation. */
export const transactionStep =
  (operation: Operation<null, Work, boolean, 'write'>): Step =>
  (storage, work) =>
    storage.run(operation, null, work);

/** The handlers of all kinds of jobs. Short jobs end within milliseconds and have a time at which they should run. Long ones run for
 *  as long as there are records to process. */
export interface JobHandlers {
  readonly short: Readonly<Record<string, Step>>;
  readonly long: Readonly<Record<string, Step>>;
}

const POLL_MS = 1_000;
/** How long one job runs before another workspace gets its turn. */
const TURN_MS = 250;

/** Runs a job to its end. If another runner ends it first, the next step throws. */
export const runToCompletion = async (
  storage: Storage,
  step: Step,
  job: JobRow,
  restMs: number,
): Promise<void> => {
  const stepSize = new StepSize();
  while (!(await stepSize.step((size) => step(storage, { job, size })))) await pause(restMs);
};

export interface RunnerOptions {
  /** How long to rest after each step, so that another process can write to the same file. */
  readonly restMs?: number;
  /** Runs each turn of a job in a span. */
  readonly trace?: TraceBackground | undefined;
  /** Called every second, at most: makes jobs due that wait for something else than a time. Returns whether there were any. */
  readonly watch?: () => Promise<boolean>;
}

/** How often all jobs are read to find those from the future. */
const CLOCK_MS = 60_000;

/** Reschedules jobs after the clock was set back: it looks for them at the start, when the clock is behind the last look, and every
 *  minute, because another instance may have stored them. */
const clockWatch = (storage: Storage): (() => Promise<void>) => {
  let lookedAt = Number.POSITIVE_INFINITY;
  return async () => {
    const now = Date.now();
    if (now >= lookedAt && now < lookedAt + CLOCK_MS) return;
    await storage.run(rescheduleAfterClockChange, null, null);
    lookedAt = now;
  };
};

/** Calls `work` unless it was called less than a second ago. */
const everySecond = (work: () => Promise<unknown>): (() => Promise<unknown>) => {
  let next = 0;
  return async () => {
    if (performance.now() < next) return;
    next = performance.now() + POLL_MS - 1;
    await work();
  };
};

/** Runs due jobs, one step after another, until it is stopped. The workspaces take turns, so that many jobs of one delay no other. */
const startLane = (
  storage: Storage,
  steps: JobHandlers[keyof JobHandlers],
  log: Log,
  counters: RunCounters,
  { restMs = 0, trace }: RunnerOptions,
  watch: { clock: () => Promise<void>; jobs: () => Promise<unknown> },
) => {
  const kinds = new Map(
    Object.entries(steps).map(([kind, step]) => [
      kind,
      { step, stepSize: new StepSize(), recorder: counters.register(kind) },
    ]),
  );
  const known = { kinds: [...kinds.keys()] };
  /** The workspace of the last job. */
  let after = 0;
  let stopping = false;
  let stepBegan = 0;
  const alarm = new Alarm();

  /** Runs a job until it is done or its turn ends. */
  const runTurn = async (job: JobRow): Promise<void> => {
    const kind = kinds.get(job.kind);
    if (!kind) throw new Error(`there is no step for jobs of the kind ${job.kind}`);
    const { step, stepSize, recorder } = kind;
    const until = performance.now() + TURN_MS;
    while (!stopping && performance.now() < until) {
      stepBegan = performance.now();
      const isDone = await stepSize.step((size) => step(storage, { job, size }));
      recorder.record((performance.now() - stepBegan) / 1000, false);
      if (isDone) return;
      await (restMs > 0 ? pause(restMs) : new Promise(setImmediate));
    }
    await storage.run(postponeJob, null, { ...job, failures: 0 });
  };

  /** Waits for the end of an outage, which this job may have caused: without its failures stored, it would run again too soon. */
  const postpone = async (job: JobRow): Promise<boolean> => {
    for (;;) {
      const exists = await storage
        .run(postponeJob, null, job)
        .catch((error) => (error instanceof ApiError ? undefined : true));
      if (exists !== undefined || stopping) return exists !== false;
      await alarm.wait(POLL_MS);
    }
  };

  const handleFailure = async (job: JobRow, error: unknown): Promise<void> => {
    const exists = await postpone({ ...job, failures: job.failures + 1 });
    // Otherwise another instance has completed it.
    if (!exists) return;
    kinds.get(job.kind)?.recorder.record((performance.now() - stepBegan) / 1000, true);
    log.error('job failed', { kind: job.kind, subject: job.subject, ...describeError(error) });
  };

  /** Checks with a read first, so that an idle service writes nothing. */
  const claim = async () => {
    await watch.jobs();
    if (await storage.run(isJobDue, null, known)) return storage.run(claimJob, null, { ...known, after });
    await watch.clock();
    return undefined;
  };

  /** An outage of the database is logged by the requests that it affects. */
  const logClaimFailure = (error: unknown): undefined => {
    if (!(error instanceof ApiError)) log.error('cannot claim a job', describeError(error));
  };

  const loop = async () => {
    while (!stopping) {
      const job = await claim().catch(logClaimFailure);
      if (!job) {
        await alarm.wait(POLL_MS);
        continue;
      }
      after = job.workspace_id;
      const turn = trace ? trace(`job ${job.kind}`, () => runTurn(job)) : runTurn(job);
      await turn.catch((error) => handleFailure(job, error));
    }
  };
  const running = loop();

  return {
    wake: () => alarm.wake(),
    stop: () => {
      stopping = true;
      alarm.wake();
      return running;
    },
  };
};

/** Runs due jobs until it is stopped. Short jobs run beside the long ones, so neither waits for the other. */
export const startRunner = (
  storage: Storage,
  { short, long }: JobHandlers,
  log: Log,
  options: RunnerOptions = {},
) => {
  const wake = (): void => {
    for (const lane of lanes) lane.wake();
  };
  const jobs = everySecond(async () => {
    if (await options.watch?.()) wake();
  });
  const watch = { clock: clockWatch(storage), jobs };
  const counters = new RunCounters('job_step', 'kind');
  const lanes = [short, long].map((steps) => startLane(storage, steps, log, counters, options, watch));
  return {
    /** Looks for due jobs now, instead of at the next interval. */
    wake,
    /** Resolves after the current step. */
    stop: async (): Promise<void> => {
      await Promise.all(lanes.map((lane) => lane.stop()));
    },
    /** The steps by kind of job. */
    metrics: () => counters.metrics(),
  };
};

export type Runner = ReturnType<typeof startRunner>;
