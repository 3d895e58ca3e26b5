import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';

export const CLI = new URL('../../../src/cli.js', import.meta.url).pathname;

export interface CliResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `roster` as a user does, without blocking this process. */
export const runRoster = async (
  environment: Record<string, string>,
  ...args: string[]
): Promise<CliResult> => {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { status: await ended, stdout, stderr };
};

/** The same, synchronously. */
export const runRosterSync = (environment: Record<string, string>, ...args: string[]): CliResult => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', ...environment },
  });
  return { status, stdout, stderr };
};
