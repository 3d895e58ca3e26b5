import { type Config, ConfigError, readConfig } from '../../config/config.ts';
import type { Snapshot } from '../../db/check.ts';
import { diagnoseDatabase } from '../../db/open/diagnose.ts';
import { KeySource } from '../../features/workspaces/secret-key.ts';
import { type Diagnosis, diagnoses, diagnosis, type Fault } from '../../lib/diagnosis.ts';
import { type Command, type ParsedArgs, pluralize } from '../command.ts';
import { printText } from '../output.ts';
import { readKeyState } from '../verify.ts';
import { checks } from './checks.ts';

const KEY = 'Encryption key';

const keyProblem = (where: string, fault: string): Fault => {
  const [reason = '', fix = ''] = fault.split(/: (.*)/);
  const advice = `${fix.charAt(0).toUpperCase()}${fix.slice(1)}.`;
  return ['problem', `The database ${where}, but ${reason}.`, advice];
};

const diagnoseKey =
  (keys: KeySource) =>
  async (snapshot: Snapshot): Promise<Diagnosis[]> => {
    // Before the first migration, there is no table of keys.
    if (snapshot.schema === 0) return [];
    const state = await readKeyState(snapshot, keys);
    return diagnoses({ [KEY]: state?.problem ? keyProblem('exists', state.problem) : state && keys.name });
  };

/** All checks, in the order of the output. An invalid configuration ends them. */
export async function* diagnose(): AsyncGenerator<Diagnosis> {
  let config: Config;
  try {
    config = readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const fix = 'Change that variable, then run this command again.';
    yield diagnosis('Configuration', ['problem', error.message, fix]);
    return;
  }
  for (const [subject, probe] of Object.entries(checks)) yield* diagnoses({ [subject]: await probe(config) });
  const keys = new KeySource(config.secretKeys, config.dataDir);
  const found = await diagnoseDatabase(config.database, diagnoseKey(keys));
  yield* found;
  // A start with a new database uses a key file that exists.
  const fault = found.some(({ subject }) => subject === KEY) ? undefined : keys.fileProblem();
  if (fault) yield diagnosis(KEY, keyProblem('may be new', fault));
}

const LABELS = { ok: 'ok     ', warning: 'WARNING', problem: 'PROBLEM' } as const;

const format = ({ level, subject, message, fix }: Diagnosis): string =>
  `${LABELS[level]} ${subject}: ${message}\n${fix ? `        Fix: ${fix}\n` : ''}`;

const run = async ({ json, print }: ParsedArgs): Promise<void> => {
  const found: Diagnosis[] = [];
  for await (const each of diagnose()) {
    found.push(each);
    if (!json) printText(format(each));
  }
  const count = (level: Diagnosis['level']) => found.filter((each) => each.level === level).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  if (problems > 0) process.exitCode = 1;
  const summary =
    problems + warnings === 0
      ? `All ${found.length} checks passed.`
      : `${pluralize(problems, 'problem')} and ${pluralize(warnings, 'warning')} in ${pluralize(found.length, 'check')}.`;
  print({ ok: problems === 0, problems, warnings, checks: found }, summary);
};

export const doctorCommand: Command = {
  forms: {
    'roster doctor [--json]': [
      'Checks the configuration, the machine and the database, and says what to fix. Changes nothing. Exits with status 1 if the service cannot work or may lose data.',
      run,
    ],
  },
};
