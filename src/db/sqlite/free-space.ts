import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** The space that is left on the disk of a file, in bytes. */
export const freeSpace = (path: string): number => {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize;
};
