import { admissionMetrics, newAdmissionQueues, withAdmission } from '../db/admission.ts';
import { backgroundFaults } from '../db/outage.ts';
import { platformGuard } from '../features/adapters/platform.routes.ts';
import { signatureGuard } from '../features/calls/hook.routes.ts';
import { channelGuard, sessionGuard } from '../features/channels/hook.guards.ts';
import { KnownChannels } from '../features/channels/known-channels.ts';
import { createIntegrationHealth } from '../features/integrations/integration.health.ts';
import { integrationGuard } from '../features/integrations/integration.routes.ts';
import { accessGuards } from '../features/workspaces/access.guard.ts';
import { createKeyAccess } from '../features/workspaces/key.access.ts';
import { Compression } from '../http/pipeline/compression.ts';
import { serveDashboard } from '../http/pipeline/dashboard-files.ts';
import { createListener } from '../http/pipeline/listener.ts';
import { createShedding } from '../http/pipeline/load-shedding.ts';
import { Metrics } from '../http/pipeline/metrics.ts';
import { operatorRoutes } from '../http/pipeline/operator.routes.ts';
import { ThreadMetrics } from '../http/pipeline/process-metrics.ts';
import { limitAuthFailures } from '../http/pipeline/rate-limit.ts';
import { newBodyBudget } from '../http/pipeline/request-input.ts';
import { Router } from '../http/pipeline/router.ts';
import { trustedProxyCheck } from '../lib/ip-address.ts';
import type { CreateApp } from '../threads/protocol.ts';
import { documentRoutes } from './documents.ts';
import { allRoutes } from './routes.ts';

/** They start also without the database. */
const SESSIONS = /^\/hooks\/channels\/[^/?]+\/(?:sessions|platform)(?:\?|$)/;

/** Wires routes, guards, limits and metrics into the listener of the HTTP server. */
export const createApp: CreateApp = (config, parts) => {
  const { storage, faults, log, tasks } = parts;
  const { state } = faults;
  const { serveThreads: threads } = config;
  const onFault = backgroundFaults(faults, log);
  const keys = createKeyAccess(
    storage,
    config.apiKey === undefined ? undefined : { key: config.apiKey, workspace: parts.workspace },
    { task: tasks.register('key_use'), onFault, rate: config.rateLimit },
  );
  const integrationHealth = createIntegrationHealth(storage, {
    task: tasks.register('integration_health'),
    onFault,
  });
  const knownChannels = new KnownChannels({
    isLost: () => state.outage !== undefined,
    onFault: faults.report,
    log,
  });
  const pages = serveDashboard(parts.files);
  const isTrustedProxy = trustedProxyCheck(config.trustProxy);
  const metrics = new Metrics(log);
  const queues = newAdmissionQueues(threads);
  const limitedStorage = withAdmission(storage, queues, () => metrics.shed('longRead'));
  const routeOptions = {
    ...parts,
    limitedStorage,
    integrationHealth,
    knownChannels,
    isStopping: state.isStopping,
    importQuota: config.importQuota,
  };
  const router = new Router(
    allRoutes({
      ...routeOptions,
      pages,
      documents: documentRoutes(routeOptions),
      operator: operatorRoutes({ scrape: parts.scrape, ping: () => storage.ping(), state }),
    }),
  );
  const guards = {
    open: () => undefined,
    ...accessGuards(keys, storage, isTrustedProxy),
    channel: channelGuard(storage, knownChannels),
    session: sessionGuard(limitedStorage, knownChannels),
    integration: integrationGuard(storage, integrationHealth),
    signature: signatureGuard,
    platform: platformGuard(knownChannels),
  };
  const limitAuthFailure = limitAuthFailures({
    rate: config.failureLimit,
    isTrustedProxy,
    count: parts.countFailure,
  });
  const shed = createShedding({
    queues,
    metrics,
    log,
    isTrustedProxy,
    isServed: ({ url = '' }) => SESSIONS.test(url),
  });
  const listener = createListener({
    router,
    pages,
    guards,
    limitAuthFailure,
    shed,
    log,
    metrics,
    isTrustedProxy,
    logClientAddress: config.logClientAddress,
    isStopping: state.isStopping,
    tracing: parts.tracing,
    onFault: (fault) => {
      state.refused(fault);
      faults.report(fault);
    },
    compression: new Compression(),
    bodyBudget: newBodyBudget(() => metrics.shed('bodies'), threads),
  });
  const ofThread = new ThreadMetrics();
  return {
    listener,
    metrics: () => [
      ...ofThread.metrics(),
      ...tasks.metrics(),
      ...admissionMetrics(queues),
      ...metrics.metrics(),
      ...knownChannels.metrics(),
    ],
    close: async () => {
      await keys.close();
      await integrationHealth.close();
    },
  };
};
