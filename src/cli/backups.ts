import { listBackups } from '../backups/backup-store.ts';
import { openStore } from '../backups/open-store.ts';
import { describeTarget } from '../backups/target.ts';
import { readConfig } from '../config/config.ts';
import { formatBytes } from '../lib/diagnosis.ts';
import { targetOf } from './backup.options.ts';
import { type Command, type ParsedArgs, table } from './command.ts';

const list = async (args: ParsedArgs): Promise<void> => {
  const { backup } = readConfig(process.env);
  const target = targetOf('from', args, backup);
  const where = describeTarget(target);
  const backups = await listBackups(await openStore(target, backup.s3));
  const rows = backups.map(({ name, created_at, bytes, engine, schema, encrypted }) => [
    created_at,
    formatBytes(bytes),
    engine,
    `${schema}`,
    encrypted ? 'yes' : 'no',
    name,
  ]);
  const headings = ['TIME', 'SIZE', 'ENGINE', 'SCHEMA', 'ENCRYPTED', 'NAME'];
  args.print(
    backups.map(({ name, ...backup }) => ({ backup: where + name, ...backup })),
    rows.length === 0 ? `There are no backups at ${where}.` : table(headings, rows),
  );
};

export const backupsCommand: Command = {
  forms: {
    'roster backups [--from TARGET] [--json]': [
      'Lists the complete backups in a folder or at s3://bucket/prefix, newest first.',
      list,
    ],
  },
  options: { from: 'Folder or s3://bucket/prefix. Default: BACKUP_TO.' },
};
