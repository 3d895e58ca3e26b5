import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SIZE = 32 * 1_024 * 1_024;
const CHUNK = Buffer.alloc(64 * 1_024, 1);

export interface SmallDisk {
  /** How the size is limited. */
  readonly method: string;
  /** Whether it is a file system of its own. */
  readonly isMounted: boolean;
  readonly folder: string;
  /** Uses up the space for a process that writes to a file there. */
  fill(pid: number, path: string): void;
  free(pid: number): void;
  remove(): void;
}

/** A file system of 32 MB, in memory. */
const mountSmallDisk = (folder: string): SmallDisk | undefined => {
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder]);
  if (status !== 0) return undefined;
  const rest = join(folder, 'rest');
  return {
    method: 'tmpfs of 32 MB',
    isMounted: true,
    folder: join(folder, 'data'),
    fill: () => {
      const file = openSync(rest, 'a');
      try {
        while (writeSync(file, CHUNK) > 0);
      } catch (error) {
        if ((error as { code?: string }).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(rest),
    remove: () => {
      spawnSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Limits the size of files where mounting is not permitted. */
const limitFileSize = (folder: string): SmallDisk => {
  const limit = (pid: number, bytes: number | 'unlimited') =>
    spawnSync('prlimit', ['--pid', `${pid}`, `--fsize=${bytes}:`]);
  return {
    method: 'limit on the size of files',
    isMounted: false,
    folder: join(folder, 'data'),
    fill: (pid, path) => limit(pid, statSync(`${path}-wal`).size),
    free: (pid) => limit(pid, 'unlimited'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

export const createSmallDisk = (): SmallDisk => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-disk-'));
  const disk = mountSmallDisk(folder) ?? limitFileSize(folder);
  mkdirSync(disk.folder);
  return disk;
};
