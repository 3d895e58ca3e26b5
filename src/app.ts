import type { IncomingMessage, RequestListener } from 'node:http';
import { describeApi, describeDashboard } from './api-documents.ts';
import { admissionMetrics, newAdmissionQueues, withAdmission } from './db/admission.ts';
import type { FaultReports } from './db/outage.ts';
import type { Storage } from './db/storage.ts';
import { signatureGuard } from './features/calls/hook.routes.ts';
import { channelGuard } from './features/channels/hook.routes.ts';
import type { KeyLocks } from './features/idempotency/key-locks.ts';
import type { IntegrationHealth } from './features/integrations/integration.health.ts';
import { integrationGuard } from './features/integrations/integration.routes.ts';
import type { WebhookControl } from './features/webhooks/webhook.routes.ts';
import type { KeyPrincipal } from './features/workspaces/principal.ts';
import { sessionGuards } from './features/workspaces/session.guard.ts';
import { documentRoutes } from './http/openapi/document.routes.ts';
import { type CountFailure, limitAuthFailures } from './http/pipeline/auth-failures.ts';
import { Compression } from './http/pipeline/compression.ts';
import { type ApiKeys, keyGuards, openGuard } from './http/pipeline/credentials.ts';
import type { DashboardFiles } from './http/pipeline/dashboard-files.ts';
import { createListener } from './http/pipeline/listener.ts';
import { Metrics } from './http/pipeline/metrics.ts';
import { operatorRoutes } from './http/pipeline/operator.routes.ts';
import { originOf } from './http/pipeline/request-origin.ts';
import { Router } from './http/pipeline/router.ts';
import { BodyBudget } from './http/server/body-budget.ts';
import { createShedding } from './http/server/load-shedding.ts';
import type { Runner } from './jobs/runner.ts';
import type { Encryptor } from './lib/encryption.ts';
import { type TrustedProxies, trustedProxyCheck } from './lib/ip-address.ts';
import type { Log } from './lib/log.ts';
import type { Metric } from './lib/metric.ts';
import type { Rate } from './lib/rate-limit.ts';
import type { Tracing } from './lib/tracing.ts';
import { allRoutes } from './routes.ts';

interface AppOptions {
  readonly storage: Storage;
  readonly keys: ApiKeys<KeyPrincipal>;
  readonly encryptor: Encryptor;
  readonly integrationHealth: IntegrationHealth;
  readonly runner: Pick<Runner, 'wake'>;
  readonly webhooks: WebhookControl;
  readonly faults: FaultReports;
  readonly log: Log;
  readonly pages: DashboardFiles;
  readonly trustProxy: TrustedProxies;
  readonly logClientAddress: boolean;
  readonly failureLimit: Rate;
  readonly countFailure: CountFailure;
  readonly keyLocks: KeyLocks;
  readonly importQuota: number;
  /** How many threads share the limits of queues and of memory. */
  readonly threads: number;
  /** False from the announcement of the stop on, before `isStopping`. */
  readonly isReady: () => boolean;
  readonly isStopping: () => boolean;
  /** The metrics of the service in the text format of Prometheus. */
  readonly scrape: () => Promise<string>;
  readonly tracing: Tracing | undefined;
}

export interface App {
  readonly listener: RequestListener;
  /** Requests, and the queues of their operations. */
  metrics(): Metric[];
}

/** Wires routes, guards, limits and metrics into the listener of the HTTP server. */
export const createApp = ({
  storage,
  keys,
  encryptor,
  integrationHealth,
  runner,
  webhooks,
  faults,
  log,
  pages,
  trustProxy,
  logClientAddress,
  failureLimit,
  countFailure,
  keyLocks,
  importQuota,
  threads,
  isReady,
  isStopping,
  scrape,
  tracing,
}: AppOptions): App => {
  const isTrustedProxy = trustedProxyCheck(trustProxy);
  const metrics = new Metrics(log);
  const queues = newAdmissionQueues(threads);
  const limitedStorage = withAdmission(storage, queues, () => metrics.shed('longRead'));
  const routeOptions = {
    storage,
    limitedStorage,
    encryptor,
    integrationHealth,
    runner,
    isStopping,
    keyLocks,
    importQuota,
    webhooks,
  };
  const router = new Router(
    allRoutes({
      ...routeOptions,
      pages,
      documents: documentRoutes({
        api: () => describeApi(routeOptions),
        dashboard: () => describeDashboard(routeOptions),
      }),
      operator: operatorRoutes({
        scrape,
        ping: () => storage.ping(),
        isReady,
        outage: () => faults.state.reason,
      }),
    }),
  );
  const guards = {
    open: openGuard,
    ...keyGuards(keys, (...args) => storage.rates.consume(...args)),
    ...sessionGuards(storage, isTrustedProxy),
    channel: channelGuard(storage),
    integration: integrationGuard(storage, integrationHealth),
    signature: signatureGuard,
  };
  const limitAuthFailure = limitAuthFailures({ rate: failureLimit, isTrustedProxy, count: countFailure });
  const shed = createShedding({ queues, metrics, log, isTrustedProxy });
  const clientOf = logClientAddress
    ? (request: IncomingMessage) => originOf(request, isTrustedProxy).address
    : undefined;
  const listener = createListener({
    router,
    pages,
    guards,
    limitAuthFailure,
    shed,
    log,
    metrics,
    isTrustedProxy,
    clientOf,
    isStopping,
    tracing,
    onFault: (fault) => {
      faults.state.refused(fault);
      faults.report(fault);
    },
    compression: new Compression(),
    bodyBudget: new BodyBudget(() => metrics.shed('bodies'), threads),
  });
  return { listener, metrics: () => [...admissionMetrics(queues), ...metrics.metrics()] };
};
