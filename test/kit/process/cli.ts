import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

export const CLI = new URL('../../../src/cli.js', import.meta.url).pathname;

export interface CliResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `roster` as a user does, without blocking this process. */
export const runRoster = (environment: Record<string, string>, ...args: string[]): Promise<CliResult> =>
  runRosterAs(undefined, environment, ...args);

/** The same as another user. */
export const runRosterAs = async (
  user: number | undefined,
  environment: Record<string, string>,
  ...args: string[]
): Promise<CliResult> => {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    uid: user,
    gid: user,
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

/** A command that runs until it is stopped. */
export interface RunningRoster {
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The complete lines of stdout. */
  readonly lines: () => string[];
  /** Waits until the output meets a condition. Fails if the command ends before, or after 30 seconds. */
  readonly until: (condition: () => boolean) => Promise<void>;
  readonly hasEnded: () => boolean;
  /** Stops the command with a signal and returns its exit status. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

export const startRoster = (environment: Record<string, string>, ...args: string[]): RunningRoster =>
  watch(environment, process.execPath, [CLI, ...args]);

/** Starts `roster … | head -n LINES` in a shell. */
export const startRosterWithHead = (
  environment: Record<string, string>,
  lines: number,
  ...args: string[]
): RunningRoster =>
  watch(environment, 'sh', ['-c', `"$@" | head -n ${lines}`, 'sh', process.execPath, CLI, ...args]);

const watch = (environment: Record<string, string>, program: string, args: string[]): RunningRoster => {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    lines: () => stdout.split('\n').slice(0, -1),
    until: async (condition) => {
      for (const deadline = Date.now() + 30_000; !condition(); ) {
        if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${stderr}`);
        if (Date.now() > deadline) throw new Error(`it printed only: ${stdout}${stderr}`);
        await pause(10);
      }
    },
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop: (signal = 'SIGINT') => {
      child.kill(signal);
      return ended;
    },
  };
};
