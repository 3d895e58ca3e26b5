import type { RequestListener } from 'node:http';
import type { Config } from '../config/config.ts';
import type { FaultReports } from '../db/outage.ts';
import type { ConsumeQuota, Storage } from '../db/storage.ts';
import type { SendAttempt } from '../features/webhooks/delivery.worker.ts';
import type { WebhookControl } from '../features/webhooks/webhook.routes.ts';
import type { CountFailure } from '../http/pipeline/rate-limit.ts';
import type { Locks } from '../http/pipeline/stream-limits.ts';
import type { Runner } from '../jobs/runner.ts';
import type { Encryptor } from '../lib/encryption.ts';
import type { Log } from '../lib/log.ts';
import type { Metric } from '../lib/metric.ts';
import type { RunCounters } from '../lib/run-counters.ts';
import type { Pulse } from '../lib/thread-health.ts';
import type { Tracing } from '../lib/tracing.ts';

/** What an additional serving thread calls on the first thread of the service. */
export type ServiceFunctions = {
  /** The thread listens. */
  ready(): void;
  /** Runs a long read on the threads of SQLite. */
  longRead(operation: string, principal: unknown, input: unknown): Promise<unknown>;
  consumeQuota: ConsumeQuota;
  countFailure: CountFailure;
  lockKey: Locks['tryLock'];
  unlockKey: Locks['unlock'];
  scrape(): Promise<string>;
  sendWebhook: SendAttempt;
  post: WebhookControl['post'];
  wakeJobs(): void;
  reportFault: FaultReports['report'];
  /** Writes lines of the log. */
  log(text: string): void;
};

/** What the first thread calls on an additional serving thread. */
export type ThreadFunctions = {
  metrics(): Metric[];
  reloadTls(): Promise<void>;
  stopListening(): void;
  /** Completes accepted requests. */
  drain(): Promise<void>;
  /** Writes deferred data and closes the database. */
  close(): Promise<void>;
};

/** The configuration without what only the first thread does. */
export type ServingConfig = Omit<Config, 'backup'>;

/** What an additional serving thread starts with. */
export interface ServingThreadData {
  readonly config: ServingConfig;
  /** The port that the first thread listens on. */
  readonly port: number;
  readonly workspace: number;
  readonly files: ReadonlyMap<string, Uint8Array<SharedArrayBuffer>>;
  /** Those of `ServiceState`. */
  readonly state: Int32Array<SharedArrayBuffer>;
  readonly isLogPretty: boolean;
  /** That of the thread, and with SQLite that of the writer. */
  readonly pulse: Pulse;
  readonly writerPulse: Pulse | undefined;
}

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
