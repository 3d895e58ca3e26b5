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
