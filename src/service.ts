import type { RequestListener } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createApp } from './app.ts';
import { type Scheduler, startScheduler } from './backups/scheduler.ts';
import type { Config } from './config.ts';
import { openStorage } from './db/open.ts';
import { dumpProblem } from './db/postgres/client-tools.ts';
import { withTracing } from './db/traced-storage.ts';
import { expireEntries } from './features/audit/audit.expiry.ts';
import { expireProgress, PROGRESS_DAYS } from './features/campaigns/progress.expiry.ts';
import { expireChanges } from './features/contacts/change.service.ts';
import { expireEvents } from './features/events/event.expiry.ts';
import { createIntegrationHealth } from './features/integrations/integration.health.ts';
import { noticeExpiringKeys } from './features/notices/key-expiry.service.ts';
import { expireNotices, NOTICE_DAYS } from './features/notices/notice.service.ts';
import { startWebhooks } from './features/webhooks/delivery.engine.ts';
import { expireWebhookData } from './features/webhooks/webhook.deletion.ts';
import { createKeyAccess } from './features/workspaces/key.access.ts';
import { openEncryptor } from './features/workspaces/secret-key.ts';
import { type SetupResult, setUpWorkspace } from './features/workspaces/setup.service.ts';
import { jobHandlers, registerCascades } from './handlers.ts';
import { serveDashboard } from './http/pipeline/dashboard-files.ts';
import { isSecure, localUrl } from './http/pipeline/request-origin.ts';
import { errorResponse, newRequestId, responseHead } from './http/pipeline/response.ts';
import { readFolder } from './http/pipeline/static-files.ts';
import { createHttpServer, drain, listen } from './http/server/server.ts';
import { startExpiry } from './jobs/expiry.ts';
import { newJobCounters, startRunner } from './jobs/runner.ts';
import { unavailable } from './lib/errors.ts';
import { commandLine, embeddedFiles, workerScript } from './lib/executable.ts';
import { type IsTrustedProxy, trustedProxyCheck } from './lib/ip-address.ts';
import { describeError, type Log } from './lib/log.ts';
import type { Metric } from './lib/metric.ts';
import { RunCounters } from './lib/run-counters.ts';
import type { Tracing } from './lib/tracing.ts';
import { version } from './version.ts';

export interface Service {
  readonly url: string;
  readonly setup: SetupResult;
  /** Loads changed TLS files immediately instead of at the next check. */
  reloadTls(): Promise<void>;
  /** Makes /readyz answer 503, so that load balancers send no new connections, and interrupts a running backup. All other
   *  requests are served as before. */
  announceStop(): void;
  /** Stops listening, completes accepted requests, writes deferred data and closes the database. */
  stop(): Promise<void>;
}

const START_WAIT_MS = 5_000;

/** The output of `npm run build`, or its copy in the single executable. */
const readDashboard = () =>
  embeddedFiles('dashboard') ?? readFolder(fileURLToPath(new URL('../dashboard/dist', import.meta.url)));

/** Starts the service. It listens first: if the port is in use, the start must fail without side effects, in particular
 *  without creating an API key that is never shown. Early requests wait for the start and receive 503 only if it takes
 *  long. */
export const startService = async (config: Config, log: Log, dashboard = readDashboard): Promise<Service> => {
  const ready = Promise.withResolvers<RequestListener>();
  const isTrustedProxy = trustedProxyCheck(config.trustProxy);
  let answer: RequestListener = (request, response) => {
    const late = pause(START_WAIT_MS, respondStarting(isTrustedProxy), { ref: false });
    Promise.race([ready.promise, late]).then((listener) => listener(request, response));
  };
  const http = createHttpServer({
    listener: (request, response) => answer(request, response),
    tls: config.tls,
    log,
    isTrustedProxy,
  });
  const address = await listen(http.server, config.port, config.host);
  try {
    const { listener, setup, announceStop, stop } = await openService(config, log, {
      dashboard,
      serverMetrics: http.metrics,
    });
    answer = listener;
    ready.resolve(listener);
    return {
      url: localUrl({ host: address.address, port: address.port, tls: config.tls !== undefined }),
      setup,
      reloadTls: http.reloadTls,
      announceStop,
      stop: () => stop(() => drain(http)),
    };
  } catch (error) {
    http.server.close();
    http.connections.closeAll();
    throw error;
  }
};

const respondStarting =
  (isTrustedProxy: IsTrustedProxy): RequestListener =>
  (request, response) => {
    const requestId = newRequestId();
    const starting = errorResponse(unavailable('The service is starting.'), requestId);
    const context = { requestId, isSecure: isSecure(request, isTrustedProxy), isLast: false };
    response.writeHead(starting.status, responseHead(starting, context)).end(starting.body);
  };

/** The SDK is a chunk of its own and loaded only if tracing is on. */
const loadTracing = async ({ tracing }: Config, log: Log): Promise<Tracing | undefined> => {
  if (!tracing) return undefined;
  const { startTracing } = await import('./opentelemetry.ts');
  return startTracing(tracing, log);
};

interface ServiceParts {
  readonly dashboard: () => ReadonlyMap<string, Buffer>;
  readonly serverMetrics: () => Metric[];
}

/** Opens the storage and creates the workspace and the application. */
const openService = async (config: Config, log: Log, { dashboard, serverMetrics }: ServiceParts) => {
  registerCascades();
  const pages = serveDashboard(dashboard());
  const onFault = (error: unknown) => log.error('database fault', describeError(error));
  const tracing = await loadTracing(config, log);
  const tasks = new RunCounters('task', 'task', tracing?.runBackground);
  const opened = await openStorage(config.database, {
    thread: workerScript('sqlite-thread', import.meta.url),
    onFault,
    log,
    tasks,
  });
  const storage = tracing ? withTracing(opened, config.database.engine, tracing) : opened;
  const encryptor = await openEncryptor(storage, config.secretKeys, config.dataDir).catch(async (error) => {
    await storage.close();
    throw error;
  });
  // The last step that can fail, because it creates secrets that are shown only once.
  const setup = await setUpWorkspace(storage, {
    withKey: config.apiKey === undefined,
    admin: config.admin,
    log,
  });
  const configured =
    config.apiKey === undefined ? undefined : { key: config.apiKey, workspace: setup.workspace };
  const keys = createKeyAccess(storage, configured, {
    task: tasks.register('key_use'),
    onFault,
    rate: config.rateLimit,
  });
  const integrationHealth = createIntegrationHealth(storage, {
    task: tasks.register('integration_health'),
    onFault,
  });
  const jobs = { kinds: Object.keys(jobHandlers), counters: newJobCounters() };
  const runner = startRunner(storage, jobHandlers, log, {
    counters: jobs.counters,
    trace: tracing?.runBackground,
  });
  const webhooks = startWebhooks({ storage, encryptor, config: config.webhooks, log, version });
  const stopExpiring = [
    startExpiry({
      storage,
      days: config.auditDays,
      task: tasks.register('audit_expiry'),
      onFault,
      step: async (expiry) =>
        (await storage.run(expireEntries, null, expiry)) + (await storage.run(expireChanges, null, expiry)),
    }),
    startExpiry({
      storage,
      days: config.eventDays,
      task: tasks.register('event_expiry'),
      onFault,
      step: async (expiry) =>
        (await expireEvents(storage, expiry)) + (await expireWebhookData(storage, expiry)),
    }),
    startExpiry({
      storage,
      days: PROGRESS_DAYS,
      task: tasks.register('progress_expiry'),
      onFault,
      step: (expiry) => storage.run(expireProgress, null, expiry),
    }),
    startExpiry({
      storage,
      days: NOTICE_DAYS,
      task: tasks.register('notices'),
      onFault,
      step: async (expiry) =>
        (await storage.run(noticeExpiringKeys, null, expiry)) +
        (await storage.run(expireNotices, null, expiry)),
    }),
  ];
  const backups = startBackups(config, tasks, log);
  let isReady = true;
  let stopping = false;
  const listener = createApp({
    engine: config.database.engine,
    storage,
    keys,
    encryptor,
    integrationHealth,
    runner,
    webhooks,
    log,
    pages,
    trustProxy: config.trustProxy,
    logClientAddress: config.logClientAddress,
    failureLimit: config.failureLimit,
    isReady: () => isReady,
    isStopping: () => stopping,
    jobs,
    tasks,
    serverMetrics,
    tracing,
    backups,
  });
  let backupStopped: Promise<void> | undefined;
  const announceStop = () => {
    isReady = false;
    backupStopped ??= backups?.stop();
  };
  const stop = async (drained: () => Promise<void>): Promise<void> => {
    announceStop();
    stopping = true;
    const webhooksStopped = webhooks.stop();
    await drained();
    await webhooksStopped;
    await backupStopped;
    await runner.stop();
    await Promise.all(stopExpiring.map((stop) => stop()));
    await keys.close();
    await integrationHealth.close();
    await storage.close();
    await tracing?.stop();
  };
  return { listener, setup, announceStop, stop };
};

/** Undefined without a schedule. */
const startBackups = ({ backup }: Config, tasks: RunCounters, log: Log): Scheduler | undefined =>
  backup.schedule &&
  startScheduler({
    schedule: backup.schedule,
    command: commandLine(new URL('./cli.js', import.meta.url)),
    findProblem: async () =>
      backup.database.engine === 'postgres' ? dumpProblem(backup.database.url) : undefined,
    task: tasks.register('backup'),
    log,
  });
