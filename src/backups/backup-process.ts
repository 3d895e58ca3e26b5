import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { promisify } from 'node:util';

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
const reasonOf = ({ stderr = '', message }: Error & { stderr?: string }): string =>
  stderr.trim().split('\n')[0]?.slice(0, MAX_REASON) || message;

/** Backs up to BACKUP_TO in a process with low priority, unless there is a backup since `due`. The signal asks the process to
 *  clean up and exit, which it does within seconds. */
export const runBackup = async (
  [program, ...args]: readonly [string, ...string[]],
  due: Date,
  signal: AbortSignal,
): Promise<BackupResult> => {
  try {
    const running = promisify(execFile)(
      program,
      [...args, 'backup', '--unless-since', due.toISOString(), '--json'],
      { signal, env: { ...process.env, NOTIFY_SOCKET: '' } },
    );
    const ended = once(running.child, 'close').catch(() => {});
    try {
      if (running.child.pid !== undefined)
        setPriority(running.child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // The priority is an optimization, and the process may have ended.
    }
    return JSON.parse((await running.finally(() => ended)).stdout);
  } catch (error) {
    return { problem: reasonOf(error as Error) };
  }
};
