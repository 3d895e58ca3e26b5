import type { BackupConfig } from '../backups/config.ts';
import { readConfig } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { explainSetupErrors } from '../db/open/setup-errors.ts';
import { tryBackupLock } from '../db/postgres/backup-lock.ts';
import { toolVersion } from '../db/postgres/client-tools.ts';
import { runToFile } from './backup.file.ts';
import { ENCRYPTION_OPTIONS, readEncryption, targetOf } from './backup.options.ts';
import { runToTarget } from './backup.target.ts';
import type { Command, ParsedArgs } from './command.ts';
import { dumpInstructions, printInstructions } from './postgres-tools.ts';

/** Instances with the same schedule back up at the same time; on PostgreSQL one does it. */
const runOnce = async (database: Database, args: ParsedArgs, work: () => Promise<void>): Promise<void> => {
  if (database.engine === 'sqlite') return work();
  const release = await explainSetupErrors(database, () => tryBackupLock(database.url));
  if (release) return work().finally(release);
  const message = 'Another process is backing up this database. Nothing was written.';
  args.print({ skipped: true, backup: null }, message);
};

const encryptionOf = async (args: ParsedArgs, config: BackupConfig) => {
  const encryption = readEncryption(args, config);
  if (encryption) (await import('../backups/age.ts')).checkEncryption(encryption);
  return encryption;
};

const toFile = async (args: ParsedArgs): Promise<void> => {
  const [name = ''] = args.operands;
  const config = readConfig(process.env);
  const { database } = config.backup;
  const encryption = await encryptionOf(args, config.backup);
  if (database.engine === 'postgres' && (await toolVersion('pg_dump')) === undefined)
    return printInstructions(args, dumpInstructions(database.url, name));
  return runToFile(name, config, encryption, args);
};

const toTarget = async (args: ParsedArgs): Promise<void> => {
  const config = readConfig(process.env);
  const target = targetOf('to', args.text('to'), config.backup);
  if (!target) throw args.usageError();
  const encryption = await encryptionOf(args, config.backup);
  const run = () => runToTarget(target, config, encryption, args);
  return args.text('unless-since') === undefined ? run() : runOnce(config.backup.database, args, run);
};

export const backupCommand: Command = {
  forms: {
    [`roster backup FILE [--encrypt-to KEY]… [--recipients-file FILE]
                     [--passphrase-file FILE] [--force] [--json]`]: [
      'Copies the database to a file and verifies the copy. The service may be running.',
      toFile,
    ],
    [`roster backup [--to TARGET] [--keep N] [--keep-days DAYS] [--unless-since TIME]
                     [--encrypt-to KEY]… [--recipients-file FILE] [--passphrase-file FILE] [--json]`]: [
      'Stores a backup in a folder or at s3://bucket/prefix, under a name with its time, and then deletes expired ones.',
      toTarget,
    ],
  },
  options: {
    to: 'Folder or s3://bucket/prefix. Default: BACKUP_TO.',
    keep: 'How many of the newest backups to keep. Default: all.',
    'keep-days': 'For how many days to keep backups. Default: forever.',
    'unless-since': 'Do nothing if the target has a backup since this time, such as 2027-01-01T03:00:00Z.',
    ...ENCRYPTION_OPTIONS,
  },
};
