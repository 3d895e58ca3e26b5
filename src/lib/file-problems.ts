import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** Why a file cannot be written, by the code of the error. */
export const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'the folder does not exist',
  ENOTDIR: 'part of the path is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your disk quota is exceeded',
  EFBIG: 'the file has reached the maximum size',
};

/** Writes content to a file that only this user may read. If the file itself is the problem, throws what `explain` returns. */
export const writeFile = async (
  path: string,
  content: AsyncIterable<Uint8Array | string>,
  explain: (error: NodeJS.ErrnoException) => Error,
  { flags = 'w', flush = false } = {},
): Promise<void> => {
  try {
    // A stream that opens the file itself may create it after it was destroyed.
    const file = await open(path, flags, 0o600);
    await pipeline(content, file.createWriteStream({ flush }));
  } catch (caught) {
    const error = caught as NodeJS.ErrnoException;
    throw error.path === path || /^(?:write|fsync)$/.test(error.syscall ?? '') ? explain(error) : error;
  }
};
