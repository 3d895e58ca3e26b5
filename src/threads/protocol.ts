import type { Config } from '../config/config.ts';
import type { FaultReports } from '../db/outage.ts';
import type { Rates } from '../db/storage.ts';
import type { SendAttempt } from '../features/webhooks/delivery.attempt.ts';
import type { CountFailure } from '../http/pipeline/auth-failures.ts';
import type { Locks } from '../http/pipeline/stream-limits.ts';
import type { Metric } from '../lib/metric.ts';
import type { Pulse } from '../lib/thread-health.ts';

/** What an additional serving thread calls on the first thread of the service. */
export type ServiceFunctions = {
  /** The thread listens. */
  ready(): void;
  /** Runs a long read on the threads of SQLite. */
  longRead(operation: string, principal: unknown, input: unknown): Promise<unknown>;
  consumeQuota: Rates['consume'];
  countFailure: CountFailure;
  lockKey: Locks['tryLock'];
  unlockKey: Locks['unlock'];
  scrape(): Promise<string>;
  sendWebhook: SendAttempt;
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
  /** That of the first thread's log. */
  readonly logThreshold: Int32Array<SharedArrayBuffer>;
  /** That of the thread, and with SQLite that of the writer. */
  readonly pulse: Pulse;
  readonly writerPulse: Pulse | undefined;
}
