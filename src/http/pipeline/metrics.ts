import { type FaultReason, faultReasons } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import {
  addDuration,
  counter,
  type Distribution,
  gauge,
  histogram,
  type Metric,
  newDistribution,
} from '../../lib/metric.ts';

/** In seconds. A cached read takes less than 100 µs. */
const BOUNDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

interface Series extends Distribution {
  readonly method: string;
  readonly status: number;
}

/** What can be full. They are listed from the start, so that the first rejection is visible as an increase. */
const SHEDDING = { read: 0, longRead: 0, write: 0, loop: 0, connections: 0, bodies: 0 };
export type Shedding = keyof typeof SHEDDING;

/** Request counts and durations by route and status. */
export class Metrics {
  readonly #series = new Map<string, Series[]>();
  readonly #shed = { ...SHEDDING };
  readonly #refused = new Map((Object.keys(faultReasons) as FaultReason[]).map((reason) => [reason, 0]));
  readonly #log: Pick<Log, 'droppedLines'>;
  #inFlight = 0;

  constructor(log: Pick<Log, 'droppedLines'>) {
    this.#log = log;
  }

  started() {
    this.#inFlight++;
  }

  finished(method: string, route: string, status: number, seconds: number) {
    this.#inFlight--;
    addDuration(this.#seriesOf(method, route, status), BOUNDS, seconds);
  }

  /** Counts a rejected request, which is not counted as started or finished. */
  shed(queue: Shedding) {
    this.#shed[queue]++;
  }

  /** Counts a request that failed because of a fault of the database. */
  refused(reason: FaultReason) {
    this.#refused.set(reason, (this.#refused.get(reason) as number) + 1);
  }

  /** Looks up by route, then by method and status. A combined key would have to be built and hashed for each request. */
  #seriesOf(method: string, route: string, status: number): Series {
    const ofRoute = this.#series.get(route) ?? [];
    for (const series of ofRoute) if (series.status === status && series.method === method) return series;
    const labels = `method="${method}",route="${route}",status="${status}"`;
    const series = { method, status, ...newDistribution(labels, BOUNDS) };
    this.#series.set(route, [...ofRoute, series]);
    return series;
  }

  metrics(): Metric[] {
    return [
      gauge('roster_requests_in_flight', 'Requests in progress.', this.#inFlight),
      counter(
        'roster_log_lines_dropped_total',
        'Log lines dropped because the output was not read.',
        this.#log.droppedLines,
      ),
      counter(
        'roster_requests_shed_total',
        'Requests rejected because of overload, by queue.',
        Object.entries(this.#shed).map(([queue, count]) => [`queue="${queue}"`, count]),
      ),
      counter(
        'roster_requests_refused_total',
        'Requests that failed because of a fault of the database, by reason.',
        [...this.#refused].map(([reason, count]) => [`reason="${reason}"`, count]),
      ),
      histogram(
        'roster_request_duration_seconds',
        'Request duration by method, route and status.',
        BOUNDS,
        [...this.#series.values()].flat(),
      ),
    ];
  }
}
