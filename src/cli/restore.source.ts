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
import { withProgress } from './progress.ts';
import { withTempFile, writeContent } from './temp-file.ts';

/** A backup that can be made available as a plain file. */
export interface RestorableBackup {
  readonly name: string;
  /** Its path, if it is a file. */
  readonly file?: string;
  content(): AsyncIterable<Uint8Array>;
}

export interface RestoreResult {
  readonly database: string;
  readonly contacts: number;
  readonly agents: number;
  /** The schema version of the backup. */
  readonly schema: number;
  readonly previous_database: string | null;
}

/** Runs work on the plain content. A file is copied only if it has to be decrypted. Nothing is changed before the whole content
 *  was read, so that every error of the source can say so. A temporary file starts with the path `temp`. */
export const withPlainFile = <T>(
  { name, file, content }: RestorableBackup,
  { temp, decryption }: { temp: string; decryption: Decryption },
  work: (file: string) => Promise<T>,
): Promise<T> => {
  if (file !== undefined && !isEncrypted(file)) return work(file);
  return withTempFile(temp, async ({ path }) => {
    try {
      const plain = decryptedIfNeeded(content(), decryption, name);
      await writeContent(path, withProgress('Reading', plain), path);
    } catch (error) {
      if (error instanceof BackupError || error instanceof UsageError)
        error.message += ' Nothing was changed.';
      throw error;
    }
    return work(path);
  });
};

export const fileBackup = (name: string): RestorableBackup => {
  const file = resolve(name);
  return { name, file, content: () => createReadStream(file) };
};

/** The named backup of a target, or else the newest one of the configured engine. */
export const storedBackup = async (
  from: BackupTarget,
  { backup, database }: Config,
): Promise<RestorableBackup> => {
  const { target, name } = splitBackup(from);
  const store = await openStore(target, backup.s3);
  const where = describeTarget(target);
  const backups = name === undefined ? await listBackups(store) : [];
  const chosen = name ?? backups.find(({ engine }) => engine === database.engine)?.name;
  if (chosen === undefined)
    throw new BackupError(
      backups.length > 0
        ? `The backups at ${where} are of another engine than the database in DATABASE_URL, which is ${database.engine}.`
        : `There are no backups at ${where}.`,
    );
  return { name: where + chosen, content: () => readBackup(store, chosen) };
};
