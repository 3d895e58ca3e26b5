import { MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openStorage } from '../db/open/open.ts';
import { backgroundFaults } from '../db/outage.ts';
import { openServing } from '../db/sqlite/storage.ts';
import type { GivePort, Storage } from '../db/storage.ts';
import { withTracing } from '../db/traced-storage.ts';
import { webhookRules } from '../features/webhooks/webhook.url.ts';
import { openEncryptor } from '../features/workspaces/secret-key.ts';
import { createHttpServer, drain, listen, stopListening } from '../http/server/server.ts';
import type { Fault } from '../lib/errors.ts';
import { trustedProxyCheck } from '../lib/ip-address.ts';
import { createLog } from '../lib/log.ts';
import { RunCounters } from '../lib/run-counters.ts';
import { ServiceState } from '../lib/service-state.ts';
import { type Pulse, startBeating } from '../lib/thread-health.ts';
import type { Tracing } from '../lib/tracing.ts';
import { Peer } from './peer.ts';
import type { CreateApp, ServiceFunctions, ServingThreadData } from './protocol.ts';

interface ServingThreadParts {
  readonly createApp: CreateApp;
  readonly loadTracing: (log: ReturnType<typeof createLog>) => Promise<Tracing | undefined>;
}

/** Runs an additional serving thread: it listens on the port of the service with its own connection to the database. */
export const runServingThread = async ({ createApp, loadTracing }: ServingThreadParts): Promise<void> => {
  const data = workerData as ServingThreadData;
  const { config, port, workspace, files, state: cells, isLogPretty } = data;
  startBeating(data.pulse);
  const parent = parentPort as MessagePort;
  const service = new Peer<ServiceFunctions>(parent, {
    metrics: () => [...storage.metrics(), ...app.metrics(), ...http.metrics()],
    reloadTls: () => http.reloadTls(),
    stopListening: () => stopListening(http),
    drain: () => drain(http),
    close: async () => {
      await app.close();
      await storage.close();
      await tracing?.stop();
      log.flush();
      // After the answer is sent.
      setImmediate(() => setImmediate(() => process.exit()));
    },
  });
  const ports: MessagePort[] = [];
  let acceptPort: GivePort = (port) => ports.push(port);
  parent.on('message', (message: MessagePort | never[]) => {
    if (message instanceof MessagePort) acceptPort(message);
    else service.receive(message);
  });
  const log = createLog({
    level: config.logLevel,
    pretty: isLogPretty,
    write: (text) => service.notify('log', text),
  });
  const faults = {
    state: new ServiceState(cells),
    report: (fault: Fault) => fault.isOutage && service.notify('reportFault', fault),
  };
  const onFault = backgroundFaults(faults, log);
  const tracing = await loadTracing(log);
  const tasks = new RunCounters('task', 'task', tracing?.runBackground);

  const open = async (): Promise<Storage> => {
    if (config.database.engine === 'postgres')
      return openStorage(config.database, { isFurther: true, onFault, log, tasks });
    return openServing({
      path: config.database.path,
      writerPulse: data.writerPulse as Pulse,
      onWriterPort: (use) => {
        acceptPort = use;
        for (const port of ports) use(port);
      },
      askLong: (operation, principal, input) =>
        service.call('longRead', operation.operationName, principal, input) as Promise<never>,
      consumeQuota: (...args) => service.call('consumeQuota', ...args),
    });
  };
  const opened = await open();
  const storage = tracing ? withTracing(opened, config.database.engine, tracing) : opened;
  const encryptor = await openEncryptor(storage, config.secretKeys, config.dataDir);
  const app = createApp(config, {
    storage,
    encryptor,
    workspace,
    runner: { wake: () => service.notify('wakeJobs') },
    webhooks: {
      rules: webhookRules(config.webhooks),
      send: (...attempt) => service.call('sendWebhook', ...attempt),
      post: (request) => service.call('post', request),
    },
    countFailure: (network) => service.call('countFailure', network),
    keyLocks: {
      tryLock: (name) => service.call('lockKey', name),
      unlock: (name) => service.call('unlockKey', name),
    },
    scrape: () => service.call('scrape'),
    files: new Map([...files].map(([path, bytes]) => [path, bufferOf(bytes)])),
    faults,
    log,
    tasks,
    tracing,
  });
  const http = createHttpServer({
    listener: app.listener,
    tls: config.tls,
    log,
    isTrustedProxy: trustedProxyCheck(config.trustProxy),
    threads: config.serveThreads,
  });
  await listen(http.server, { port, host: config.host }, { reusePort: true });
  service.notify('ready');
};

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array<SharedArrayBuffer>): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
