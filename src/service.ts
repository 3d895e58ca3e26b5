import type { RequestListener } from 'node:http';
import { extname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from './config.ts';
import { openStorage } from './db/open.ts';
import { keepExpiring } from './features/audit/audit.expiry.ts';
import { createKeyAccess } from './features/workspaces/key.access.ts';
import { openSealer } from './features/workspaces/secret-key.ts';
import { type SetUp, setUp } from './features/workspaces/setup.service.ts';
import { jobSteps, registerEventHandlers } from './handlers.ts';
import { loadDashboardFiles } from './http/pipeline/dashboard-files.ts';
import { errorResponse, newRequestId } from './http/pipeline/exchange.ts';
import { localUrl } from './http/pipeline/request-origin.ts';
import { createHttpServer, drain, listen } from './http/server/server.ts';
import { startRunner } from './jobs/runner.ts';
import { unavailable } from './lib/errors.ts';
import { trustedProxyCheck } from './lib/ip-address.ts';
import { describeError, type Log } from './lib/log.ts';
import { createApp } from './routes.ts';

export interface Service {
  readonly url: string;
  readonly setUp: SetUp;
  /** Answers what was accepted, writes what is held back, and lets go of the database. */
  stop(): Promise<void>;
}

const PATIENCE_MS = 5_000;

/** Where `npm run build` puts the dashboard. */
const DASHBOARD = fileURLToPath(new URL('../dashboard/dist', import.meta.url));

/** The script of a database thread, which lies beside this one: as a source, or as it was built (see built.js). */
const THREAD = new URL(`./sqlite-thread${extname(import.meta.url)}`, import.meta.url);

/** Starts the whole service. The port is taken first: a start that cannot have it must leave nothing behind, least of all
 *  a key that nobody has seen. Requests that come before all is ready wait for it, and are told to come again only where
 *  that takes long. */
export const startService = async (config: Config, log: Log, dashboard = DASHBOARD): Promise<Service> => {
  const ready = Promise.withResolvers<RequestListener>();
  let answer: RequestListener = (request, response) => {
    const late = pause(PATIENCE_MS, notYet, { ref: false });
    Promise.race([ready.promise, late]).then((listener) => listener(request, response));
  };
  const http = createHttpServer({
    listener: (request, response) => answer(request, response),
    tls: config.tls,
    isTrustedProxy: trustedProxyCheck(config.trustProxy),
  });
  const address = await listen(http.server, config.port, config.host);
  try {
    const { listener, made, stop } = await openService(config, log, dashboard);
    answer = listener;
    ready.resolve(listener);
    return {
      url: localUrl({ host: address.address, port: address.port, tls: config.tls !== undefined }),
      setUp: made,
      stop: () => stop(() => drain(http)),
    };
  } catch (error) {
    http.server.close();
    http.connections.closeAll();
    throw error;
  }
};

const notYet: RequestListener = (_, response) => {
  const requestId = newRequestId();
  const { status, body, headers } = errorResponse(unavailable('The service is starting.'), requestId);
  const type = { 'Content-Type': 'application/json; charset=utf-8', 'X-Request-Id': requestId };
  response.writeHead(status, { ...headers, ...type, 'Content-Length': Buffer.byteLength(body) }).end(body);
};

/** Storage, workspace and application. */
const openService = async (config: Config, log: Log, dashboard: string) => {
  registerEventHandlers();
  const pages = loadDashboardFiles(dashboard);
  const onFault = (error: unknown) => log.error('database fault', describeError(error));
  const storage = await openStorage(config.database, {
    thread: THREAD,
    onFault,
  });
  const sealer = await openSealer(storage, config.secretKeys, config.dataDir).catch(async (error) => {
    await storage.close();
    throw error;
  });
  // Last of what can fail: it makes secrets that are shown once.
  const made = await setUp(storage, { withKey: config.apiKey === undefined, admin: config.admin, log });
  const configured =
    config.apiKey === undefined ? undefined : { key: config.apiKey, workspace: made.workspace };
  const keys = createKeyAccess(storage, configured, onFault, config.rateLimit);
  const runner = startRunner(storage, jobSteps, log);
  const stopExpiring = keepExpiring(storage, config.auditDays, onFault);
  let stopping = false;
  const listener = createApp({
    storage,
    keys,
    sealer,
    runner,
    log,
    pages,
    trustProxy: config.trustProxy,
    logClientAddress: config.logClientAddress,
    failureLimit: config.failureLimit,
    isStopping: () => stopping,
  });
  const stop = async (drained: () => Promise<void>): Promise<void> => {
    stopping = true;
    await drained();
    await runner.stop();
    await stopExpiring();
    await keys.close();
    await storage.close();
  };
  return { listener, made, stop };
};
