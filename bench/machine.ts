import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import { delimiter, join } from 'node:path';

/** Where a program lies, if the machine has it. */
export const findProgram = (name: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });

/** The first version number that a program tells of itself. */
export const versionOf = (program: string, flag = '--version'): string =>
  /\d+(\.\d+)+/.exec(execFileSync(program, [flag], { encoding: 'utf8' }))?.[0] ?? 'unknown';

/** What the figures were measured on, without a word that names this one machine. */
export const machine = (): Record<string, string> => ({
  Processor: `${cpus()[0]?.model.trim() ?? 'unknown'}, ${availableParallelism()} cores`,
  Memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
  System: `${platform()} ${release().split('-')[0]}, ${arch()}`,
  Node: process.versions.node,
  SQLite: process.versions.sqlite ?? 'unknown',
});
