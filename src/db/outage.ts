import { ApiError, type Fault, faultReasons } from '../lib/errors.ts';
import { describeError, type Log, type LogFields, type StateLog } from '../lib/log.ts';
import { gauge, type Metric } from '../lib/metric.ts';
import type { ServiceState } from '../lib/service-state.ts';

const PROBE_EVERY_MS = 1_000;
/** Longer than the time between two failures on a disk that has space only for small writes. */
const QUIET_MS = 2_000;

/** Logs the begin and the end of an outage, each with one line. Requests that are refused meanwhile are counted. */
export class Outage {
  readonly #state: ServiceState;
  readonly #log: StateLog;
  #began = 0;
  #reportedAt = 0;
  #probes: NodeJS.Timeout | undefined;

  constructor(log: StateLog, state: ServiceState) {
    this.#log = log;
    this.#state = state;
  }

  /** `fields` are added to the line of the log. During an outage, only its reason may change. */
  lost({ reason, code }: Pick<Fault, 'reason' | 'code'>, fields: LogFields = {}): void {
    const isKnown = this.#state.outage !== undefined;
    this.#state.outage = reason;
    if (isKnown) return;
    this.#began = performance.now();
    this.#log.warn('database lost', { ...fields, reason, code });
  }

  found(fields: LogFields = {}): void {
    const { outage: reason } = this.#state;
    this.#state.outage = undefined;
    this.stopProbing();
    const seconds = reason && Math.round(performance.now() - this.#began) / 1000;
    this.#log.warn('database found', {
      ...fields,
      reason,
      seconds,
      refused_requests: this.#state.takeRefused(),
    });
  }

  /** Reports what an operation found out. The outage lasts until `probe` succeeds. */
  report(fault: Fault, probe: () => Promise<void>): void {
    if (!fault.isOutage) return;
    this.#reportedAt = performance.now();
    this.lost(fault);
    let isProbing = false;
    this.#probes ??= setInterval(async () => {
      if (isProbing) return;
      isProbing = true;
      const isStored = await probe().then(
        () => true,
        () => false,
      );
      isProbing = false;
      if (isStored && this.#probes && performance.now() - this.#reportedAt > QUIET_MS) this.found();
    }, PROBE_EVERY_MS).unref();
  }

  stopProbing(): void {
    clearInterval(this.#probes);
    this.#probes = undefined;
  }

  metrics(): Metric[] {
    return [
      gauge(
        'roster_database_lost',
        'Whether the database cannot be used, by reason.',
        Object.keys(faultReasons).map((each) => [`reason="${each}"`, each === this.#state.outage ? 1 : 0]),
      ),
    ];
  }
}

/** How a serving thread reports faults of the database. */
export interface FaultReports {
  readonly state: ServiceState;
  readonly report: (fault: Fault) => void;
}

/** Logs an error of background work. During an outage, which has its own lines, a fault is not logged. */
export const backgroundFaults =
  ({ state, report }: FaultReports, log: Pick<Log, 'warn' | 'error'>) =>
  (error: unknown): void => {
    const fault = error instanceof ApiError ? error.fault : undefined;
    if (fault) report(fault);
    else log.error('database fault', describeError(error));
    if (fault && !fault.isOutage && !state.outage) log.warn('database fault', describeError(error));
  };
