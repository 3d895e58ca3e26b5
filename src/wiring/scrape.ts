import type { Storage } from '../db/storage.ts';
import { findBacklog } from '../features/webhooks/delivery.service.ts';
import { processMetrics } from '../http/pipeline/process-metrics.ts';
import { dueJobMetrics, findDueJobs } from '../jobs/job.metrics.ts';
import { withTimeout } from '../lib/concurrency.ts';
import { gauge, type Metric, mergeMetrics, renderMetrics } from '../lib/metric.ts';
import type { ServiceState } from '../lib/service-state.ts';
import { version } from '../lib/version.ts';
import { jobKinds } from './handlers.ts';

interface ScrapeOptions {
  readonly engine: string;
  readonly storage: Storage;
  readonly state: ServiceState;
  /** What has metrics of the service. */
  readonly parts: readonly { metrics(): Metric[] }[];
  /** The metrics of each serving thread. */
  readonly threads: () => Promise<Metric[][]>;
}

/** A scrape must answer within the timeout of Prometheus, also while the database does not answer. */
const DATABASE_TIMEOUT_MS = 1_000;

/** Returns a function that collects all metrics. The metrics that need a query are absent while the database does not answer. */
export const createScrape = ({ engine, storage, state, parts, threads }: ScrapeOptions) => {
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
    return [up, ...(found ?? [])];
  };

  return async (): Promise<string> => {
    const [process, database, ofThreads] = await Promise.all([processMetrics(), queryInTime(), threads()]);
    return renderMetrics(
      mergeMetrics([
        build,
        ...process,
        ...database,
        ...parts.flatMap((part) => part.metrics()),
        gauge('roster_serving_threads', 'Threads that serve requests.', ofThreads.length),
        ...ofThreads.flat(),
      ]),
    );
  };
};
