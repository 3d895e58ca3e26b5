import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface FreezableDisk {
  readonly folder: string;
  freeze(): void;
  thaw(): void;
  remove(): void;
}

const run = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

/** A file system in a file. Undefined if this user may not mount one. */
export const mountFreezable = (): FreezableDisk | undefined => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-frozen-'));
  const [image, mounted] = [join(folder, 'image'), join(folder, 'mounted')];
  mkdirSync(mounted);
  const isMounted =
    run('truncate', '-s', '128M', image) &&
    run('mkfs.ext4', '-q', image) &&
    run('mount', '-o', 'loop', image, mounted);
  const data = join(mounted, 'data');
  if (isMounted) mkdirSync(data);
  const remove = () => {
    run('fsfreeze', '-u', mounted);
    run('umount', '-l', mounted);
    rmSync(folder, { recursive: true, force: true });
  };
  if (!isMounted) {
    remove();
    return undefined;
  }
  return {
    folder: data,
    freeze: () => void run('fsfreeze', '-f', mounted),
    thaw: () => void run('fsfreeze', '-u', mounted),
    remove,
  };
};
