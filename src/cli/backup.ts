import { readConfig } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { explainSetupErrors } from '../db/open/setup-errors.ts';
import { tryBackupLock } from '../db/postgres/backup-lock.ts';
import { PASSPHRASE_FILE, readEncryption, targetOf } from './backup.options.ts';
import { type BackupRun, backUpToFile, backUpToTarget } from './backup.run.ts';
import type { Command, ParsedArgs } from './command.ts';

/** Instances with the same schedule back up at the same time; on PostgreSQL one does it. */
const runOnce = async (database: Database, args: ParsedArgs, work: () => Promise<void>): Promise<void> => {
  if (database.engine === 'sqlite') return work();
  const release = await explainSetupErrors(database, () => tryBackupLock(database.url));
  if (release) return work().finally(release);
  const message = 'Another process is backing up this database. Nothing was written.';
  args.print({ skipped: true, backup: null }, message);
};

const prepare = async (args: ParsedArgs): Promise<BackupRun> => {
  const config = readConfig(process.env);
  const encryption = readEncryption(args, config.backup);
  // Refuses an invalid key before the work begins.
  if (encryption) (await import('../backups/age.ts')).encrypterFor(encryption);
  return { config, encryption, args };
};

const toFile = async (args: ParsedArgs): Promise<void> =>
  backUpToFile(args.operands[0] ?? '', await prepare(args));

const toTarget = async (args: ParsedArgs): Promise<void> => {
  const run = await prepare(args);
  const { backup } = run.config;
  const target = targetOf('to', args, backup);
  const backUp = () => backUpToTarget(target, run);
  return args.text('unless-since') === undefined ? backUp() : runOnce(backup.database, args, backUp);
};

export const backupCommand: Command = {
  forms: {
    'roster backup FILE [--encrypt-to KEY]… [--passphrase-file FILE] [--force] [--json]': [
      'Copies the database to a file and verifies the copy. The service may be running.',
      toFile,
    ],
    [`roster backup [--to TARGET] [--keep N] [--keep-days DAYS] [--unless-since TIME]
                     [--encrypt-to KEY]… [--passphrase-file FILE] [--json]`]: [
      'Stores a backup in a folder or at s3://bucket/prefix, under a name with its time, and then deletes expired ones.',
      toTarget,
    ],
  },
  options: {
    to: 'Folder or s3://bucket/prefix. Default: BACKUP_TO.',
    keep: 'How many of the newest backups to keep. Default: all.',
    'keep-days': 'For how many days to keep backups. Default: forever.',
    'unless-since': 'Do nothing if the target has a backup since this time, such as 2027-01-01T03:00:00Z.',
    'encrypt-to': 'Public key of age to encrypt for; repeatable. Default: BACKUP_ENCRYPT_TO.',
    'passphrase-file': PASSPHRASE_FILE,
  },
};
