import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseBackupName } from './names.ts';

/** Where backups are stored. A prefix is empty or ends with a slash. */
export type BackupTarget =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string };

export const TARGET_FORM =
  'must be a folder, file:///folder or s3://bucket/prefix with a bucket of 3 to 63 characters';

/** Undefined if the text is not a target. */
export const parseTarget = (text: string): BackupTarget | undefined => {
  const [, bucket, path = ''] = /^s3:\/\/([\w.-]{3,63})(?:\/(.*))?$/.exec(text) ?? [];
  if (bucket !== undefined) {
    const prefix = path.split('/').filter(Boolean).join('/');
    return { kind: 's3', bucket, prefix: prefix && `${prefix}/` };
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
