import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Why system calls cannot be traced, or false if they can. */
export const straceUnavailable = (): string | false => {
  const { error, status } = spawnSync('strace', ['-e', 'trace=none', 'true']);
  if (error) return 'strace is not installed';
  return status === 0 ? false : 'strace may not trace here';
};

/** Traces the system calls of all threads of a process, including later ones, and injects errors by `rules`. Returns
 *  a function that stops tracing and returns the calls. */
export const traceSyscalls = async (
  pid: number,
  calls: string,
  rules: readonly string[] = [],
): Promise<() => Promise<string[]>> => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-strace-'));
  const file = join(folder, 'calls');
  const inject = rules.flatMap((rule) => ['-e', `inject=${rule}`]);
  const args = ['-f', '-p', `${pid}`, '-e', `trace=${calls}`, ...inject, '-o', file];
  const strace = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const [output] = await Promise.race([once(strace.stderr, 'data'), once(strace, 'exit')]);
  if (!String(output).includes('attached')) throw new Error(`strace did not attach: ${output}`);
  return async () => {
    strace.kill('SIGINT');
    await once(strace, 'exit');
    const syscalls = readFileSync(file, 'utf8').split('\n').filter(Boolean);
    rmSync(folder, { recursive: true });
    return syscalls;
  };
};
