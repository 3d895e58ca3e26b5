import { existsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { variables } from '../config/config.ts';
import { fileVariables, readVariable } from '../config/secret-variables.ts';
import { version } from '../lib/version.ts';
import { type Command, type ParsedArgs, UsageError } from './command.ts';
import { diagnose } from './doctor/doctor.ts';
import { get } from './health.ts';
import { serviceUrl } from './link.ts';
import { printText } from './output.ts';

/** Settings that are no secrets and name no person, host or path. Of all others, the bundle only says that they are set. */
const SHOWN: ReadonlySet<string> = new Set<keyof typeof variables>([
  'PORT',
  'SERVE_THREADS',
  'DATABASE_POOL_SIZE',
  'DRAIN_SECONDS',
  'LOG_LEVEL',
  'AUDIT_DAYS',
  'EVENT_DAYS',
  'LOG_CLIENT_ADDRESS',
  'RATE_LIMIT',
  'FAILURE_LIMIT',
  'WEBHOOK_ALLOW_HTTP',
  'BACKUP_SCHEDULE',
  'BACKUP_KEEP',
  'BACKUP_KEEP_DAYS',
]);

const settings = (): Record<string, string> =>
  Object.fromEntries(
    [...Object.keys(variables), ...fileVariables].flatMap((name) => {
      const value = process.env[name];
      return value ? [[name, SHOWN.has(name) ? value : '(set)']] : [];
    }),
  );

/** The passwords in a URL, and its parts that name a server, a user or a database. */
const partsOf = (value: string): string[] => {
  const [, user = '', password = '', hosts = '', path = ''] =
    /^\w+:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/?]*)\/?([^?]*)/.exec(value) ?? [];
  return [
    password,
    user,
    ...hosts.split(','),
    ...hosts.split(',').map((host) => host.split(':')[0] ?? ''),
    path,
  ];
};

/** The checks report a file that cannot be read. */
const readValue = (name: string): string | undefined => {
  try {
    return readVariable(process.env, name);
  } catch {
    return undefined;
  }
};

const MIN_LENGTH = 4;
/** Values that reveal nothing and occur in many places. */
const COMMON = new Set(['true', 'false', 'roster', 'postgres', 'localhost', '127.0.0.1', '0.0.0.0']);

/** Replaces values of variables that are not shown, and folders whose names may be those of people, wherever a message has them. */
const redact = (text: string): string => {
  const hidden = [...Object.keys(variables), ...fileVariables]
    .filter((name) => !SHOWN.has(name))
    .flatMap((name) => {
      const value = readValue(name);
      // Messages name a folder by its absolute path.
      return value ? [value, resolve(value), ...partsOf(value)] : [];
    })
    .concat(process.cwd(), homedir())
    .filter((value) => value.length >= MIN_LENGTH && !COMMON.has(value))
    .sort((one, other) => other.length - one.length);
  return hidden.reduce(
    (rest, value) => rest.replaceAll(JSON.stringify(value).slice(1, -1), '(redacted)'),
    text,
  );
};

/** Undefined if no service answers. */
const readMetrics = async (): Promise<string[] | undefined> => {
  try {
    const { status, body } = await get(`${serviceUrl()}/metrics`);
    return status === 200 ? body.split('\n').filter((line) => /^roster_|^process_/.test(line)) : undefined;
  } catch {
    return undefined;
  }
};

const writeBundle = async ({ operands: [file] }: ParsedArgs): Promise<void> => {
  if (file !== undefined && existsSync(file))
    throw new UsageError(`${file} already exists. Choose another name.`);
  const bundle = {
    created_at: new Date().toISOString(),
    roster: version,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    settings: settings(),
    checks: await Array.fromAsync(diagnose()),
    metrics: (await readMetrics()) ?? null,
  };
  const text = `${redact(JSON.stringify(bundle, null, 2))}\n`;
  if (file === undefined) return printText(text);
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  printText(`Wrote ${file}. Read it before you send it.\n`);
};

export const supportBundleCommand: Command = {
  forms: {
    'roster support-bundle [FILE]': [
      'Writes what support needs to a JSON file or to the output: versions, settings, the checks of doctor, and metrics. It contains no secrets, no records and no names of users.',
      writeBundle,
    ],
  },
};
