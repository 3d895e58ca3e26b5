import type { BackupTarget } from '../backups/target.ts';
import { readConfig } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { explainSetupErrors } from '../db/open/setup-errors.ts';
import { tryBackupLock } from '../db/postgres/backup-lock.ts';
import { toolVersion } from '../db/postgres/client-tools.ts';
import { runToFile } from './backup.file.ts';
import { ENCRYPTION_OPTIONS, readEncryption, targetOf } from './backup.options.ts';
import { runToTarget } from './backup.target.ts';
import { AS_JSON, type Command, print, usageError } from './command.ts';
import { dumpInstructions, printInstructions } from './postgres-tools.ts';

const usage = {
  'roster backup FILE [--encrypt-to KEY] [--recipients-file FILE]\n                     [--passphrase-file FILE] [--force] [--json]':
    'Copies the database to a file and verifies the copy. The service may be running.',
  'roster backup [--to TARGET] [--keep N] [--keep-days DAYS] [--unless-since TIME]\n                     [--encrypt-to KEY] [--recipients-file FILE] [--passphrase-file FILE] [--json]':
    'Stores a backup in a folder or at s3://bucket/prefix, under a name with its time, and then deletes expired ones.',
};

const options = {
  to: { type: 'string', description: 'Folder or s3://bucket/prefix. Default: BACKUP_TO.' },
  keep: { type: 'string', description: 'How many of the newest backups to keep. Default: all.' },
  'keep-days': { type: 'string', description: 'For how many days to keep backups. Default: forever.' },
  'unless-since': {
    type: 'string',
    description: 'Do nothing if the target has a backup since this time, such as 2027-01-01T03:00:00Z.',
  },
  ...ENCRYPTION_OPTIONS,
  force: { type: 'boolean', description: 'Replace an existing file.' },
  json: AS_JSON,
} as const;

/** Instances with the same schedule back up at the same time; on PostgreSQL one does it. */
const runOnce = async (database: Database, json: boolean, work: () => Promise<void>): Promise<void> => {
  if (database.engine === 'sqlite') return work();
  const release = await explainSetupErrors(database, () => tryBackupLock(database.url));
  if (release) return work().finally(release);
  print(
    json,
    { skipped: true, backup: null },
    'Another process is backing up this database. Nothing was written.',
  );
};

export const backupCommand: Command = {
  usage,
  options,
  run: async (args) => {
    const { positionals, text, json } = args;
    const [name, ...more] = positionals;
    const config = readConfig(process.env);
    const target = targetOf('to', text('to'), config.backup);
    if (more.length > 0 || (name !== undefined && text('to') !== undefined)) throw usageError(usage);
    if (name === undefined && !target) throw usageError(usage);
    const encryption = readEncryption(args, config.backup);
    if (encryption) (await import('../backups/age.ts')).checkEncryption(encryption);
    const { database } = config.backup;
    if (name !== undefined) {
      if (database.engine === 'postgres' && (await toolVersion('pg_dump')) === undefined)
        return printInstructions(json, dumpInstructions(database.url, name));
      return runToFile(name, config, encryption, args);
    }
    const run = () => runToTarget(target as BackupTarget, config, encryption, args);
    return text('unless-since') === undefined ? run() : runOnce(database, json, run);
  },
};
