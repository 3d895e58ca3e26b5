import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { listBackups, readBackup } from '../backups/backup-store.ts';
import { type Decryption, encryptionOf } from '../backups/encryption.ts';
import { parseBackupName } from '../backups/names.ts';
import { BackupError } from '../backups/object-store.ts';
import { openStore } from '../backups/open-store.ts';
import { type BackupTarget, describeTarget, splitBackup } from '../backups/target.ts';
import type { Config } from '../config/config.ts';
import { UsageError } from './command.ts';
import { withProgress } from './progress.ts';
import { withTempFile, writeContent } from './temp-file.ts';

/** A backup that can be made available as a plain file. */
export interface RestorableBackup {
  readonly name: string;
  /** Its path, if it is a file. */
  readonly file?: string;
  readonly encryption: ReturnType<typeof encryptionOf>;
  content(): AsyncIterable<Uint8Array>;
}

/** Decrypts the content of an encrypted backup. */
async function* plainContent({ name, encryption, content }: RestorableBackup, decryption: Decryption) {
  if (encryption === 'armored')
    throw new UsageError(`${name} is armored. Convert it first: age --decrypt, or encrypt without --armor.`);
  if (encryption && decryption.identities.length === 0 && decryption.passphrase === undefined)
    throw new UsageError(
      `${name} is encrypted. Use --identity FILE for a secret key, or --passphrase-file FILE or BACKUP_PASSPHRASE for a passphrase.`,
    );
  if (encryption) yield* (await import('../backups/age.ts')).decrypted(content(), decryption, name);
  else yield* content();
}

/** Runs work on the plain content. A file is copied only if it has to be decrypted. Nothing is changed before the whole content
 *  was read, so that every error of the source can say so. A temporary file starts with the path `temp`. */
export const withPlainFile = <T>(
  backup: RestorableBackup,
  { temp, decryption }: { temp: string; decryption: Decryption },
  work: (file: string) => Promise<T>,
): Promise<T> => {
  if (backup.file !== undefined && !backup.encryption) return work(backup.file);
  return withTempFile(temp, async ({ path }) => {
    try {
      await writeContent(path, withProgress('Reading', plainContent(backup, decryption)), path);
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
  return { name, file, encryption: encryptionOf(file), content: () => createReadStream(file) };
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
  const encryption = parseBackupName(chosen)?.encrypted ? 'binary' : undefined;
  return { name: where + chosen, encryption, content: () => readBackup(store, chosen) };
};
