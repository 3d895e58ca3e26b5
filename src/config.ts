import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Database } from './db/database.ts';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from './features/workspaces/password.ts';
import { parseTrustedProxies, type TrustedProxies } from './lib/ip-address.ts';
import { type LogLevel, logLevels } from './lib/log.ts';
import { parseRate, RATE_FORM, type Rate } from './lib/rate-limit.ts';

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly database: Database;
  /** Where files lie that are not the database's. */
  readonly dataDir: string;
  /** What secrets are sealed with, newest first; where none is configured, a file in the data folder has them. */
  readonly secretKeys: readonly Buffer[] | undefined;
  readonly apiKey: string | undefined;
  readonly admin: { readonly email: string; readonly password: string } | undefined;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly logLevel: LogLevel;
  /** Whether each request is logged with the address of the client. */
  readonly logClientAddress: boolean;
  readonly trustProxy: TrustedProxies;
  /** That of every key without one of its own. */
  readonly rateLimit: Rate | undefined;
  /** How many wrong credentials an address may send. */
  readonly failureLimit: Rate;
  /** For how many days it is kept who did what; 0 for ever. */
  readonly auditDays: number;
}

/** Every variable that Roster reads, as `roster --help` lists them. */
export const variables = {
  PORT: 'the port to listen on (3000)',
  HOST: 'the address to listen on (127.0.0.1)',
  DATABASE_URL: 'sqlite:path, or postgres://user:password@host/database (a file in the data folder)',
  ROSTER_DATA_DIR: 'the folder for the data (./data)',
  ROSTER_SECRET_KEY:
    '32 bytes in base64 that seal the secrets of channels; several, newest first, with commas (secret.key in the data folder)',
  ROSTER_API_KEY: 'an API key to accept for the workspace "default", for scripts and tests',
  ROSTER_ADMIN_EMAIL: 'the email of an owner who can sign in to the dashboard',
  ROSTER_ADMIN_PASSWORD: `the password of that owner, ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters, set at every start`,
  TLS_CERT: 'a file with a certificate chain in PEM form: serve HTTPS',
  TLS_KEY: 'the file with its private key',
  LOG_LEVEL: `${logLevels.join(', ')} (info)`,
  AUDIT_DAYS: 'for how many days it is kept who changed what; 0 for ever (365)',
  LOG_CLIENT_ADDRESS: 'true to log the address of the client with each request (false)',
  TRUST_PROXY:
    'how many proxies in front set X-Request-Id and X-Forwarded-For, -Proto and -Host, or their networks; true is 1 (false)',
  RATE_LIMIT: 'how many requests a key may send, such as 600/1m; units are s, m and h (no limit)',
  FAILURE_LIMIT: 'how many wrong credentials an address may send before it is answered 429 (60/1m)',
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** What is wrong with the configuration, in one sentence for the person who starts the service. */
export class ConfigError extends Error {}

/** Reads the configuration from the environment. An empty variable counts as absent. */
export const readConfig = (environment: Environment): Config => {
  const read = (name: keyof typeof variables) => environment[name] || undefined;
  const dataDir = resolve(read('ROSTER_DATA_DIR') ?? './data');
  return Object.freeze({
    port: readPort(read('PORT')),
    host: read('HOST') ?? '127.0.0.1',
    database: readDatabase(read('DATABASE_URL'), dataDir),
    dataDir,
    secretKeys: readSecretKeys(read('ROSTER_SECRET_KEY')),
    apiKey: readKey(read('ROSTER_API_KEY')),
    admin: readAdmin(read('ROSTER_ADMIN_EMAIL'), read('ROSTER_ADMIN_PASSWORD')),
    tls: readTls(read('TLS_CERT'), read('TLS_KEY')),
    logLevel: readLogLevel(read('LOG_LEVEL')),
    logClientAddress: readFlag('LOG_CLIENT_ADDRESS', read('LOG_CLIENT_ADDRESS')),
    trustProxy: readProxies(read('TRUST_PROXY')),
    rateLimit: readLimit('RATE_LIMIT', read('RATE_LIMIT'), undefined),
    failureLimit: readLimit('FAILURE_LIMIT', read('FAILURE_LIMIT'), { quota: 60, windowMs: 60_000 }),
    auditDays: readDays(read('AUDIT_DAYS')),
  });
};

const readPort = (text = '3000'): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port >= 0 && port <= 65_535) return port;
  throw new ConfigError(`PORT must be a number from 0 to 65535, not ${text}.`);
};

const readDatabase = (url: string | undefined, folder: string): Database => {
  if (url === undefined) return { engine: 'sqlite', path: join(folder, 'roster.db') };
  if (/^postgres(ql)?:\/\//.test(url)) {
    if (URL.canParse(url)) return { engine: 'postgres', url };
    throw new ConfigError('DATABASE_URL must look like postgres://user:password@host:5432/database.');
  }
  const path = /^sqlite:(?:\/\/(?!$)|(?!\/\/))(.+)$/.exec(url)?.[1];
  if (path) return { engine: 'sqlite', path: resolve(path) };
  throw new ConfigError('DATABASE_URL must begin with postgres:// or be sqlite: and the path of a file.');
};

const readKey = (key: string | undefined) => {
  if (key === undefined || /^[\x21-\x7e]{16,200}$/.test(key)) return key;
  throw new ConfigError('ROSTER_API_KEY must have 16 to 200 characters without spaces.');
};

const readSecretKeys = (text: string | undefined) => {
  const keys = text?.split(',').map((each) => Buffer.from(each, 'base64'));
  if (keys === undefined || keys.every(({ length }) => length === 32)) return keys;
  throw new ConfigError(
    'ROSTER_SECRET_KEY must be 32 bytes in base64, as `openssl rand -base64 32` makes them. Write commas between several, newest first.',
  );
};

const readAdmin = (email: string | undefined, password: string | undefined) => {
  if (email === undefined && password === undefined) return undefined;
  if (email === undefined || password === undefined) {
    throw new ConfigError('ROSTER_ADMIN_EMAIL and ROSTER_ADMIN_PASSWORD must be set together.');
  }
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new ConfigError('ROSTER_ADMIN_EMAIL must be an email address.');
  if (password.length < SHORTEST_PASSWORD || password.length > LONGEST_PASSWORD) {
    throw new ConfigError(
      `ROSTER_ADMIN_PASSWORD must have ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters.`,
    );
  }
  return { email, password };
};

const readTls = (cert: string | undefined, key: string | undefined) => {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new ConfigError('TLS_CERT and TLS_KEY must be set together.');
  const read = (name: string, file: string) => {
    try {
      return readFileSync(file);
    } catch {
      throw new ConfigError(`${name} names a file that cannot be read: ${file}.`);
    }
  };
  const pair = { cert: read('TLS_CERT', cert), key: read('TLS_KEY', key) };
  try {
    createSecureContext(pair);
  } catch {
    throw new ConfigError(
      'TLS_CERT and TLS_KEY must name a certificate and its own private key, both in PEM form.',
    );
  }
  return { cert, key };
};

const readLogLevel = (text = 'info'): LogLevel => {
  const level = logLevels.find((each) => each === text);
  if (level) return level;
  throw new ConfigError(`LOG_LEVEL must be one of ${logLevels.join(', ')}, not ${text}.`);
};

const readDays = (text = '365'): number => {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new ConfigError(`AUDIT_DAYS must be a number of days from 0 to 99999, not ${text}.`);
};

const readProxies = (text = 'false'): TrustedProxies => {
  const proxies = parseTrustedProxies(text);
  if (proxies !== undefined) return proxies;
  throw new ConfigError(
    `TRUST_PROXY must be true, false, a number of proxies from 0 to 16, or a list of addresses and networks such as 10.0.0.0/8,2001:db8::/32, not ${text}.`,
  );
};

const readFlag = (name: string, text = 'false'): boolean => {
  if (/^(true|1|yes|on)$/i.test(text)) return true;
  if (/^(false|0|no|off)$/i.test(text)) return false;
  throw new ConfigError(`${name} must be true or false, not ${text}.`);
};

const readLimit = <T>(name: string, text: string | undefined, absent: T): Rate | T => {
  const rate = text === undefined ? absent : parseRate(text);
  if (rate || text === undefined) return rate as Rate | T;
  throw new ConfigError(`${name} ${RATE_FORM}, not ${text}.`);
};
