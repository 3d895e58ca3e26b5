import type { RequestListener } from 'node:http';
import { createApp } from '../app.ts';
import { backgroundFaults, type FaultReports } from '../db/outage.ts';
import type { Storage } from '../db/storage.ts';
import type { KeyLocks } from '../features/idempotency/key-locks.ts';
import { createIntegrationHealth } from '../features/integrations/integration.health.ts';
import type { WebhookControl } from '../features/webhooks/webhook.routes.ts';
import { createKeyAccess } from '../features/workspaces/key.access.ts';
import type { CountFailure } from '../http/pipeline/auth-failures.ts';
import { serveDashboard } from '../http/pipeline/dashboard-files.ts';
import { ThreadMetrics } from '../http/pipeline/process-metrics.ts';
import type { Runner } from '../jobs/runner.ts';
import type { Encryptor } from '../lib/encryption.ts';
import type { Log } from '../lib/log.ts';
import type { Metric } from '../lib/metric.ts';
import type { RunCounters } from '../lib/run-counters.ts';
import type { Tracing } from '../lib/tracing.ts';
import type { ServingConfig } from './protocol.ts';
import type { ServiceState } from './state.ts';

/** What a serving thread uses. On the first thread these are the parts of the service, on the others they call it. */
export interface ServingParts {
  readonly storage: Storage;
  readonly encryptor: Encryptor;
  /** The workspace of the API key in the environment. */
  readonly workspace: number;
  readonly runner: Pick<Runner, 'wake'>;
  readonly webhooks: WebhookControl;
  readonly countFailure: CountFailure;
  readonly keyLocks: KeyLocks;
  readonly scrape: () => Promise<string>;
  /** The files of the dashboard by path. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly state: ServiceState;
  readonly faults: FaultReports;
  readonly log: Log;
  readonly tasks: RunCounters;
  readonly tracing: Tracing | undefined;
}

export interface Serving {
  readonly listener: RequestListener;
  metrics(): Metric[];
  /** Writes what was noted about requests. */
  close(): Promise<void>;
}

/** Serves the requests of one thread. */
export const createServing = (config: ServingConfig, parts: ServingParts): Serving => {
  const { storage, workspace, state, faults, log, tasks, files } = parts;
  const onFault = backgroundFaults(faults, log);
  const configured = config.apiKey === undefined ? undefined : { key: config.apiKey, workspace };
  const keys = createKeyAccess(storage, configured, {
    task: tasks.register('key_use'),
    onFault,
    rate: config.rateLimit,
  });
  const integrationHealth = createIntegrationHealth(storage, {
    task: tasks.register('integration_health'),
    onFault,
  });
  const app = createApp({
    ...parts,
    keys,
    integrationHealth,
    pages: serveDashboard(files),
    trustProxy: config.trustProxy,
    logClientAddress: config.logClientAddress,
    failureLimit: config.failureLimit,
    importQuota: config.importQuota,
    threads: config.serveThreads,
    isReady: state.isReady,
    isStopping: state.isStopping,
  });
  const ofThread = new ThreadMetrics();
  return {
    listener: app.listener,
    metrics: () => [...ofThread.metrics(), ...tasks.metrics(), ...app.metrics()],
    close: async () => {
      await keys.close();
      await integrationHealth.close();
    },
  };
};
