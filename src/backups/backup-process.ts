import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';

/** The output of `roster backup --unless-since`. */
export type BackupResult =
  | {
      readonly skipped?: boolean;
      readonly backup: string;
      /** Undefined if another process is backing up. */
      readonly created_at?: string;
      readonly bytes: number;
      readonly deleted?: readonly string[];
      /** Backups that are dated in the future. */
      readonly ignored?: readonly string[];
    }
  | { readonly problem: string };

const MAX_REASON = 500;

/** The first line says what happened; others may contain data. */
const reasonOf = (errors: string, code: number | null): string =>
  errors.trim().split('\n')[0]?.slice(0, MAX_REASON) || `the process ended with status ${code}`;

const parse = (output: string): BackupResult => {
  try {
    return JSON.parse(output);
  } catch {
    return { problem: 'the output of the process is not readable' };
  }
};

type Command = readonly [string, ...string[]];

/** How long a backup may take to abort its upload when the service stops. */
const STOP_MS = 8_000;

/** Backs up to BACKUP_TO in a process with low priority, unless there is a backup since `due`. The signal asks the process to
 *  clean up and exit. */
export const runBackup = async ([program, ...args]: Command, due: Date, signal: AbortSignal) => {
  try {
    const child = spawn(program, [...args, 'backup', '--unless-since', due.toISOString(), '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NOTIFY_SOCKET: '' },
    });
    const ended = once(child, 'close') as Promise<[number | null]>;
    const interrupt = () => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      child.once('close', () => clearTimeout(timer));
    };
    signal.addEventListener('abort', interrupt);
    child.once('close', () => signal.removeEventListener('abort', interrupt));
    try {
      if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // The priority is an optimization, and the process may have ended.
    }
    const [output, errors, [code]] = await Promise.all([
      // A process that could not be started may have no streams.
      child.stdout ? text(child.stdout) : '',
      child.stderr ? text(child.stderr) : '',
      ended,
    ]);
    return code === 0 ? parse(output) : { problem: reasonOf(errors, code) };
  } catch (error) {
    // For example without memory for another process.
    return { problem: (error as Error).message };
  }
};
