import { readdir, readFile } from 'node:fs/promises';
import { constants, monitorEventLoopDelay, PerformanceObserver, performance } from 'node:perf_hooks';
import { addDuration, counter, gauge, histogram, type Metric, newDistribution } from '../../lib/metric.ts';

const GC_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

/** The names that other Node services use. */
const GC_KINDS: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weakcb',
};

type GcEntry = PerformanceEntry & { readonly detail: { readonly kind: number } };

/** The limit of open files; undefined where /proc does not exist. */
const readMaxFds = async (): Promise<number | undefined> => {
  const text = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const limit = /^Max open files +(\d+)/m.exec(text)?.[1];
  return limit === undefined ? undefined : Number(limit);
};

/** The descriptor that reads the folder is not counted. */
const countFds = async (): Promise<number | undefined> =>
  readdir('/proc/self/fd').then(
    ({ length }) => length - 1,
    () => undefined,
  );

/** Garbage collection and the event loop of this thread. */
export class ThreadMetrics {
  readonly #delay = monitorEventLoopDelay({ resolution: 20 });
  #lastUtilization = performance.eventLoopUtilization();
  readonly #gc = new Map(
    Object.entries(GC_KINDS).map(([kind, name]) => [
      Number(kind),
      newDistribution(`kind="${name}"`, GC_BOUNDS),
    ]),
  );

  constructor() {
    this.#delay.enable();
    new PerformanceObserver((list) => {
      for (const { duration, detail } of list.getEntries() as GcEntry[]) {
        const ofKind = this.#gc.get(detail.kind);
        if (ofKind) addDuration(ofKind, GC_BOUNDS, duration / 1000);
      }
    }).observe({ entryTypes: ['gc'] });
  }

  /** The event loop's delay and utilization cover the time since the last call. */
  metrics(): Metric[] {
    const total = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(total, this.#lastUtilization);
    this.#lastUtilization = total;
    const p99 = this.#delay.percentile(99) / 1e9;
    this.#delay.reset();
    return [
      histogram(
        'nodejs_gc_duration_seconds',
        'Garbage collection of the serving threads by kind.',
        GC_BOUNDS,
        [...this.#gc.values()],
      ),
      gauge('nodejs_eventloop_delay_p99_seconds', 'Event loop delay since the last scrape, p99.', p99, {
        merge: 'max',
      }),
      gauge(
        'nodejs_eventloop_utilization',
        'Busy share of the event loop since the last scrape.',
        utilization,
        { merge: 'max' },
      ),
      counter('nodejs_eventloop_time_seconds_total', 'Time of the event loop in seconds by state.', [
        ['state="active"', total.active / 1000],
        ['state="idle"', total.idle / 1000],
      ]),
    ];
  }
}

/** CPU, memory and file descriptors of the process. */
export const processMetrics = async (): Promise<Metric[]> => {
  const [openFds, maxFds] = await Promise.all([countFds(), readMaxFds()]);
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  const optional = (name: string, help: string, value: number | undefined) =>
    value === undefined ? [] : [gauge(name, help, value)];
  return [
    counter('process_cpu_user_seconds_total', 'User CPU time in seconds.', user / 1e6),
    counter('process_cpu_system_seconds_total', 'System CPU time in seconds.', system / 1e6),
    counter('process_cpu_seconds_total', 'User and system CPU time in seconds.', (user + system) / 1e6),
    gauge('process_resident_memory_bytes', 'Resident memory in bytes.', rss),
    gauge('nodejs_heap_used_bytes', 'Heap in use in bytes.', heapUsed),
    gauge('nodejs_heap_size_used_bytes', 'Heap in use in bytes.', heapUsed),
    gauge('nodejs_heap_size_total_bytes', 'Size of the heap in bytes.', heapTotal),
    gauge('nodejs_external_memory_bytes', 'Memory outside of the heap that objects use, in bytes.', external),
    ...optional('process_open_fds', 'Open file descriptors.', openFds),
    ...optional('process_max_fds', 'Maximum number of open file descriptors.', maxFds),
    gauge('process_start_time_seconds', 'Unix time of the start.', performance.timeOrigin / 1000),
    gauge('process_uptime_seconds', 'Seconds since the start.', process.uptime()),
  ];
};
