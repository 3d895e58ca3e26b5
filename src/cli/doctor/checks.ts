import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { listBackups, separateFuture } from '../../backups/backup-store.ts';
import { BackupError } from '../../backups/object-store.ts';
import { openStore } from '../../backups/open-store.ts';
import { describeTarget } from '../../backups/target.ts';
import { type Config, variables } from '../../config/config.ts';
import { fileVariables } from '../../config/secret-variables.ts';
import { dumpProblem } from '../../db/postgres/client-tools.ts';
import { openExclusively } from '../../db/sqlite/exclusive-lock.ts';
import { editsBetween, MAX_EDITS } from '../../features/agents/placeholders.ts';
import { type Diagnosis, type Fault, formatBytes, judge, problem } from '../../lib/diagnosis.ts';
import { shellQuote } from '../command.ts';
import { checkHealth } from '../health.ts';

type Check = (config: Config) => Diagnosis | Promise<Diagnosis | undefined> | undefined;

const KNOWN = new Set([...Object.keys(variables), ...fileVariables]);
/** Shorter names, such as PORT, and those of other programs resemble many that are not meant for Roster. */
const TYPO_OF = [...KNOWN].filter((name) => name.length >= 9 && !/^(?:AWS|OTEL)_/.test(name));
/** Kubernetes sets these in every container, next to a service with the name roster. */
const OF_KUBERNETES = /^ROSTER_(?:SERVICE_(?:HOST|PORT)|PORT(?:_|$))/;

const isMisspelled = (name: string): boolean =>
  (name.startsWith('ROSTER_') && !OF_KUBERNETES.test(name)) ||
  TYPO_OF.some((known) => editsBetween(name.toUpperCase(), known) <= MAX_EDITS);

/** Variables that look like ours but are not read. */
const checkVariables: Check = () => {
  const unknown = Object.keys(process.env).filter((name) => !KNOWN.has(name) && isMisspelled(name));
  return judge(
    'Configuration',
    'Every variable is valid.',
    unknown.length > 0 && [
      'warning',
      `Roster does not read ${unknown.join(', ')}.`,
      'Correct the name; roster --help lists all variables.',
    ],
  );
};

const LOOPBACK = /^(?:127\.|::1$|localhost$)/;

const checkNetwork: Check = ({ host, tls, trustProxy }) => {
  const isPublic = !LOOPBACK.test(host);
  if (tls) return undefined;
  return judge(
    'Network',
    isPublic ? `${host}, behind a proxy.` : `Only this machine can connect (${host}).`,
    isPublic &&
      !trustProxy && [
        'warning',
        `The service listens on ${host} without TLS, so API keys can be read on the way.`,
        'Set TLS_CERT and TLS_KEY, or use a proxy with TLS and set TRUST_PROXY.',
      ],
  );
};

const MIN_VALID_DAYS = 14;

const checkCertificate: Check = ({ tls }) => {
  if (!tls) return undefined;
  const { validToDate } = new X509Certificate(readFileSync(tls.cert));
  const days = Math.floor((validToDate.getTime() - Date.now()) / 86_400_000);
  const fix = 'Renew the certificate. The service reads the new files without a restart.';
  const text = `${tls.cert} is valid for ${days} more days.`;
  return judge(
    'Certificate',
    text,
    days < 0 && ['problem', `${tls.cert} expired on ${validToDate.toISOString()}.`, fix],
    days < MIN_VALID_DAYS && ['warning', text, fix],
  );
};

const sqliteFile = ({ database }: Config): string | undefined =>
  database.engine === 'sqlite' ? database.path : undefined;

const wantedFolder = (config: Config): string => {
  const file = sqliteFile(config);
  return file === undefined ? config.dataDir : dirname(file);
};

/** The closest folder that exists; a start creates the missing ones. */
const existingFolder = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : existingFolder(dirname(folder));

/** Files with personal data or keys that other users may read. */
const checkPermissions: Check = (config) => {
  const file = sqliteFile(config);
  const paths = [
    wantedFolder(config),
    join(config.dataDir, 'secret.key'),
    ...(file ? [file, `${file}-wal`] : []),
  ];
  const open = paths.filter((path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0);
  return judge(
    'Permissions',
    'Only this user can read the data.',
    open.length > 0 && [
      'warning',
      `Other users of this machine may read ${open.join(', ')}.`,
      `Run: chmod go= ${open.map(shellQuote).join(' ')}`,
    ],
  );
};

const MIN_FREE_BYTES = 200_000_000;

const checkFreeSpace: Check = (config) => {
  const folder = existingFolder(wantedFolder(config));
  const { bavail, bsize } = statfsSync(folder);
  const text = `${formatBytes(bavail * bsize)} in ${folder}.`;
  const isFull = bavail * bsize < MIN_FREE_BYTES;
  return judge('Free space', text, isFull && ['problem', text, 'Free some space or enlarge the disk.']);
};

const MEMORY = ['warning', 'is in memory: everything is lost at a restart'] as const;
const NETWORK = ['problem', 'is on a network file system, where SQLite can damage its files'] as const;

/** File systems that do not fit, by the number that statfs returns. */
const FILE_SYSTEMS: Readonly<Record<number, readonly ['warning' | 'problem', string]>> = {
  16914836: MEMORY,
  2240043254: MEMORY,
  2035054128: [
    'warning',
    'is in the writable layer of a container: everything is lost when the container is removed',
  ],
  26985: NETWORK,
  20859: NETWORK,
  4283649346: NETWORK,
  4266872130: NETWORK,
};

const checkFileSystem: Check = (config) => {
  if (!sqliteFile(config)) return undefined;
  const folder = existingFolder(wantedFolder(config));
  const found = FILE_SYSTEMS[statfsSync(folder).type >>> 0];
  return judge(
    'File system',
    `${folder} is on a local disk.`,
    found && [
      found[0],
      `${folder} ${found[1]}.`,
      'Set ROSTER_DATA_DIR to a folder on a local disk, or mount a volume there.',
    ],
  );
};

/** Checks the target of scheduled backups and its newest one, and the tools of PostgreSQL. */
const checkBackups: Check = async ({ backup: { schedule, to, s3, database } }) => {
  if (!schedule || !to) return undefined;
  const isPostgres = database.engine === 'postgres';
  const missing = isPostgres ? await dumpProblem(database.url).catch(() => undefined) : undefined;
  if (missing) {
    const [reason = '', ...fix] = missing.split('. ');
    return problem('Backups', `${reason}.`, fix.join('. '));
  }
  const where = describeTarget(to);
  try {
    const backups = await listBackups(await openStore(to, s3, () => () => {}));
    const [newest] = separateFuture(backups, Date.now()).current;
    const due = schedule.previous(new Date()).toISOString();
    return judge(
      'Backups',
      `The newest at ${where} is from ${newest?.createdAt}.`,
      !(newest && newest.createdAt >= due) && [
        'warning',
        `The backup of ${due} is missing at ${where}${newest ? `; the newest is from ${newest.createdAt}` : ''}.`,
        'Start the service, which runs it, or read "backup failed" in its log.',
      ],
    );
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    return problem('Backups', error.message, 'Correct BACKUP_TO or the target.');
  }
};

/** Why a service could not listen. It also finds a program that holds the port and does not speak HTTP. */
const listenFault = async ({ host, port }: Config): Promise<Fault> => {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const message = `The service cannot listen on ${host}, port ${port} (${code}).`;
    return [
      'problem',
      message,
      'Set HOST to an address of this machine, and PORT to a free port above 1023.',
    ];
  } finally {
    server.close();
  }
};

/** Whether a process uses the database, as a running service does. */
const isInUse = (config: Config): boolean => {
  const file = sqliteFile(config);
  if (file === undefined) return true;
  try {
    if (existsSync(file)) openExclusively(file).close();
    return false;
  } catch {
    return true;
  }
};

const checkService: Check = async (config) => {
  const { ready, status, isForeign, url, message } = await checkHealth();
  const isSilent = !ready && !isForeign && status === undefined;
  return judge(
    'Service',
    ready ? `Ready at ${url}.` : `Not running at ${url}.`,
    status !== undefined &&
      !isForeign &&
      !isInUse(config) && [
        'problem',
        `${url}: Another Roster answers, with another database.`,
        'Set PORT to another port, or stop that service.',
      ],
    isForeign && [
      'problem',
      `${url}: ${message}`,
      'If another program uses this port, set PORT to another one or end that program. Else restart the service.',
    ],
    isSilent && (await listenFault(config)),
    !ready && !isSilent && ['warning', `${url}: ${message}`, 'Read the log of the service.'],
  );
};

/** The checks besides those of the database. */
export const checks: readonly Check[] = [
  checkVariables,
  checkNetwork,
  checkCertificate,
  checkPermissions,
  checkFreeSpace,
  checkFileSystem,
  checkBackups,
  checkService,
];
