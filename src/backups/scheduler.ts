import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../lib/log.ts';
import { counter, gauge } from '../lib/metric.ts';
import type { RunRecorder } from '../lib/run-counters.ts';
import { runBackup } from './backup-process.ts';
import type { Schedule } from './cron.ts';

/** Lets the service start first. */
const START_DELAY_MS = 3_000;
/** How long to wait while another instance is backing up. */
const BUSY_DELAY_MS = 60_000;
const FIRST_RETRY_MS = 60_000;
const MAX_RETRY_MS = 1_800_000;
/** Waiting is split, because the clock can change and timers are limited to 24 days. */
const MAX_WAIT_MS = 60_000;

interface SchedulerOptions {
  readonly schedule: Schedule;
  /** The program and the arguments that run a command of Roster. */
  readonly command: readonly [string, ...string[]];
  /** Why backups cannot work on this machine, if so. */
  readonly findProblem: () => Promise<string | undefined>;
  readonly task: RunRecorder;
  readonly log: Log;
}

/** Backs up at the scheduled times, in a process of its own, so that copying, verifying and encrypting do not delay requests.
 *  The target is the record of what was done: a backup that was missed while the service was stopped runs at
 *  start-up, and with several instances the first one does the work. */
export const startScheduler = ({ schedule, command, findProblem, task, log }: SchedulerOptions) => {
  const last = { success: 0, failures: 0, seconds: 0, bytes: 0 };
  const stopped = new AbortController();
  let retryMs = FIRST_RETRY_MS;
  let warned = new Set<string>();

  /** Backs up unless there is a backup since the time. Returns when to look again. */
  const attempt = async (due: Date): Promise<number> => {
    const began = performance.now();
    const result = await runBackup(command, due, stopped.signal);
    if (stopped.signal.aborted) return 0;
    const seconds = (performance.now() - began) / 1000;
    if ('problem' in result) {
      task.record(seconds, true);
      last.failures++;
      log.error('backup failed', {
        reason: result.problem,
        due: due.toISOString(),
        retry_in_seconds: retryMs / 1000,
      });
      const delay = retryMs;
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
      return Date.now() + delay;
    }
    for (const backup of new Set(result.ignored).difference(warned))
      log.warn('backup is dated in the future and is ignored', { backup });
    warned = warned.union(new Set(result.ignored));
    if (result.created_at === undefined) return Date.now() + BUSY_DELAY_MS;
    last.success = Date.parse(result.created_at) / 1000;
    last.bytes = result.bytes;
    retryMs = FIRST_RETRY_MS;
    if (!result.skipped) {
      task.record(seconds, false);
      last.seconds = seconds;
      const { backup, bytes, deleted = [] } = result;
      log.info('backup stored', { backup, bytes, seconds: Math.round(seconds * 10) / 10, deleted });
    }
    return schedule.next(new Date()).getTime();
  };

  const waitUntil = async (time: number): Promise<void> => {
    for (let rest = time - Date.now(); rest > 0; rest = time - Date.now())
      await pause(Math.min(rest, MAX_WAIT_MS), undefined, { signal: stopped.signal, ref: false });
  };

  const loop = async (): Promise<void> => {
    await waitUntil(Date.now() + START_DELAY_MS);
    const problem = await findProblem().catch(() => undefined);
    if (problem) log.error('scheduled backups cannot work', { reason: problem });
    while (!stopped.signal.aborted) await waitUntil(await attempt(schedule.previous(new Date())));
  };
  const looping = loop().catch((error) => {
    if (!stopped.signal.aborted) log.error('scheduled backups ended', { reason: String(error) });
  });

  return {
    metrics: () => [
      gauge(
        'roster_backup_last_success_timestamp_seconds',
        'Unix time of the newest backup, 0 if unknown.',
        last.success,
      ),
      counter('roster_backup_failures_total', 'Failed attempts to back up.', last.failures),
      gauge(
        'roster_backup_last_duration_seconds',
        'Duration of the last backup of this instance.',
        last.seconds,
      ),
      gauge('roster_backup_last_size_bytes', 'Size of the newest backup in bytes.', last.bytes),
    ],
    /** Interrupts a running backup. */
    stop: async () => {
      stopped.abort();
      await looping;
    },
  };
};

export type Scheduler = ReturnType<typeof startScheduler>;
