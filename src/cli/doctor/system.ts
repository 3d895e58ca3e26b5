import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { type Config, variables } from '../../config/config.ts';
import { fileVariables } from '../../config/secret-variables.ts';
import { editsBetween, MAX_EDITS } from '../../features/agents/placeholders.ts';
import { fileLimit } from '../../http/server/connection-limits.ts';
import { type Diagnosis, formatBytes, ok, problem, warning } from '../../lib/diagnosis.ts';
import { version } from '../../lib/version.ts';

export const diagnoseProgram = (): Diagnosis =>
  ok(
    'Program',
    `Roster ${version}, Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} processors.`,
  );

/** Other programs use these prefixes too. */
const SHARED_PREFIXES = new Set(['AWS', 'OTEL', 'PORT', 'HOST']);
const prefixOf = (name: string): string => name.split('_', 1)[0] as string;
const OWN_PREFIXES = new Set(
  Object.keys(variables)
    .map(prefixOf)
    .filter((prefix) => !SHARED_PREFIXES.has(prefix)),
);
/** Kubernetes sets these in every container, next to a service with the name roster. */
const OF_KUBERNETES = /^ROSTER_(?:SERVICE_(?:HOST|PORT)|PORT(?:_|$))/;

const KNOWN = new Set([...Object.keys(variables), ...fileVariables]);
/** Shorter names, such as PORT, resemble many that other programs use. */
const MIN_LENGTH = 9;
const TYPO_OF = [...KNOWN].filter(
  (name) => name.length >= MIN_LENGTH && !SHARED_PREFIXES.has(prefixOf(name)),
);

/** Variables that look like ours but are not read. */
export const diagnoseVariables = (environment: NodeJS.ProcessEnv): Diagnosis => {
  const unknown = Object.keys(environment).filter(
    (name) =>
      !KNOWN.has(name) &&
      (OWN_PREFIXES.has(prefixOf(name)) ||
        TYPO_OF.some((known) => editsBetween(name.toUpperCase(), known) <= MAX_EDITS)) &&
      !OF_KUBERNETES.test(name),
  );
  return unknown.length === 0
    ? ok('Configuration', 'Every variable is valid.')
    : warning(
        'Configuration',
        `Roster does not read ${unknown.join(', ')}.`,
        'Correct the name; roster --help lists all variables.',
      );
};

const MIN_OPEN_FILES = 4_096;
const MIN_MEMORY_BYTES = 300_000_000;

export const diagnoseLimits = (): Diagnosis[] => {
  const files = fileLimit();
  const memory = Math.min(process.constrainedMemory() || Infinity, totalmem());
  return [
    files < MIN_OPEN_FILES
      ? warning(
          'Open files',
          `At most ${files}, which limits concurrent connections.`,
          'Raise the limit: ulimit -n 32768, or LimitNOFILE=32768 in the systemd unit.',
        )
      : ok('Open files', Number.isFinite(files) ? `At most ${files}.` : 'No limit.'),
    memory < MIN_MEMORY_BYTES
      ? warning(
          'Memory',
          `${formatBytes(memory)}, less than the service uses under load.`,
          `Give this process at least ${formatBytes(MIN_MEMORY_BYTES)}.`,
        )
      : ok('Memory', `${formatBytes(memory)} available to this process.`),
  ];
};

/** Whether systemd considers the clock synchronized; undefined where systemd does not run. */
const isClockSynchronized = (): boolean | undefined => {
  const { status, stdout } = spawnSync('timedatectl', ['show', '--property=NTPSynchronized', '--value'], {
    encoding: 'utf8',
    timeout: 2_000,
  });
  return status === 0 ? stdout.trim() === 'yes' : undefined;
};

export const diagnoseClock = (): Diagnosis[] =>
  isClockSynchronized() === false
    ? [
        warning(
          'Time synchronization',
          'The clock of this machine is not synchronized.',
          'Run: timedatectl set-ntp true',
        ),
      ]
    : [];

const LOOPBACK = /^(?:127\.|::1$|localhost$)/;
const MIN_VALID_DAYS = 14;

const certificate = (path: string): Diagnosis => {
  const { validToDate } = new X509Certificate(readFileSync(path));
  const days = Math.floor((validToDate.getTime() - Date.now()) / 86_400_000);
  const fix = 'Renew the certificate. The service reads the new files without a restart.';
  if (days < 0) return problem('Certificate', `${path} expired on ${validToDate.toISOString()}.`, fix);
  const text = `${path} is valid for ${days} more days.`;
  return days < MIN_VALID_DAYS ? warning('Certificate', text, fix) : ok('Certificate', text);
};

export const diagnoseNetwork = ({ host, tls, trustProxy }: Config): Diagnosis[] => {
  if (tls) return [certificate(tls.cert)];
  const isPublic = !LOOPBACK.test(host);
  return [
    isPublic && !trustProxy
      ? warning(
          'Network',
          `The service listens on ${host} without TLS, so API keys can be read on the way.`,
          'Set TLS_CERT and TLS_KEY, or use a proxy with TLS and set TRUST_PROXY.',
        )
      : ok('Network', isPublic ? `${host}, behind a proxy.` : `Only this machine can connect (${host}).`),
  ];
};
