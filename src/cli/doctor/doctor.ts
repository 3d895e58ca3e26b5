import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { type Config, ConfigError, readConfig } from '../../config/config.ts';
import type { Snapshot } from '../../db/check.ts';
import { diagnoseDatabase } from '../../db/open/diagnose.ts';
import { openExclusively } from '../../db/sqlite/exclusive-lock.ts';
import { KeySource } from '../../features/workspaces/secret-key.ts';
import { type Diagnosis, ok, problem, warning } from '../../lib/diagnosis.ts';
import { AS_JSON, type Command, pluralize, print, usageError } from '../command.ts';
import { checkHealth } from '../health.ts';
import { printText } from '../output.ts';
import { diagnoseBackups } from './backups.ts';
import { diagnoseDisk } from './disk.ts';
import {
  diagnoseClock,
  diagnoseLimits,
  diagnoseNetwork,
  diagnoseProgram,
  diagnoseVariables,
} from './system.ts';

const usage = {
  'roster doctor [--json]':
    'Checks the configuration, the machine and the database, and says what to fix. Writes and removes a temporary file of 84 KiB to measure the disk. Exits with status 1 if the service cannot work or may lose data.',
};

const SECRETS_SINCE = 2;

const keyProblem = (where: string, fault: string): Diagnosis => {
  const [reason = '', fix = ''] = fault.split(/: (.*)/);
  return problem(
    'Encryption key',
    `The database ${where}, but ${reason}.`,
    `${fix.charAt(0).toUpperCase()}${fix.slice(1)}.`,
  );
};

const diagnoseKey =
  (keys: KeySource) =>
  async (snapshot: Snapshot): Promise<Diagnosis[]> => {
    if (snapshot.schema < SECRETS_SINCE) return [];
    const [check] = await snapshot.all<{ sealed: string }>('select sealed from seal_checks');
    const fault = check && keys.problemWith(check.sealed);
    return fault ? [keyProblem('exists', fault)] : check ? [ok('Encryption key', keys.name)] : [];
  };

const LISTEN_PROBLEMS: Readonly<Record<string, readonly [string, string]>> = {
  EADDRINUSE: ['Another program uses the port', 'Set PORT to another port, or end that program.'],
  EACCES: ['This user may not listen on the port', 'Set PORT to a number above 1023.'],
  EADDRNOTAVAIL: ['This machine does not have the address', 'Set HOST to an address of this machine.'],
  ENOTFOUND: ['This machine does not have the address', 'Set HOST to an address of this machine.'],
};

/** Why a service could not listen. It also finds a program that holds the port and does not speak HTTP. */
const listenProblem = async ({ host, port }: Config): Promise<Diagnosis | undefined> => {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const [message, fix] = LISTEN_PROBLEMS[code] ?? [
      `The service cannot listen (${code})`,
      'Check HOST and PORT.',
    ];
    return problem('Service', `${message}: ${host}, port ${port}.`, fix);
  } finally {
    server.close();
  }
};

/** Whether a process uses the database, as a running service does. */
const isInUse = ({ database }: Config): boolean => {
  if (database.engine !== 'sqlite') return true;
  try {
    if (existsSync(database.path)) openExclusively(database.path).close();
    return false;
  } catch {
    return true;
  }
};

const diagnoseService = async (config: Config): Promise<Diagnosis> => {
  const { ready, status, isForeign, url, message } = await checkHealth();
  if (status !== undefined && !isForeign && !isInUse(config))
    return problem(
      'Service',
      `${url}: Another Roster answers, with another database.`,
      'Set PORT to another port, or stop that service.',
    );
  if (ready) return ok('Service', `Ready at ${url}.`);
  if (isForeign)
    return problem(
      'Service',
      `${url}: ${message}`,
      'If another program uses this port, set PORT to another one or end that program. Else restart the service.',
    );
  if (status !== undefined) return warning('Service', `${url}: ${message}`, 'Read the log of the service.');
  return (await listenProblem(config)) ?? ok('Service', `Not running at ${url}.`);
};

/** On a full disk, SQLite cannot create the files that it needs to open a database, and blames the permissions. */
const blameFullDisk = (disk: readonly Diagnosis[], database: readonly Diagnosis[]): readonly Diagnosis[] => {
  const full = disk.find(({ subject, level }) => subject === 'Free space' && level === 'problem');
  return database.map((each) =>
    full && each.level === 'problem' && each.subject === 'Database'
      ? { ...each, fix: `The disk is full, which can be the reason. ${full.fix}` }
      : each,
  );
};

/** All checks, in the order of the output. An invalid configuration ends them. */
export async function* diagnose(): AsyncGenerator<Diagnosis> {
  yield diagnoseProgram();
  let config: Config;
  try {
    config = readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    yield problem('Configuration', error.message, 'Change that variable, then run this command again.');
    return;
  }
  const { database, dataDir } = config;
  yield diagnoseVariables(process.env);
  yield* diagnoseNetwork(config);
  yield* diagnoseLimits();
  yield* diagnoseClock();
  const disk = diagnoseDisk(dataDir, database.engine === 'sqlite' ? database.path : undefined);
  yield* disk;
  const keys = new KeySource(config.secretKeys, dataDir);
  const found = await diagnoseDatabase(database, diagnoseKey(keys));
  yield* blameFullDisk(disk, found);
  // A start with a new database uses a key file that exists.
  const fault = found.some(({ subject }) => subject === 'Encryption key') ? undefined : keys.fileProblem();
  if (fault) yield keyProblem('may be new', fault);
  yield* diagnoseBackups(config);
  yield await diagnoseService(config);
}

const LABELS = { ok: 'ok     ', warning: 'WARNING', problem: 'PROBLEM' } as const;

const format = ({ level, subject, message, fix }: Diagnosis): string =>
  `${LABELS[level]} ${subject}: ${message}\n${fix ? `        Fix: ${fix}\n` : ''}`;

export const doctorCommand: Command = {
  usage,
  options: { json: AS_JSON },
  run: async ({ positionals, json }) => {
    if (positionals.length > 0) throw usageError(usage);
    const checks: Diagnosis[] = [];
    for await (const each of diagnose()) {
      checks.push(each);
      if (!json) printText(format(each));
    }
    const count = (level: Diagnosis['level']) => checks.filter((each) => each.level === level).length;
    const [problems, warnings] = [count('problem'), count('warning')];
    if (problems > 0) process.exitCode = 1;
    const summary =
      problems + warnings === 0
        ? `All ${checks.length} checks passed.`
        : `${pluralize(problems, 'problem')} and ${pluralize(warnings, 'warning')} in ${pluralize(checks.length, 'check')}.`;
    print(json, { ok: problems === 0, problems, warnings, checks }, summary);
  },
};
