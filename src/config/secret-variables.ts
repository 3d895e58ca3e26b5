import { readFileSync } from 'node:fs';
import { ConfigError } from '../lib/config-error.ts';

/** Variables with secrets. Each can be read from a file instead, which `NAME_FILE` names, as container platforms provide it. */
export const secretVariables = [
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'MOVE_TO_DATABASE_URL',
  'BACKUP_DATABASE_URL',
  'ROSTER_SECRET_KEY',
  'ROSTER_API_KEY',
  'ROSTER_KEY',
  'ROSTER_ADMIN_PASSWORD',
  'WEBHOOK_SECRET',
  'BACKUP_PASSPHRASE',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
] as const;

export const fileVariables: readonly string[] = secretVariables.map((name) => `${name}_FILE`);

const isSecret = (name: string): boolean => fileVariables.includes(`${name}_FILE`);

/** The text of a file that a variable or an option names. */
export const readNamedFile = (name: string, file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new ConfigError(`Cannot read the ${name} file ${file}.`);
  }
};

/** A secret is the first line of a file. */
export const readSecretFile = (name: string, file: string): string => {
  const [line = ''] = readNamedFile(name, file).split(/\r?\n/);
  if (line) return line;
  throw new ConfigError(`The ${name} file ${file} is empty or starts with an empty line.`);
};

/** The value of a variable, or of its file. An empty variable counts as absent. */
export const readVariable = (
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined => {
  const value = environment[name] || undefined;
  const file = (isSecret(name) && environment[`${name}_FILE`]) || undefined;
  if (file === undefined) return value;
  if (value !== undefined) throw new ConfigError(`Set ${name} or ${name}_FILE, not both.`);
  return readSecretFile(`${name}_FILE`, file);
};
