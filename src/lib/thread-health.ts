import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import type { Log } from './log.ts';
import { counter, type Metric } from './metric.ts';

/** Two numbers in shared memory: one that a thread increases while its event loop turns, and its id in the system, 0 until its first beat. */
export type Pulse = Int32Array<SharedArrayBuffer>;

const [BEATS, THREAD] = [0, 1];
const BEAT_MS = 500;
/** The id of a thread on a system without such ids. */
const UNKNOWN = -1;

export const newPulse = (): Pulse => new Int32Array(new SharedArrayBuffer(8));

export const beat = (pulse: Pulse): void => void Atomics.add(pulse, BEATS, 1);

/** The id of this thread on Linux, 0 on other systems. */
export const systemThreadId = (): number => {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')));
  } catch {
    return 0;
  }
};

/** Beats while the event loop of this thread turns. */
export const startBeating = (pulse: Pulse): void => {
  const thread = systemThreadId() || UNKNOWN;
  beat(pulse);
  Atomics.store(pulse, THREAD, thread);
  setInterval(beat, BEAT_MS, pulse).unref();
};

/** What the scheduler of Linux has counted for a thread. It changes whenever the thread runs. On other systems it is
 *  always the same: empty, or zeros. */
const schedulingOf = (pulse: Pulse): string => {
  try {
    return readFileSync(`/proc/self/task/${Atomics.load(pulse, THREAD)}/schedstat`, 'utf8');
  } catch {
    return '';
  }
};

/** For a thread that is about to replace another: its watcher waits for its first beat, which must not look like the
 *  last one of the other. */
export const resetPulse = (pulse: Pulse): void => {
  Atomics.store(pulse, THREAD, 0);
  beat(pulse);
};

/** Calls back twice a second with how long a thread has been silent, after its first beat, and for how long of that it has not run at all,
 *  because it waits for a disk or a lock: on a busy machine, a thread that works can be silent for long. Where the system does not tell, a
 *  silent thread counts as blocked. The watcher counts its own turns, not the time: after a suspension of the process or the machine, no thread
 *  was silent. Returns the timer. */
export const watchPulse = (
  pulse: Pulse,
  onTick: (silentMs: number, blockedMs: number) => void,
): NodeJS.Timeout => {
  let seen = Atomics.load(pulse, BEATS);
  let [silentTicks, blockedTicks, lastScheduling] = [0, 0, ''];
  return setInterval(() => {
    // Before the beats are read: a thread stores its id after its first beat.
    const isStarted = Atomics.load(pulse, THREAD) !== 0;
    const now = Atomics.load(pulse, BEATS);
    silentTicks = isStarted && now === seen ? silentTicks + 1 : 0;
    const scheduling = silentTicks > 0 ? schedulingOf(pulse) : '';
    blockedTicks = silentTicks > 1 && scheduling === lastScheduling ? blockedTicks + 1 : 0;
    [seen, lastScheduling] = [now, scheduling];
    if (isStarted) onTick(silentTicks * BEAT_MS, blockedTicks * BEAT_MS);
  }, BEAT_MS);
};

const NONE = { serving: 0, writer: 0, reader: 0 };
type ThreadName = keyof typeof NONE;

/** Logs and counts threads that hang or end unexpectedly. */
export class ThreadHealth {
  readonly #log: Pick<Log, 'warn' | 'error'>;
  readonly #isOutage: () => boolean;
  readonly #hangs = { ...NONE };
  readonly #exits = { ...NONE };

  /** During an outage of the database, whose threads end and are replaced, their exits are only counted. */
  constructor(log: Pick<Log, 'warn' | 'error'>, isOutage: () => boolean) {
    this.#log = log;
    this.#isOutage = isOutage;
  }

  hung(thread: ThreadName, silentMs: number): void {
    this.#hangs[thread]++;
    this.#log.error('thread hangs and is replaced', { thread, silent_seconds: silentMs / 1000 });
  }

  exited(thread: ThreadName, code: number): void {
    this.#exits[thread]++;
    // A database thread ends with 0 by itself after a fault, which its answers report.
    if (code !== 0 && !this.#isOutage()) this.#log.warn('thread ended and is replaced', { thread, code });
  }

  metrics(): Metric[] {
    const samples = (counts: typeof NONE) =>
      Object.entries(counts).map(([name, count]) => [`thread="${name}"`, count] as const);
    return [
      counter('roster_thread_hangs_total', 'Threads that hung and were terminated.', samples(this.#hangs)),
      counter('roster_thread_exits_total', 'Threads that ended unexpectedly.', samples(this.#exits)),
    ];
  }
}
