import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import { delimiter, join } from 'node:path';

/** The path of a program, if it is installed. */
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

/** The first version number that a program prints. */
export const versionOf = (program: string, flag = '--version'): string =>
  /\d+(\.\d+)+/.exec(execFileSync(program, [flag], { encoding: 'utf8' }))?.[0] ?? 'unknown';

/** What the figures were measured on, without anything that identifies the machine. */
export const machine = (): Record<string, string> => ({
  Processor: `${cpus()[0]?.model.trim() ?? 'unknown'}, ${availableParallelism()} cores`,
  Memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
  System: `${platform()} ${release().split('-')[0]}, ${arch()}`,
  Node: process.versions.node,
  SQLite: process.versions.sqlite ?? 'unknown',
});
