import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { variables } from '../../src/config/config.ts';
import { parseStartupOutput, STARTUP_LINE } from '../kit/process/program.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export const hasCurl = (process.env.PATH ?? '').split(delimiter).some((folder) => {
  try {
    accessSync(join(folder, 'curl'), constants.X_OK);
    return true;
  } catch {
    return false;
  }
});

/** An environment without configuration, except for a free port, a temporary data folder and a fast stop. */
const environmentIn = (folder: string): NodeJS.ProcessEnv => {
  const environment: NodeJS.ProcessEnv = { ...process.env, PORT: '0', ROSTER_DATA_DIR: join(folder, 'data') };
  for (const name of Object.keys(variables)) {
    if (name !== 'PORT' && name !== 'ROSTER_DATA_DIR') delete environment[name];
  }
  const own = [join(folder, 'bin'), join(ROOT, 'node_modules', '.bin')];
  return { ...environment, DRAIN_SECONDS: '0', PATH: [...own, process.env.PATH].join(delimiter) };
};

const writeCurl = (folder: string) => {
  const script = join(folder, 'bin', 'curl');
  writeFileSync(
    script,
    `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'test', 'readme', 'curl.ts')}" "$@"\n`,
  );
  chmodSync(script, 0o755);
};

export interface Session {
  /** The output of the start. */
  readonly startupOutput: string;
  readonly url: string;
  readonly key: string;
  /** Runs the commands one after another in one shell and returns the output of each. */
  run(commands: readonly string[]): Promise<string[]>;
  stop(): Promise<void>;
}

/** Starts the service with `npm start`. */
export const startSession = async ({ replaceCurl }: { replaceCurl: boolean }): Promise<Session> => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-readme-'));
  mkdirSync(join(folder, 'bin'));
  if (replaceCurl) writeCurl(folder);
  const env = environmentIn(folder);
  // A separate process group, so that the signal reaches the service and not only npm.
  const service = spawn('npm', ['start'], {
    cwd: ROOT,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = async () => {
    if (service.exitCode === null && service.pid) {
      process.kill(-service.pid, 'SIGTERM');
      await once(service, 'close');
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const startupOutput = await startupOutputOf(service);
    const url = /API +(http\S+)\/v1$/m.exec(startupOutput)?.[1];
    const key = /API key +(\S+)$/m.exec(startupOutput)?.[1];
    if (!url || !key) throw new Error(`The start printed no address or no key:\n${startupOutput}`);
    return { startupOutput: startupOutput, url, key, stop, run: (commands) => runAll(commands, folder, env) };
  } catch (error) {
    await stop();
    throw error;
  }
};

const startupOutputOf = async (service: ChildProcess): Promise<string> => {
  let [printed, errors] = ['', ''];
  service.stdout?.setEncoding('utf8').on('data', (chunk) => {
    printed += chunk;
  });
  service.stderr?.setEncoding('utf8').on('data', (chunk) => {
    errors += chunk;
  });
  const isComplete = () => STARTUP_LINE.test(printed);
  while (!isComplete()) {
    const [ended] = await Promise.race([
      once(service, 'close').then(() => [true]),
      once(service.stdout as NonNullable<ChildProcess['stdout']>, 'data').then(() => [false]),
    ]);
    if (ended && !isComplete()) throw new Error(`npm start exited:\n${printed}\n${errors}`);
  }
  const { banner } = parseStartupOutput(printed);
  return banner.slice(banner.indexOf('Roster is ready.'));
};

const runAll = async (
  commands: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<string[]> => {
  const fileOf = (at: number) => join(folder, `output-${at}`);
  const script = commands.map((command, at) => `{\n${command}\n} > '${fileOf(at)}'\n`).join('');
  const shell = spawn('bash', ['-c', `set -euo pipefail\n${script}`], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [errors, [code]] = await Promise.all([text(shell.stderr), once(shell, 'close')]);
  const outputs = commands.flatMap((_, at) =>
    existsSync(fileOf(at)) ? [readFileSync(fileOf(at), 'utf8')] : [],
  );
  if (code !== 0) {
    const at = outputs.length - 1;
    throw new Error(`This block exited with status ${code}:\n${commands[at]}\n${outputs[at]}\n${errors}`);
  }
  return outputs;
};
