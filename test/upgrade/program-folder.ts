import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../kit/database/postgres-server.ts';

export interface FolderProgram {
  readonly url: string;
  /** The exit code of the process, when it has ended. */
  readonly exited: Promise<number | null>;
  output(): string;
  ready(): Promise<void>;
  stop(): Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts the service of another checkout, as its `npm start` does. */
export const startInFolder = async (
  folder: string,
  environment: Record<string, string>,
): Promise<FolderProgram> => {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const args = String(scripts.start)
    .replace(/^.*exec node /, '')
    .split(' ');
  const port = await freePort();
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: String(port), DRAIN_SECONDS: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const url = `http://127.0.0.1:${port}`;
  const ready = async () => {
    for (;;) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`It exited before it was ready:\n${output}`);
      const response = await fetch(`${url}/readyz`).catch(() => undefined);
      if (response?.status === 200) return;
      await pause(50);
    }
  };
  const kill = (signal: NodeJS.Signals) => child.kill(signal);
  const stop = () => {
    kill('SIGTERM');
    return exited;
  };
  return { url, exited, output: () => output, ready, stop, kill };
};

/** Runs a command of another checkout. */
export const runRosterIn = (folder: string, environment: Record<string, string>, ...args: string[]) => {
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return spawnSync(process.execPath, [join(folder, bin.roster), ...args], {
    env: { PATH: process.env.PATH, ...environment },
    encoding: 'utf8',
  });
};
