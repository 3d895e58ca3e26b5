import type { RequestListener } from 'node:http';
import type { FaultReports } from '../db/outage.ts';
import type { Storage } from '../db/storage.ts';
import type { WebhookControl } from '../features/webhooks/webhook.routes.ts';
import type { CountFailure } from '../http/pipeline/auth-failures.ts';
import type { Locks } from '../http/pipeline/stream-limits.ts';
import type { Runner } from '../jobs/runner.ts';
import type { Encryptor } from '../lib/encryption.ts';
import type { Log } from '../lib/log.ts';
import type { Metric } from '../lib/metric.ts';
import type { RunCounters } from '../lib/run-counters.ts';
import type { Tracing } from '../lib/tracing.ts';
import type { ServingConfig } from './protocol.ts';

/** What a serving thread uses. On the first thread these are the parts of the service, on the others they call it. */
export interface ThreadParts {
  readonly storage: Storage;
  readonly encryptor: Encryptor;
  /** The workspace of the API key in the environment. */
  readonly workspace: number;
  readonly runner: Pick<Runner, 'wake'>;
  readonly webhooks: WebhookControl;
  readonly countFailure: CountFailure;
  readonly keyLocks: Locks;
  readonly scrape: () => Promise<string>;
  /** The files of the dashboard by path. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly faults: FaultReports;
  readonly log: Log;
  readonly tasks: RunCounters;
  readonly tracing: Tracing | undefined;
}

/** What serves the requests of one thread. */
export interface App {
  readonly listener: RequestListener;
  metrics(): Metric[];
  /** Writes what was noted about requests. */
  close(): Promise<void>;
}

export type CreateApp = (config: ServingConfig, parts: ThreadParts) => App;
