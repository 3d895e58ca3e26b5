import type { Log } from './log.ts';
import { counter, type Metric } from './metric.ts';

/** A number in shared memory that a thread increases while its event loop turns. */
export type Pulse = Int32Array<SharedArrayBuffer>;

const BEAT_MS = 500;

export const newPulse = (): Pulse => new Int32Array(new SharedArrayBuffer(4));

export const beat = (pulse: Pulse): void => void Atomics.add(pulse, 0, 1);

/** Beats while the event loop of this thread turns. */
export const startBeating = (pulse: Pulse): void => {
  beat(pulse);
  setInterval(beat, BEAT_MS, pulse).unref();
};

/** Calls back twice a second with how long a thread has been silent, after its first beat. It counts its own turns, not the time: after
 *  a suspension of the process or the machine, no thread was silent. Returns the timer. */
export const watchPulse = (pulse: Pulse, onTick: (silentMs: number) => void): NodeJS.Timeout => {
  let seen = Atomics.load(pulse, 0);
  let silentTicks = 0;
  return setInterval(() => {
    const now = Atomics.load(pulse, 0);
    silentTicks = now === seen ? silentTicks + 1 : 0;
    seen = now;
    if (now !== 0) onTick(silentTicks * BEAT_MS);
  }, BEAT_MS);
};

const THREADS = ['serving', 'writer', 'reader'] as const;
export type ThreadName = (typeof THREADS)[number];

const noCounts = () => new Map<ThreadName, number>(THREADS.map((name) => [name, 0]));

const add = (counts: Map<ThreadName, number>, name: ThreadName) =>
  counts.set(name, (counts.get(name) as number) + 1);

/** Logs and counts threads that hang or end unexpectedly. */
export class ThreadHealth {
  readonly #log: Pick<Log, 'warn' | 'error'>;
  readonly #isOutage: () => boolean;
  readonly #hangs = noCounts();
  readonly #exits = noCounts();

  /** During an outage of the database, whose threads end and are replaced, their exits are only counted. */
  constructor(log: Pick<Log, 'warn' | 'error'>, isOutage: () => boolean) {
    this.#log = log;
    this.#isOutage = isOutage;
  }

  hung(thread: ThreadName, silentMs: number): void {
    add(this.#hangs, thread);
    this.#log.error('thread hangs and is replaced', { thread, silent_seconds: silentMs / 1000 });
  }

  exited(thread: ThreadName, code: number): void {
    add(this.#exits, thread);
    // A database thread ends with 0 by itself after a fault, which its answers report.
    if (code !== 0 && !this.#isOutage()) this.#log.warn('thread ended and is replaced', { thread, code });
  }

  metrics(): Metric[] {
    const samples = (counts: Map<ThreadName, number>) =>
      [...counts].map(([name, count]) => [`thread="${name}"`, count] as const);
    return [
      counter('roster_thread_hangs_total', 'Threads that hung and were terminated.', samples(this.#hangs)),
      counter('roster_thread_exits_total', 'Threads that ended unexpectedly.', samples(this.#exits)),
    ];
  }
}
