import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export const isRoot = process.getuid?.() === 0;

export const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

export const inPath = (names: readonly string[]): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isProgram);

/** The program that an environment variable names, or else an installed one. */
export const configuredOr = (variable: string, names: readonly string[]): string | undefined => {
  const configured = process.env[variable];
  if (configured && !isProgram(configured)) throw new Error(`${variable} names no program: ${configured}`);
  return configured || inPath(names);
};

/** Installs a package of Debian if no user interaction is needed. It blocks the process for minutes. */
export const installPackage = (name: string): void => {
  const apt = inPath(['apt-get']);
  if (!isRoot || !apt) return;
  const succeeds = (...args: string[]) =>
    spawnSync(apt, args, { stdio: 'ignore', timeout: 600_000 }).status === 0;
  // Another run of the tests may do this at the same time.
  const install = ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=90', name];
  // A new machine may have no list of packages yet.
  if (!succeeds(...install) && succeeds('update')) succeeds(...install);
};
