import { after, before, describe } from 'node:test';
import { type Config, readConfig } from '../../../src/config/config.ts';
import { readFolder } from '../../../src/http/pipeline/static-files.ts';
import { projectFile } from '../../../src/lib/executable.ts';
import { createLog } from '../../../src/lib/log.ts';
import { startService } from '../../../src/wiring/service.ts';
import { engines, type TestDatabase } from '../database/engines.ts';
import { lowerPasswordCost } from './password-cost.ts';

export const KEY = 'rk_test_0123456789abcdefghijklmnop';

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body
export type Json = any;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
  readonly text: string;
}

/** A running service on its own database, called over HTTP. */
export interface TestService {
  url: string;
  database: TestDatabase;
  /** Every logged line. */
  log: string[];
  /** Calls with the test's key and a JSON body; `options.headers` are added, `null` removes one. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Reply>;
  get(path: string, options?: CallOptions): Promise<Reply>;
  post(path: string, body: unknown, options?: CallOptions): Promise<Reply>;
  patch(path: string, body: unknown, options?: CallOptions): Promise<Reply>;
  delete(path: string, options?: CallOptions): Promise<Reply>;
  stop(): Promise<void>;
}

export interface CallOptions {
  readonly key?: string;
  readonly headers?: Record<string, string | null>;
  /** Sent without encoding, instead of a JSON body. */
  readonly raw?: string | Uint8Array;
}

/** The global of fetch's agent, which owns its connections. Node exports neither. */
const AGENT = Symbol.for('undici.globalDispatcher.2');

/** Closes the idle connections of fetch. A service that stops waits half a second for requests on open connections. */
const closeIdleConnections = (): void => {
  const globals = globalThis as unknown as Record<symbol, { close(): Promise<void> } | undefined>;
  const agent = globals[AGENT];
  if (!agent) return;
  const Agent = agent.constructor as new () => typeof agent;
  globals[AGENT] = new Agent();
  void agent.close();
};

/** The configuration of a test service. */
export const testConfig = ({ database }: TestDatabase, changes: Partial<Config> = {}): Config => ({
  port: 0,
  host: '127.0.0.1',
  serveThreads: Number(process.env.TEST_SERVE_THREADS ?? 1),
  database,
  dataDir: '',
  secretKeys: [Buffer.alloc(32, 1)],
  apiKey: KEY,
  admin: undefined,
  tls: undefined,
  drainMs: 0,
  logLevel: 'debug',
  logClientAddress: false,
  trustProxy: 0,
  rateLimit: undefined,
  // Tests fail on purpose, many of them from one address.
  failureLimit: { quota: 1_000_000, windowMs: 1_000 },
  auditDays: 365,
  importQuota: 4_096 * 1_048_576,
  // Receivers of webhooks listen on this machine.
  webhooks: { allowHttp: true, allowedNetworks: ['127.0.0.0/8'] },
  eventDays: 30,
  backup: readConfig({}).backup,
  moveTo: undefined,
  tracing: undefined,
  ...changes,
});

/** The parts of a response of fetch, with its JSON parsed. */
export const readReply = async (response: Response): Promise<Reply> => {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json;') && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
};

let dashboard: ReturnType<typeof readFolder> | undefined;

/** The files of the dashboard, read once per process: that takes 50 ms. */
const readDashboard = () => {
  dashboard ??= readFolder(projectFile('dashboard/dist'));
  return dashboard;
};

export const startTestService = async (
  database: TestDatabase,
  changes: Partial<Config> = {},
): Promise<TestService> => {
  lowerPasswordCost();
  const lines: string[] = [];
  const log = createLog({ level: 'debug', pretty: false, write: (text) => lines.push(text) });
  const service = await startService(testConfig(database, changes), log, readDashboard);
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    options: CallOptions = {},
  ): Promise<Reply> => {
    const headers: Record<string, string | null> = {
      authorization: `Bearer ${options.key ?? KEY}`,
      ...((body !== undefined || options.raw !== undefined) && { 'content-type': 'application/json' }),
      ...options.headers,
    };
    const sent = Object.entries(headers).filter((header): header is [string, string] => header[1] !== null);
    const payload = options.raw ?? (body === undefined ? null : JSON.stringify(body));
    const response = await fetch(service.url + path, {
      method,
      headers: sent,
      body: payload as string | null,
      redirect: 'manual',
    });
    return readReply(response);
  };
  return {
    url: service.url,
    database,
    log: lines,
    call,
    get: (path, options) => call('GET', path, undefined, options),
    post: (path, body, options) => call('POST', path, body, options),
    patch: (path, body, options) => call('PATCH', path, body, options),
    delete: (path, options) => call('DELETE', path, undefined, options),
    stop: () => {
      closeIdleConnections();
      return service.stop();
    },
  };
};

const onEngine = (
  title: string,
  name: keyof typeof engines,
  suite: (service: TestService) => void,
  changes: Partial<Config> = {},
): void => {
  describe(`${title} on ${name}`, () => {
    const service = {} as TestService;
    before(async () => {
      Object.assign(service, await startTestService(await engines[name](), changes));
    });
    after(async () => {
      await service.stop?.();
      await service.database?.drop();
    });
    suite(service);
  });
};

/** Runs a suite over HTTP on every engine, each with a new database. The service is complete when the tests run. */
export const onEveryEngine = (
  title: string,
  suite: (service: TestService) => void,
  changes: Partial<Config> = {},
): void => {
  for (const name of Object.keys(engines) as (keyof typeof engines)[]) onEngine(title, name, suite, changes);
};

/** The same on SQLite alone, for behavior that does not depend on the engine: headers, parsing, access rules. */
export const onSqlite = (
  title: string,
  suite: (service: TestService) => void,
  changes: Partial<Config> = {},
): void => onEngine(title, 'sqlite', suite, changes);
