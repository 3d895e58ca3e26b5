import { requireS3, type S3Settings } from './config.ts';
import { openFolder } from './folder-store.ts';
import type { ObjectStore } from './object-store.ts';
import type { BackupTarget } from './target.ts';

/** Loads the code for S3 only if it is needed. */
export const openStore = async (target: BackupTarget, s3: S3Settings | undefined): Promise<ObjectStore> => {
  if (target.kind === 'folder') return openFolder(target.path);
  const { openBucket } = await import('./s3-store.ts');
  return openBucket(target, requireS3(s3));
};
