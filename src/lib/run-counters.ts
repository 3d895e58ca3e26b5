import { counter, gauge, type Metric, type Sample } from './metric.ts';
import type { TraceBackground } from './tracing.ts';

const NONE = { runs: 0, failures: 0, seconds: 0, lastSuccess: 0 };
type Counts = typeof NONE;

/** Records the runs of one kind of background work. */
export interface RunRecorder {
  /** Runs work and records its duration and whether it failed. */
  run<T>(work: () => Promise<T>): Promise<T>;
  record(seconds: number, failed: boolean): void;
}

/** Counts the runs of background work by name: `roster_task_runs_total{task="audit_expiry"}`. */
export class RunCounters {
  readonly #unit: string;
  readonly #label: string;
  readonly #trace: TraceBackground | undefined;
  readonly #byName = new Map<string, Counts>();

  constructor(unit: string, label: string, trace?: TraceBackground) {
    this.#unit = unit;
    this.#label = label;
    this.#trace = trace;
  }

  /** Names are those of the code, so that their number is bounded. */
  register(name: string): RunRecorder {
    const counts = this.#byName.getOrInsert(name, { ...NONE });
    const record = (seconds: number, failed: boolean) => {
      counts.runs++;
      counts.seconds += seconds;
      if (failed) counts.failures++;
      else counts.lastSuccess = Date.now() / 1000;
    };
    return {
      record,
      run: async (work) => {
        const began = performance.now();
        let failed = true;
        try {
          const value = await (this.#trace ? this.#trace(`${this.#label} ${name}`, work) : work());
          failed = false;
          return value;
        } finally {
          record((performance.now() - began) / 1000, failed);
        }
      },
    };
  }

  metrics(): Metric[] {
    const each = (count: keyof Counts): Sample[] =>
      [...this.#byName].map(([name, counts]) => [`${this.#label}="${name}"`, counts[count]]);
    const [prefix, by] = [`roster_${this.#unit}`, `by ${this.#label}`];
    return [
      counter(`${prefix}_runs_total`, `Completed and failed runs, ${by}.`, each('runs')),
      counter(`${prefix}_failures_total`, `Failed runs, ${by}.`, each('failures')),
      counter(`${prefix}_seconds_total`, `Time spent in runs in seconds, ${by}.`, each('seconds')),
      gauge(
        `${prefix}_last_success_timestamp_seconds`,
        `Unix time of the last successful run since the start, 0 if there was none, ${by}.`,
        each('lastSuccess'),
        { merge: 'max' },
      ),
    ];
  }
}
