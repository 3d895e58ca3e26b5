import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startArguments, startEnvironment } from '../../../build/start.ts';
import { startupMessage } from '../../../src/entry/startup-message.ts';
import type { Service } from '../../../src/wiring/service.ts';

export interface ProgramOptions {
  /** The maximum number of open files. */
  readonly files?: number;
  /** The id of another user that runs it. */
  readonly user?: number | undefined;
}

/** The service as `npm start` starts it, with only the environment of the test and the shared compile cache. */
export class Program {
  readonly #child: ChildProcess;
  readonly #exit: Promise<number | null>;
  stdout = '';
  stderr = '';

  constructor(environment: Record<string, string>, { files, user }: ProgramOptions = {}) {
    const command = [process.execPath, ...startArguments];
    // The shell is replaced by the service, so that signals reach it.
    const limited = ['sh', '-c', `ulimit -n ${files}; exec "$0" "$@"`, ...command];
    const [program = '', ...parameters] = files === undefined ? command : limited;
    this.#child = spawn(program, parameters, {
      env: {
        ...startEnvironment,
        PATH: process.env.PATH ?? '',
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
        PORT: '0',
        DRAIN_SECONDS: '0',
        SERVE_THREADS: process.env.TEST_SERVE_THREADS ?? '1',
        // Receivers of webhooks listen on this machine.
        WEBHOOK_ALLOW_HTTP: 'true',
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      uid: user,
      gid: user,
    });
    this.#child.stdout?.on('data', (chunk) => {
      this.stdout += chunk;
    });
    this.#child.stderr?.on('data', (chunk) => {
      this.stderr += chunk;
    });
    this.#exit = once(this.#child, 'close').then(([code]) => code);
  }

  /** Resolves with the startup line when the service is ready. */
  async ready(): Promise<StartupOutput> {
    const child = this.#child;
    while (!STARTUP_LINE.test(this.stdout)) {
      const ended = await Promise.race([
        once(child.stdout as NonNullable<typeof child.stdout>, 'data').then(() => false),
        this.#exit.then(() => true),
      ]);
      if (ended) throw new Error(`it ended before it was ready: ${this.stderr}`);
    }
    return parseStartupOutput(this.stdout);
  }

  /** Starts or stops reading its output. */
  readOutput(isRead: boolean): void {
    if (isRead) this.#child.stdout?.resume();
    else this.#child.stdout?.pause();
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** The exit code of the process, when it has ended. */
  exit(): Promise<number | null> {
    return this.#exit;
  }

  async stop(): Promise<number | null> {
    this.kill('SIGTERM');
    return this.#exit;
  }
}

export interface StartupOutput {
  readonly url: string;
  readonly data: string | undefined;
  readonly key: string | undefined;
  /** The sign-in link of the first owner. */
  readonly signIn: string | undefined;
  /** What a terminal shows instead. */
  readonly banner: string;
}

export const STARTUP_LINE = /^\{.*"message":"ready",.*\}$/m;

export const parseStartupOutput = (text: string): StartupOutput => {
  const line = JSON.parse(STARTUP_LINE.exec(text)?.[0] ?? '{}');
  const { url, data, first_start: isFirstStart, api_key: key, sign_in: link, sign_in_email: email } = line;
  const signIn = link && { url_path: link.slice(url.length), email };
  const banner = startupMessage(
    { url, setup: { isFirstStart, key, signIn } as unknown as Service['setup'] },
    { database: { engine: 'sqlite', path: data } },
  );
  return { url, data, key, signIn: link, banner };
};

/** Runs a test with programs and a data folder, and removes them afterwards. */
export const withPrograms = async (
  work: (
    start: (environment?: Record<string, string>, options?: ProgramOptions) => Program,
    folder: string,
  ) => Promise<void>,
): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-process-'));
  const programs: Program[] = [];
  try {
    await work((environment = {}, options) => {
      const program = new Program({ ROSTER_DATA_DIR: join(folder, 'data'), ...environment }, options);
      programs.push(program);
      return program;
    }, folder);
  } finally {
    for (const program of programs) program.kill('SIGKILL');
    await Promise.all(programs.map((program) => program.exit()));
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Sends a JSON request with an API key. */
export const fetchWithKey = (url: string, key: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { ...init, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } });
