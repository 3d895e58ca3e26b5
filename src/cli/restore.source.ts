import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { listBackups, readBackup } from '../backups/backup-store.ts';
import { type Decryption, isEncrypted } from '../backups/encryption.ts';
import { BackupError } from '../backups/object-store.ts';
import { openStore } from '../backups/open-store.ts';
import { type BackupTarget, describeTarget, splitBackup } from '../backups/target.ts';
import type { Config } from '../config/config.ts';
import { decryptedIfNeeded } from './backup.options.ts';
import { UsageError } from './command.ts';
import { onInterrupt } from './interrupt.ts';
import { withProgress } from './progress.ts';
import { withTempFile, writeContent } from './temp-file.ts';

/** A backup that can be made available as a plain file. */
export interface RestorableBackup {
  readonly name: string;
  /** A temporary file starts with the path `temp`. */
  withFile<T>(temp: string, work: (file: string) => Promise<T>): Promise<T>;
}

export interface RestoreResult {
  readonly database: string;
  readonly contacts: number;
  readonly agents: number;
  /** The schema version of the backup. */
  readonly schema: number;
  readonly previous_database: string | null;
}

/** Nothing is changed before the whole content was read, so that every error of the source can say so. */
const saveTo = async (path: string, content: AsyncIterable<Uint8Array>): Promise<void> => {
  try {
    await writeContent(path, withProgress('Reading', content), path);
  } catch (error) {
    if (error instanceof BackupError || error instanceof UsageError) error.message += ' Nothing was changed.';
    throw error;
  }
};

const inTempFile = <T>(
  temp: string,
  content: AsyncIterable<Uint8Array>,
  work: (file: string) => Promise<T>,
): Promise<T> =>
  withTempFile(temp, async ({ path }) => {
    await saveTo(path, content);
    return work(path);
  });

/** A file is copied only if it has to be decrypted. */
export const fileBackup = (name: string, decryption: Decryption): RestorableBackup => {
  const file = resolve(name);
  return {
    name,
    withFile: (temp, work) =>
      isEncrypted(file)
        ? inTempFile(temp, decryptedIfNeeded(createReadStream(file), decryption, name), work)
        : work(file),
  };
};

/** The named backup of a target, or else the newest one of the configured engine. */
export const storedBackup = async (
  from: BackupTarget,
  { backup, database }: Config,
  decryption: Decryption,
): Promise<RestorableBackup> => {
  const { target, name } = splitBackup(from);
  const store = await openStore(target, backup.s3, onInterrupt);
  const where = describeTarget(target);
  const backups = name === undefined ? await listBackups(store) : [];
  const chosen = name ?? backups.find(({ engine }) => engine === database.engine)?.name;
  if (chosen === undefined)
    throw new BackupError(
      backups.length > 0
        ? `The backups at ${where} are of another engine than the database in DATABASE_URL, which is ${database.engine}.`
        : `There are no backups at ${where}.`,
    );
  return {
    name: where + chosen,
    withFile: (temp, work) =>
      inTempFile(temp, decryptedIfNeeded(readBackup(store, chosen), decryption, where + chosen), work),
  };
};
