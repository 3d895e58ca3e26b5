import type { Scheduler } from '../backups/scheduler.ts';
import type { Outage } from '../db/outage.ts';
import type { Storage } from '../db/storage.ts';
import type { WebhookEngine } from '../features/webhooks/delivery.engine.ts';
import { findBacklog } from '../features/webhooks/delivery.service.ts';
import { processMetrics } from '../http/pipeline/process-metrics.ts';
import { dueJobMetrics, findDueJobs } from '../jobs/job.metrics.ts';
import { withTimeout } from '../lib/concurrency.ts';
import { gauge, type Metric, mergeMetrics, renderMetrics } from '../lib/metric.ts';
import type { RunCounters } from '../lib/run-counters.ts';
import type { ServiceState } from '../lib/service-state.ts';
import type { ThreadHealth } from '../lib/thread-health.ts';
import { version } from '../lib/version.ts';

export interface ScrapeOptions {
  readonly engine: string;
  readonly storage: Storage;
  readonly state: ServiceState;
  readonly outage: Outage;
  readonly health: ThreadHealth;
  /** The metrics of each serving thread. */
  readonly threads: () => Promise<Metric[][]>;
  readonly jobKinds: readonly string[];
  readonly jobs: RunCounters;
  readonly backups: Pick<Scheduler, 'metrics'> | undefined;
  readonly webhooks: Pick<WebhookEngine, 'metrics'>;
}

/** A scrape must answer within the timeout of Prometheus, also while the database does not answer. */
const DATABASE_TIMEOUT_MS = 1_000;

/** Returns a function that collects all metrics. The metrics that need a query are absent while the database does not answer. */
export const createScrape = (options: ScrapeOptions): (() => Promise<string>) => {
  const { engine, storage, state, outage, health, threads, jobKinds, jobs, backups, webhooks } = options;
  const build = gauge('roster_build_info', 'The version of Roster and Node, and the database engine.', [
    [`version="${version}",node="${process.versions.node}",engine="${engine}"`, 1],
  ]);

  const query = async (): Promise<Metric[]> => {
    const [bytes, due, backlog] = await Promise.all([
      storage.size(),
      storage.run(findDueJobs, null, null),
      storage.run(findBacklog, null, null),
    ]);
    return [
      gauge('roster_database_bytes', 'Size of the database in bytes.', bytes),
      ...dueJobMetrics(due, jobKinds),
      ...backlog,
    ];
  };

  const queryInTime = async (): Promise<Metric[]> => {
    const answer = query().catch(() => undefined);
    const found = await withTimeout(answer, DATABASE_TIMEOUT_MS, () => undefined);
    const isUp = found && !state.outage;
    const up = gauge(
      'roster_database_up',
      'Whether the database answered this scrape and stores changes.',
      isUp ? 1 : 0,
    );
    return [up, ...outage.metrics(), ...(found ?? [])];
  };

  return async () => {
    const [process, database, ofThreads] = await Promise.all([processMetrics(), queryInTime(), threads()]);
    return renderMetrics(
      mergeMetrics([
        build,
        ...process,
        ...database,
        ...storage.metrics(),
        ...jobs.metrics(),
        ...(backups?.metrics() ?? []),
        ...webhooks.metrics(),
        ...health.metrics(),
        gauge('roster_serving_threads', 'Threads that serve requests.', ofThreads.length),
        ...ofThreads.flat(),
      ]),
    );
  };
};
