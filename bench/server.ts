import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startArguments, startEnvironment } from '../build/start.ts';

/** A contestant: a separate process that serves HTTP. */
export interface Server {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
};

const START_TIMEOUT_MS = 20_000;

const untilReady = async (child: ChildProcess, isReady: () => Promise<boolean>) => {
  const end = performance.now() + START_TIMEOUT_MS;
  while (!(await isReady().catch(() => false))) {
    if (child.exitCode !== null || performance.now() > end) {
      throw new Error(`${child.spawnargs.join(' ')} did not start`);
    }
    await sleep(2);
  }
};

interface Start {
  /** Further variables of its environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** A command that runs the script, such as strace. */
  readonly wrapper?: readonly string[];
  /** Whether the process is ready; the default is that it responds at all. */
  readonly isReady?: (url: string) => Promise<boolean>;
}

const answers = async (url: string) => (await fetch(url)).text().then(() => true);

/** Starts node with these arguments on a free port, passed in `PORT`, and waits until it is ready. */
const startNode = async (
  nodeArguments: readonly string[],
  environment: Record<string, string>,
  { wrapper = [], isReady = answers }: Start = {},
): Promise<Server> => {
  const port = await freePort();
  const [program, ...args] = [...wrapper, process.execPath, ...nodeArguments];
  const child = spawn(program as string, args, {
    env: { PATH: process.env.PATH ?? '', PORT: `${port}`, DRAIN_SECONDS: '0', ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const kill = () => child.kill('SIGKILL');
  process.on('exit', kill);
  const url = `http://127.0.0.1:${port}`;
  await untilReady(child, () => isReady(url));
  return {
    url,
    pid: child.pid as number,
    stop: async () => {
      process.off('exit', kill);
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
};

/** A script of this folder. */
export const startServer = (
  script: string,
  environment: Record<string, string>,
  start?: Start,
): Promise<Server> => startNode([fileURLToPath(new URL(script, import.meta.url))], environment, start);

/** The key of the filled databases. */
export const TEST_SECRET_KEY = Buffer.alloc(32, 1).toString('base64');

/** Roster as `npm start` starts it, with its log discarded and, unless the start says otherwise, one serving thread. */
export const startRoster = (database: string, start?: Start): Promise<Server> =>
  startNode(
    startArguments,
    {
      ...startEnvironment,
      DATABASE_URL: database,
      ROSTER_SECRET_KEY: TEST_SECRET_KEY,
      SERVE_THREADS: '1',
      ...start?.environment,
    },
    start,
  );

/** The memory of a process in MB: the current value or the maximum. */
export const residentMb = (pid: number, which: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${which}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
