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
import { type Finding, formatBytes } from '../../lib/diagnosis.ts';
import { shellQuote } from '../command.ts';
import { checkHealth } from '../health.ts';

type Probe = (config: Config) => Finding | Promise<Finding>;

const KNOWN = new Set([...Object.keys(variables), ...fileVariables]);
/** Shorter names, such as PORT, and those of other programs resemble many that are not meant for Roster. */
const TYPO_OF = [...KNOWN].filter((name) => name.length >= 9 && !/^(?:AWS|OTEL)_/.test(name));
/** Kubernetes sets these in every container, next to a service with the name roster. */
const OF_KUBERNETES = /^ROSTER_(?:SERVICE_(?:HOST|PORT)|PORT(?:_|$))/;

/** Whether a variable that is not read looks like one of ours. */
const isMisspelled = (name: string): boolean =>
  !KNOWN.has(name) &&
  ((name.startsWith('ROSTER_') && !OF_KUBERNETES.test(name)) ||
    TYPO_OF.some((known) => editsBetween(name.toUpperCase(), known) <= MAX_EDITS));

const MIN_VALID_DAYS = 14;
const MIN_FREE_BYTES = 200_000_000;

/** The file of SQLite, and the folder with the data. */
const placesOf = ({ database, dataDir }: Config) =>
  database.engine === 'sqlite'
    ? { file: database.path, folder: dirname(database.path) }
    : { file: undefined, folder: dataDir };

/** The closest folder that exists; a start creates the missing ones. */
const existing = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));

const MEMORY = ['warning', 'is in memory: everything is lost at a restart'] as const;
const NETWORK = ['problem', 'is on a network file system, where SQLite can damage its files'] as const;
const LAYER = 'is in the writable layer of a container: everything is lost when the container is removed';

/** File systems that do not fit, by the number that statfs returns. */
const FILE_SYSTEMS: Readonly<Record<number, readonly ['warning' | 'problem', string]>> = {
  16914836: MEMORY,
  2240043254: MEMORY,
  2035054128: ['warning', LAYER],
  26985: NETWORK,
  20859: NETWORK,
  4283649346: NETWORK,
  4266872130: NETWORK,
};

/** Why a service could not listen. It also finds a program that holds the port and does not speak HTTP. */
const listenFault = async ({ host, port }: Config): Promise<Finding> => {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    const message = `The service cannot listen on ${host}, port ${port} (${Object(error).code}).`;
    const fix = 'Set HOST to an address of this machine, and PORT to a free port above 1023.';
    return ['problem', message, fix];
  } finally {
    server.close();
  }
};

const FOREIGN_FIX =
  'If another program uses this port, set PORT to another one or end that program. Else restart the service.';

/** Whether a process uses the database, as a running service does. */
const isInUse = (config: Config): boolean => {
  const { file } = placesOf(config);
  if (file === undefined) return true;
  try {
    if (existsSync(file)) openExclusively(file).close();
    return false;
  } catch {
    return true;
  }
};

/** The checks besides those of the database, by their subject. */
export const checks: Readonly<Record<string, Probe>> = {
  Configuration: () => {
    const unknown = Object.keys(process.env).filter(isMisspelled).join(', ');
    const fix = 'Correct the name; roster --help lists all variables.';
    return unknown ? ['warning', `Roster does not read ${unknown}.`, fix] : 'Every variable is valid.';
  },
  Network: ({ host, tls, trustProxy }) => {
    if (tls) return undefined;
    if (/^(?:127\.|::1$|localhost$)/.test(host)) return `Only this machine can connect (${host}).`;
    if (trustProxy) return `${host}, behind a proxy.`;
    const message = `The service listens on ${host} without TLS, so API keys can be read on the way.`;
    return ['warning', message, 'Set TLS_CERT and TLS_KEY, or use a proxy with TLS and set TRUST_PROXY.'];
  },
  Certificate: ({ tls }) => {
    if (!tls) return undefined;
    const { validToDate } = new X509Certificate(readFileSync(tls.cert));
    const days = Math.floor((validToDate.getTime() - Date.now()) / 86_400_000);
    const fix = 'Renew the certificate. The service reads the new files without a restart.';
    const text = `${tls.cert} is valid for ${days} more days.`;
    if (days < 0) return ['problem', `${tls.cert} expired on ${validToDate.toISOString()}.`, fix];
    return days < MIN_VALID_DAYS ? ['warning', text, fix] : text;
  },
  Permissions: (config) => {
    const { file, folder } = placesOf(config);
    const paths = [folder, join(config.dataDir, 'secret.key'), ...(file ? [file, `${file}-wal`] : [])];
    const open = paths.filter((path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0);
    if (open.length === 0) return 'Only this user can read the data.';
    const fix = `Run: chmod go= ${open.map(shellQuote).join(' ')}`;
    return ['warning', `Other users of this machine may read ${open.join(', ')}.`, fix];
  },
  'Free space': (config) => {
    const folder = existing(placesOf(config).folder);
    const { bavail, bsize } = statfsSync(folder);
    const text = `${formatBytes(bavail * bsize)} in ${folder}.`;
    const isFull = bavail * bsize < MIN_FREE_BYTES;
    return isFull ? ['problem', text, 'Free some space or enlarge the disk.'] : text;
  },
  'File system': (config) => {
    const { file, folder: wanted } = placesOf(config);
    if (!file) return undefined;
    const folder = existing(wanted);
    const [level, what] = FILE_SYSTEMS[statfsSync(folder).type >>> 0] ?? [];
    const fix = 'Set ROSTER_DATA_DIR to a folder on a local disk, or mount a volume there.';
    return level ? [level, `${folder} ${what}.`, fix] : `${folder} is on a local disk.`;
  },
  Backups: async ({ backup: { schedule, to, s3, database } }) => {
    if (!schedule || !to) return undefined;
    const isPostgres = database.engine === 'postgres';
    const missing = isPostgres ? await dumpProblem(database.url).catch(() => undefined) : undefined;
    if (missing) {
      const [reason = '', ...fix] = missing.split('. ');
      return ['problem', `${reason}.`, fix.join('. ')];
    }
    const where = describeTarget(to);
    try {
      const backups = await listBackups(await openStore(to, s3));
      const [newest] = separateFuture(backups, Date.now()).current;
      const due = schedule.previous(new Date()).toISOString();
      if (newest && newest.created_at >= due) return `The newest at ${where} is from ${newest.created_at}.`;
      const rest = newest ? `; the newest is from ${newest.created_at}` : '';
      const fix = 'Start the service, which runs it, or read "backup failed" in its log.';
      return ['warning', `The backup of ${due} is missing at ${where}${rest}.`, fix];
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      return ['problem', error.message, 'Correct BACKUP_TO or the target.'];
    }
  },
  Service: async (config) => {
    const { ready, status, isForeign, url, message } = await checkHealth();
    if (isForeign) return ['problem', `${url}: ${message}`, FOREIGN_FIX];
    if (status === undefined) return (await listenFault(config)) ?? `Not running at ${url}.`;
    if (!isInUse(config)) {
      const what = `${url}: Another Roster answers, with another database.`;
      return ['problem', what, 'Set PORT to another port, or stop that service.'];
    }
    return ready ? `Ready at ${url}.` : ['warning', `${url}: ${message}`, 'Read the log of the service.'];
  },
};
