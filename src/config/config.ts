import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { backupVariables, readBackupConfig } from '../backups/config.ts';
import type { WebhookConfig } from '../features/webhooks/delivery.engine.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../features/workspaces/password.ts';
import { ConfigError, readNumber } from '../lib/config-error.ts';
import { parseNetworks, parseTrustedProxies } from '../lib/ip-address.ts';
import { type LogLevel, logLevels } from '../lib/log.ts';
import { parseRate, RATE_FORM } from '../lib/rate-limit.ts';
import { databaseVariables, readBackupDatabase, readDatabase } from './database.ts';
import { readNamedFile, readVariable } from './secret-variables.ts';
import { defaultThreads, MAX_THREADS } from './serve-threads.ts';
import { readTracing } from './tracing.ts';

/** Every environment variable and its description in `roster --help`. */
export const variables = {
  PORT: 'Port to listen on. Default: 3000.',
  HOST: 'Address to listen on. Default: 127.0.0.1.',
  SERVE_THREADS: `Threads that serve requests, 1 to ${MAX_THREADS}. Default: one per core, but one.`,
  ...databaseVariables,
  ROSTER_DATA_DIR: 'Data folder. Default: ./data.',
  ROSTER_SECRET_KEY:
    'Keys that encrypt channel secrets: 32 bytes in base64, newest first, separated by commas. Default: secret.key in the data folder.',
  ROSTER_API_KEY: 'Additional API key for the workspace "default", for scripts and tests.',
  ROSTER_URL:
    'URL of the service that commands with --url connect to. Default: HOST and PORT of this machine.',
  ROSTER_KEY: 'API key that commands with --url send.',
  ROSTER_ADMIN_EMAIL: 'Email of an owner of the workspace "default".',
  ROSTER_ADMIN_PASSWORD: `Password of that owner, ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters. It is set at every start.`,
  TLS_CERT: 'PEM file with the certificate chain. Enables HTTPS.',
  TLS_KEY: 'PEM file with the private key of the certificate.',
  DRAIN_SECONDS:
    'Seconds on SIGTERM during which /readyz answers 503 and requests are still served, 0 to 300. Default: 5.',
  LOG_LEVEL: `Log level: ${logLevels.join(', ')}. Default: info.`,
  AUDIT_DAYS: 'Audit retention in days; 0 keeps entries forever. Default: 365.',
  EVENT_DAYS: 'Event retention in days; 0 keeps events forever. Default: 30.',
  IMPORT_STORAGE_MB:
    "MiB that the rows of a workspace's imports may take; they are stored for 30 days. Default: 4096.",
  LOG_CLIENT_ADDRESS: "Whether to log the client's address with each request: true or false. Default: false.",
  TRUST_PROXY:
    'Number of reverse proxies, or their networks, whose X-Request-Id and X-Forwarded-* headers are trusted; true means 1. Default: false.',
  RATE_LIMIT:
    'Requests per interval for each API key, such as 600/1m; units are s, m and h. Default: no limit.',
  FAILURE_LIMIT:
    'Failed authentications per address before additional requests receive status 429. Default: 60/1m.',
  WEBHOOK_ALLOWED_NETWORKS:
    'Private networks that webhooks may be sent to, such as 10.0.0.0/8, separated by commas. Default: none.',
  WEBHOOK_ALLOW_HTTP: 'Whether webhooks may be sent over http: true or false. Default: false.',
  WEBHOOK_SECRET: 'Secret that webhooks listen signs with. Default: a new one for each run.',
  ...backupVariables,
  OTEL_EXPORTER_OTLP_ENDPOINT:
    'URL of an OpenTelemetry receiver for traces, such as http://127.0.0.1:4318. Default: no traces.',
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

export { ConfigError };

/** Reads the configuration from the environment. An empty variable counts as absent. */
export const readConfig = (environment: Environment) => {
  const read = (name: keyof typeof variables) => readVariable(environment, name);
  const number = (name: keyof typeof variables, from: number, to: number) =>
    readNumber(name, read(name), { from, to });
  /** Undefined if the variable is absent. `form` says what it must be. */
  const parsed = <T>(name: keyof typeof variables, parse: (text: string) => T | undefined, form: string) => {
    const text = read(name);
    const value = text === undefined ? undefined : parse(text);
    if (text === undefined || value !== undefined) return value;
    throw new ConfigError(`${name} ${form}, not ${text}.`);
  };
  const flag = (name: keyof typeof variables) => parsed(name, parseFlag, 'must be true or false') ?? false;
  const dataDir = resolve(read('ROSTER_DATA_DIR') ?? './data');
  const database = readDatabase(read, dataDir);
  return Object.freeze({
    port: number('PORT', 0, 65_535) ?? 3_000,
    host: read('HOST') ?? '127.0.0.1',
    serveThreads: number('SERVE_THREADS', 1, MAX_THREADS) ?? defaultThreads(database),
    database,
    /** The folder for all files except a database with its own path. */
    dataDir,
    /** The keys that encrypt secrets, newest first. If undefined, they are read from a file in the data folder. */
    secretKeys: readSecretKeys(read('ROSTER_SECRET_KEY')),
    apiKey: readKey(read('ROSTER_API_KEY')),
    admin: readAdmin(read('ROSTER_ADMIN_EMAIL'), read('ROSTER_ADMIN_PASSWORD')),
    tls: readTls(read('TLS_CERT'), read('TLS_KEY')),
    /** How long /readyz answers 503 on SIGTERM before the listener closes. */
    drainMs: parsed('DRAIN_SECONDS', parseDrain, 'must be a number from 0 to 300, such as 5 or 0.5') ?? 5_000,
    logLevel: parsed('LOG_LEVEL', parseLogLevel, `must be one of ${logLevels.join(', ')}`) ?? 'info',
    logClientAddress: flag('LOG_CLIENT_ADDRESS'),
    trustProxy: parsed('TRUST_PROXY', parseTrustedProxies, PROXIES) ?? 0,
    /** The rate limit of keys that do not have their own. */
    rateLimit: parsed('RATE_LIMIT', parseRate, RATE_FORM),
    /** The rate limit of failed authentications per address. */
    failureLimit: parsed('FAILURE_LIMIT', parseRate, RATE_FORM) ?? { quota: 60, windowMs: 60_000 },
    webhooks: {
      allowHttp: flag('WEBHOOK_ALLOW_HTTP'),
      allowedNetworks: parsed('WEBHOOK_ALLOWED_NETWORKS', parseNetworks, NETWORKS) ?? [],
    } as WebhookConfig,
    /** How many bytes the rows of a workspace's imports may take. */
    importQuota: (number('IMPORT_STORAGE_MB', 1, 99_999_999) ?? 4_096) * 1_048_576,
    auditDays: number('AUDIT_DAYS', 0, 99_999) ?? 365,
    eventDays: number('EVENT_DAYS', 0, 99_999) ?? 30,
    backup: readBackupConfig(read, readBackupDatabase(read('BACKUP_DATABASE_URL'), database)),
    /** The URL of the database that a move fills. Only a move checks it. */
    moveTo: read('MOVE_TO_DATABASE_URL'),
    tracing: readTracing((name) => environment[name] || undefined),
  });
};

export type Config = ReturnType<typeof readConfig>;

const readKey = (key: string | undefined) => {
  if (key === undefined || /^[\x21-\x7e]{16,200}$/.test(key)) return key;
  throw new ConfigError('ROSTER_API_KEY must have 16 to 200 characters without spaces.');
};

const readSecretKeys = (text: string | undefined): readonly Buffer[] | undefined => {
  const keys = text?.split(',').map((each) => Buffer.from(each, 'base64'));
  if (keys === undefined || keys.every(({ length }) => length === 32)) return keys;
  throw new ConfigError(
    'ROSTER_SECRET_KEY must be 32 bytes in base64, as printed by `openssl rand -base64 32`. Separate several keys with commas, newest first.',
  );
};

const readAdmin = (email: string | undefined, password: string | undefined) => {
  if (email === undefined && password === undefined) return undefined;
  if (email === undefined || password === undefined) {
    throw new ConfigError('ROSTER_ADMIN_EMAIL and ROSTER_ADMIN_PASSWORD must be set together.');
  }
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new ConfigError('ROSTER_ADMIN_EMAIL must be an email address.');
  if (password.length < MIN_PASSWORD_LENGTH || password.length > MAX_PASSWORD_LENGTH) {
    throw new ConfigError(
      `ROSTER_ADMIN_PASSWORD must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`,
    );
  }
  return { email, password };
};

const readTls = (cert: string | undefined, key: string | undefined) => {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new ConfigError('TLS_CERT and TLS_KEY must be set together.');
  const pair = { cert: readNamedFile('TLS_CERT', cert), key: readNamedFile('TLS_KEY', key) };
  try {
    createSecureContext(pair);
  } catch {
    throw new ConfigError(
      'TLS_CERT and TLS_KEY must be a certificate and its private key, both in PEM format.',
    );
  }
  return { cert, key };
};

const parseDrain = (text: string): number | undefined =>
  /^\d{1,3}(\.\d{1,3})?$/.test(text) && Number(text) <= 300 ? Number(text) * 1_000 : undefined;

const parseLogLevel = (text: string): LogLevel | undefined => logLevels.find((each) => each === text);

const PROXIES =
  'must be true, false, a number of proxies from 0 to 16, or a list of addresses and networks such as 10.0.0.0/8,2001:db8::/32';
const NETWORKS = 'must be addresses and networks separated by commas, such as 10.0.0.0/8,fd00::/8';

const parseFlag = (text: string): boolean | undefined => {
  if (/^(true|1|yes|on)$/i.test(text)) return true;
  return /^(false|0|no|off)$/i.test(text) ? false : undefined;
};
