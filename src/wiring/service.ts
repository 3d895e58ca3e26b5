import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Scheduler, startScheduler } from '../backups/scheduler.ts';
import { type Config, ConfigError } from '../config/config.ts';
import { openStorage } from '../db/open/open.ts';
import { operationNamed } from '../db/operation.ts';
import { backgroundFaults, type FaultReports, Outage } from '../db/outage.ts';
import { dumpProblem } from '../db/postgres/client-tools.ts';
import { DEFAULT_POOL_SIZE, MIN_POOL_SIZE } from '../db/postgres/pool-size.ts';
import { withTracing } from '../db/traced-storage.ts';
import { expireRenderings } from '../features/agents/rendering.service.ts';
import { expireOutcomes } from '../features/calls/outcome.service.ts';
import { OUTCOME_DAYS } from '../features/calls/outcome.store.ts';
import { expireSessions } from '../features/calls/session.service.ts';
import { expireTranscripts } from '../features/calls/transcript.service.ts';
import { expireProgress, PROGRESS_DAYS } from '../features/campaigns/progress.service.ts';
import { wakeFollowers } from '../features/events/event.followers.ts';
import { expireEvents } from '../features/events/event.sequence.ts';
import { expireAnswers, RETENTION_DAYS } from '../features/idempotency/idempotency.service.ts';
import { LocalKeyLocks } from '../features/idempotency/key-locks.ts';
import { expireNotices, NOTICE_DAYS, noticeExpiringKeys } from '../features/notices/notice.service.ts';
import { startWebhooks } from '../features/webhooks/delivery.engine.ts';
import { expireAttempts, expireDeliveries } from '../features/webhooks/webhook.deletion.ts';
import { openEncryptor } from '../features/workspaces/secret-key.ts';
import { setUpWorkspace } from '../features/workspaces/setup.service.ts';
import { failureCounter } from '../http/pipeline/rate-limit.ts';
import { isSecure, localUrl } from '../http/pipeline/request-origin.ts';
import { newRequestId, sendError } from '../http/pipeline/response.ts';
import { readFolder } from '../http/pipeline/static-files.ts';
import {
  assertPortIsFree,
  createHttpServer,
  drain,
  type HttpServer,
  listen,
  stopListening,
} from '../http/server/server.ts';
import { startExpiry } from '../jobs/expiry.ts';
import { startRunner } from '../jobs/runner.ts';
import { unavailable } from '../lib/errors.ts';
import { commandLine, embeddedFiles, projectFile, workerScript } from '../lib/executable.ts';
import { type IsTrustedProxy, trustedProxyCheck } from '../lib/ip-address.ts';
import type { Log } from '../lib/log.ts';
import { RunCounters } from '../lib/run-counters.ts';
import { ServiceState } from '../lib/service-state.ts';
import { ThreadHealth } from '../lib/thread-health.ts';
import { version } from '../lib/version.ts';
import { expireChanges, expireEntries } from '../records/expiry.ts';
import { type ServingThreads, startServingThreads } from '../threads/threads.ts';
import { createApp } from './app.ts';
import { followers, registerContributions, serviceHandlers } from './handlers.ts';
import { loadTracing } from './load-tracing.ts';
import { createScrape } from './scrape.ts';

const START_WAIT_MS = 5_000;

/** The output of `npm run build`, or its copy in the single executable. */
const readDashboard = () => embeddedFiles('dashboard') ?? readFolder(projectFile('dashboard/dist'));

/** Starts the service. It listens first: if the port is in use, the start must fail without side effects, in particular
 *  without creating an API key that is never shown. Early requests wait for the start and receive 503 only if it takes
 *  long. */
export const startService = async (config: Config, log: Log, dashboard = readDashboard) => {
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
    threads: config.serveThreads,
  });
  const address = await listenFirst(http, config);
  try {
    const { port } = address;
    const { listener, ...service } = await openService(config, log, { files: dashboard(), http, port });
    answer = listener;
    ready.resolve(listener);
    return { url: localUrl({ host: address.address, port, tls: config.tls !== undefined }), ...service };
  } catch (error) {
    http.server.close();
    http.connections.closeAll();
    throw error;
  }
};

export type Service = Awaited<ReturnType<typeof startService>>;

/** Listens on the first thread. Other serving threads use the same port. */
const listenFirst = async ({ server }: HttpServer, config: Config): Promise<AddressInfo> => {
  const reusePort = config.serveThreads > 1;
  if (reusePort) await assertPortIsFree(config);
  try {
    return await listen(server, config, { reusePort });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTSUP') throw error;
    throw new ConfigError('This system cannot share a port between threads. Set SERVE_THREADS to 1.');
  }
};

const respondStarting =
  (isTrustedProxy: IsTrustedProxy): RequestListener =>
  (request, response) => {
    const context = { requestId: newRequestId(), isSecure: isSecure(request, isTrustedProxy), isLast: false };
    sendError(response, unavailable('The service is starting.'), context);
  };

/** Opens the storage, creates the workspace, and starts the background work and the serving threads. */
const openService = async (
  configured: Config,
  log: Log,
  { files, http, port }: { files: ReadonlyMap<string, Buffer>; http: HttpServer; port: number },
) => {
  const config = withThreadPools(configured);
  registerContributions();
  const state = new ServiceState();
  const outage = new Outage(log, state);
  const health = new ThreadHealth(log, () => state.outage !== undefined);
  const faults: FaultReports = {
    state,
    report: (fault) => outage.report(fault, async () => (await opening).probe()),
  };
  const onFault = backgroundFaults(faults, log);
  const tracing = await loadTracing(config, log);
  const tasks = new RunCounters('task', 'task', tracing?.runBackground);
  const opening = openStorage(config.database, {
    thread: workerScript('sqlite-thread', import.meta.url),
    onFault,
    log,
    outage,
    health,
    tasks,
  });
  const opened = await opening;
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
  const runner = startRunner(storage, serviceHandlers(encryptor, state.isStopping), log, {
    trace: tracing?.runBackground,
    watch: () => wakeFollowers(storage, followers),
  });
  const webhooks = startWebhooks({ storage, encryptor, config: config.webhooks, log, version });
  const expire = (name: string, days: number, ...steps: Parameters<typeof startExpiry>[0]['steps']) =>
    startExpiry({ storage, days, task: tasks.register(name), onFault, steps });
  const stopExpiring = [
    expire('audit_expiry', config.auditDays, expireEntries, expireChanges, expireRenderings, expireSessions),
    expire('event_expiry', config.eventDays, expireEvents, expireAttempts, expireDeliveries),
    expire('idempotency_expiry', RETENTION_DAYS, expireAnswers),
    expire('progress_expiry', PROGRESS_DAYS, expireProgress),
    // Each workspace has its own retention of transcripts.
    expire('call_expiry', OUTCOME_DAYS, expireOutcomes, expireTranscripts),
    expire('notices', NOTICE_DAYS, noticeExpiringKeys, expireNotices),
  ];
  const backups = startBackups(config, tasks, log);
  const countFailure = failureCounter(config.failureLimit);
  const keyLocks = new LocalKeyLocks();
  const scrape = createScrape({
    engine: config.database.engine,
    storage,
    state,
    parts: [outage, storage, runner, ...(backups ? [backups] : []), webhooks, health],
    threads: async () => [[...app.metrics(), ...http.metrics()], ...((await threads?.metrics()) ?? [])],
  });
  const app = createApp(config, {
    storage,
    encryptor,
    workspace: setup.workspace,
    runner,
    webhooks,
    countFailure,
    keyLocks,
    scrape,
    files,
    faults,
    log,
    tasks,
    tracing,
  });
  let backupStopped: Promise<void> | undefined;
  /** Makes /readyz answer 503, so that load balancers send no new connections, and interrupts a running backup. All other
   *  requests are served as before. */
  const announceStop = (): void => {
    state.announceStop();
    backupStopped ??= backups?.stop();
  };
  /** Stops listening, completes accepted requests, writes deferred data and closes the database. */
  const stop = async (): Promise<void> => {
    announceStop();
    // Before any response closes its connection: a client that connects again must not reach a thread that stops next.
    stopListening(http);
    await threads?.stopListening();
    state.stop();
    const webhooksStopped = webhooks.stop();
    await Promise.all([drain(http), threads?.drain()]);
    await threads?.close();
    await webhooksStopped;
    await backupStopped;
    await runner.stop();
    await Promise.all(stopExpiring.map((stop) => stop()));
    await app.close();
    outage.stopProbing();
    await storage.close();
    await tracing?.stop();
  };
  let threads: ServingThreads | undefined;
  const { backup: _, ...servingConfig } = config;
  if (config.serveThreads > 1) {
    threads = await startServingThreads({
      count: config.serveThreads - 1,
      script: workerScript('serving-thread', import.meta.url),
      data: {
        config: servingConfig,
        port,
        workspace: setup.workspace,
        files: shareFiles(files),
        state: state.cells,
        isLogPretty: log.isPretty,
        writerPulse: opened.writerPulse,
      },
      functions: {
        longRead: (name, principal, input) => storage.run(operationNamed(name), principal, input),
        consumeQuota: storage.consumeQuota,
        countFailure,
        scrape,
        sendWebhook: webhooks.send,
        post: webhooks.post,
        wakeJobs: runner.wake,
        reportFault: faults.report,
        log: log.append,
      },
      keyLocks,
      storage: opened,
      health,
      log,
    }).catch(async (error) => {
      await stop();
      throw error;
    });
  }
  /** Loads changed TLS files immediately instead of at the next check. */
  const reloadTls = async () => void (await Promise.all([http.reloadTls(), threads?.reloadTls()]));
  return { listener: app.listener, setup, reloadTls, announceStop, stop };
};

/** The serving threads share the connections to PostgreSQL. */
const withThreadPools = (config: Config): Config => {
  const { database, serveThreads } = config;
  if (database.engine !== 'postgres' || serveThreads === 1) return config;
  const share = Math.ceil((database.poolSize ?? DEFAULT_POOL_SIZE) / serveThreads);
  return { ...config, database: { ...database, poolSize: Math.max(MIN_POOL_SIZE, share) } };
};

/** The files in memory that all threads can read. */
const shareFiles = (files: ReadonlyMap<string, Buffer>): Map<string, Uint8Array<SharedArrayBuffer>> =>
  new Map(
    [...files].map(([path, bytes]) => {
      const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
      shared.set(bytes);
      return [path, shared];
    }),
  );

/** Undefined without a schedule. */
const startBackups = ({ backup }: Config, tasks: RunCounters, log: Log): Scheduler | undefined =>
  backup.schedule &&
  startScheduler({
    schedule: backup.schedule,
    command: commandLine(),
    findProblem: async () =>
      backup.database.engine === 'postgres' ? dumpProblem(backup.database.url) : undefined,
    task: tasks.register('backup'),
    log,
  });
