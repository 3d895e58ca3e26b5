import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Log } from '../../lib/log.ts';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Series {
  readonly method: string;
  readonly status: number;
  readonly labels: string;
  count: number;
  seconds: number;
  readonly buckets: number[];
}

/** Request counts and durations by route and status, in the text format of Prometheus. */
export class Metrics {
  readonly #series = new Map<string, Series[]>();
  readonly #delay = monitorEventLoopDelay({ resolution: 20 });
  readonly #shed = new Map<string, number>();
  readonly #log: Pick<Log, 'droppedLines'>;
  #inFlight = 0;

  constructor(log: Pick<Log, 'droppedLines'>) {
    this.#log = log;
    this.#delay.enable();
  }

  started() {
    this.#inFlight++;
  }

  finished(method: string, route: string, status: number, seconds: number) {
    this.#inFlight--;
    const series = this.#seriesOf(method, route, status);
    series.count++;
    series.seconds += seconds;
    for (let at = 0; at < BUCKETS.length; at++) {
      if (seconds > (BUCKETS[at] as number)) continue;
      series.buckets[at] = (series.buckets[at] as number) + 1;
      return;
    }
  }

  /** Counts a rejected request, which is not counted as started or finished. */
  shed(queue: string) {
    this.#shed.set(queue, (this.#shed.get(queue) ?? 0) + 1);
  }

  /** Looks up by route, then by method and status. A combined key would have to be built and hashed for each request. */
  #seriesOf(method: string, route: string, status: number): Series {
    const ofRoute = this.#series.get(route) ?? [];
    for (const series of ofRoute) if (series.status === status && series.method === method) return series;
    const labels = `method="${method}",route="${route}",status="${status}"`;
    const series = { method, status, labels, count: 0, seconds: 0, buckets: BUCKETS.map(() => 0) };
    this.#series.set(route, [...ofRoute, series]);
    return series;
  }

  /** The current values. The event loop delay covers the time since the last call. */
  render(): string {
    const { rss, heapUsed } = process.memoryUsage();
    const late = this.#delay.percentile(99) / 1e9;
    this.#delay.reset();
    const lines = [
      ...gauge('roster_requests_in_flight', 'Requests in progress.', this.#inFlight),
      ...gauge('process_resident_memory_bytes', 'Resident memory in bytes.', rss),
      ...gauge('nodejs_heap_used_bytes', 'Heap in use in bytes.', heapUsed),
      ...gauge('process_uptime_seconds', 'Seconds since the start.', process.uptime()),
      ...gauge('nodejs_eventloop_delay_p99_seconds', 'Event loop delay since the last scrape, p99.', late),
      '# HELP roster_log_lines_dropped_total Log lines dropped because the output was not read.',
      '# TYPE roster_log_lines_dropped_total counter',
      `roster_log_lines_dropped_total ${this.#log.droppedLines}`,
      '# HELP roster_requests_shed_total Requests rejected because of overload, by queue.',
      '# TYPE roster_requests_shed_total counter',
      ...[...this.#shed].map(([queue, count]) => `roster_requests_shed_total{queue="${queue}"} ${count}`),
      '# HELP roster_request_duration_seconds Request duration by method, route and status.',
      '# TYPE roster_request_duration_seconds histogram',
    ];
    for (const { labels, count, seconds, buckets } of [...this.#series.values()].flat()) {
      let sum = 0;
      BUCKETS.forEach((bound, at) => {
        sum += buckets[at] ?? 0;
        lines.push(`roster_request_duration_seconds_bucket{${labels},le="${bound}"} ${sum}`);
      });
      lines.push(
        `roster_request_duration_seconds_bucket{${labels},le="+Inf"} ${count}`,
        `roster_request_duration_seconds_sum{${labels}} ${seconds}`,
        `roster_request_duration_seconds_count{${labels}} ${count}`,
      );
    }
    return `${lines.join('\n')}\n`;
  }
}

const gauge = (name: string, help: string, value: number) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} gauge`,
  `${name} ${value}`,
];
