import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseBackupName } from './names.ts';

/** Where backups are stored. A prefix is empty or ends with a slash. */
export type BackupTarget =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string };

export const TARGET_FORM =
  'must be a folder, file:///folder or s3://bucket/prefix with a bucket of 3 to 63 characters';

const isBucket = (name: string): boolean => name.length >= 3 && name.length <= 63 && !/[^\w.-]/.test(name);

/** Undefined if the text is not a target. */
export const parseTarget = (text: string): BackupTarget | undefined => {
  if (text.startsWith('s3://')) {
    const [bucket = '', ...path] = text.slice('s3://'.length).split('/');
    const prefix = path.filter(Boolean).join('/');
    return isBucket(bucket) ? { kind: 's3', bucket, prefix: prefix && `${prefix}/` } : undefined;
  }
  if (/^file:\/\/\//.test(text) && URL.canParse(text)) return { kind: 'folder', path: fileURLToPath(text) };
  return text === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
    ? undefined
    : { kind: 'folder', path: resolve(text) };
};

/** Splits a target whose last part is the name of a backup, such as `s3://bucket/prefix/roster-….db`. */
export const splitBackup = (target: BackupTarget): { target: BackupTarget; name: string | undefined } => {
  const path = target.kind === 'folder' ? target.path : target.prefix.replace(/\/$/, '');
  const name = basename(path);
  if (!parseBackupName(name)) return { target, name: undefined };
  if (target.kind === 'folder') return { target: { kind: 'folder', path: dirname(path) }, name };
  return { target: { ...target, prefix: path.slice(0, -name.length) }, name };
};

export const describeTarget = (target: BackupTarget): string =>
  target.kind === 'folder' ? join(target.path, '/') : `s3://${target.bucket}/${target.prefix}`;
