import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Gives all files of a folder the same permissions on every machine, whatever the umask is. */
export const normalizeModes = (folder: string, executables: readonly string[] = []): void => {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const isExecutable = entry.isDirectory() || executables.includes(path.slice(folder.length + 1));
    if (!entry.isSymbolicLink()) chmodSync(path, isExecutable ? 0o755 : 0o644);
  }
};

/** Packs a folder so that the same files give the same bytes: sorted, without owners, with one modification time. */
export const packFolder = (parent: string, folder: string, time: Date, target: string): void => {
  const options = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--format=ustar'];
  const tar = execFileSync(
    'tar',
    [...options, `--mtime=@${Math.floor(time.getTime() / 1000)}`, '-C', parent, '-cf', '-', folder],
    { maxBuffer: 1 << 30 },
  );
  writeFileSync(target, gzipSync(tar, { level: 9 }));
};
