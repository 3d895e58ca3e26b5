import { dirname, join, resolve } from 'node:path';
import { type Config, readConfig } from '../config/config.ts';
import { DatabaseSetupError } from '../db/database.ts';
import { makeFolder } from '../db/make-folder.ts';
import { SCHEMA_VERSION } from '../db/migrations/index.ts';
import { openSnapshot } from '../db/open/snapshot.ts';
import { requireTool } from '../db/postgres/client-tools.ts';
import { checkpointAndLeaveWal } from '../db/sqlite/backup.ts';
import { lockExclusively } from '../db/sqlite/exclusive-lock.ts';
import { migrateSqlite } from '../db/sqlite/migrate.ts';
import { PROGRAM } from '../lib/executable.ts';
import { PASSPHRASE_FILE, readDecryption, targetOf } from './backup.options.ts';
import { copyWithProgress } from './backup.source.ts';
import { type Command, type ParsedArgs, pluralize, shellQuote, UsageError } from './command.ts';
import { restorePostgres } from './restore.postgres.ts';
import { fileBackup, type RestorableBackup, storedBackup, withPlainFile } from './restore.source.ts';
import { type TempFile, withTempFile } from './temp-file.ts';
import { describeFailures, type VerifyReport, verifyDatabase } from './verify.ts';

const requireValid = async (path: string, name: string): Promise<VerifyReport> => {
  const verified = await verifyDatabase({ engine: 'sqlite', path });
  if (verified.failed.length === 0) return verified;
  if (verified.keyProblem)
    throw new DatabaseSetupError(`The backup is valid, but ${verified.keyProblem}. Nothing was changed.`);
  throw new DatabaseSetupError(
    `${name} failed verification. Nothing was changed.\n${describeFailures(verified)}`,
  );
};

/** Copies the backup, verifies it and migrates it to the current schema. */
const prepare = async (file: string, draft: TempFile, name: string): Promise<VerifyReport> => {
  await copyWithProgress('Copying', file, draft.path);
  const verified = await requireValid(draft.path, name);
  if (verified.schema === SCHEMA_VERSION) return verified;
  migrateSqlite(draft.path);
  checkpointAndLeaveWal(draft.path);
  return {
    ...(await requireValid(draft.path, `${name}, migrated to the current schema,`)),
    schema: verified.schema,
  };
};

/** The new name of the replaced database. */
const datedName = (path: string): string =>
  `${path}.replaced-${new Date().toISOString().replace(/[:.]/g, '')}`;

/** The command line of this process, with --force. */
const forcedCommand = (): string => [PROGRAM, ...process.argv.slice(2).map(shellQuote), '--force'].join(' ');

const restoreSqlite = async (
  file: string,
  path: string,
  { force, name }: { force: boolean; name: string },
) => {
  const lock = lockExclusively(path);
  try {
    if (lock.hasData && !force)
      throw new UsageError(
        `A database already exists at ${path}. To replace it and rename the existing one: ${forcedCommand()}`,
      );
    return await withTempFile(path, async (draft) => {
      const { contacts, agents, schema } = await prepare(file, draft, name);
      const renamedTo = lock.hasData ? datedName(path) : null;
      if (renamedTo) lock.linkAs(renamedTo);
      draft.commit();
      return { database: path, contacts, agents, schema, previous_database: renamedTo };
    });
  } finally {
    lock.release();
  }
};

const formatSummary = ({
  database,
  contacts,
  agents,
  schema,
  previous_database: previous,
}: Awaited<ReturnType<typeof restoreSqlite>>): string =>
  [
    `Restored ${pluralize(contacts, 'contact')} and ${pluralize(agents, 'agent')} to ${database}. You can start the service.`,
    ...(schema < SCHEMA_VERSION
      ? [`The database was migrated from schema ${schema} to ${SCHEMA_VERSION}.`]
      : []),
    ...(previous
      ? [`The previous database was renamed to ${previous}. Remove it when you no longer need it.`]
      : []),
  ].join('\n');

/** Errors name the backup instead of its temporary file. */
const assertReadable = async (file: string, name: string): Promise<void> => {
  try {
    await (await openSnapshot({ engine: 'sqlite', path: file })).close();
  } catch (error) {
    if (error instanceof DatabaseSetupError && file !== resolve(name))
      error.message = error.message.replaceAll(file, name);
    throw error;
  }
};

const run = async (args: ParsedArgs, backup: RestorableBackup, config: Config): Promise<void> => {
  const { database } = config.backup;
  const force = args.flag('force');
  const folder = database.engine === 'sqlite' ? dirname(database.path) : config.dataDir;
  const reading = {
    temp: join(folder, 'roster.restore'),
    decryption: readDecryption(args, config.backup),
  };
  makeFolder(folder);
  const restored = await withPlainFile(backup, reading, async (file) => {
    if (database.engine === 'postgres')
      return restorePostgres(database, file, { force, name: backup.name, folder });
    await assertReadable(file, backup.name);
    return restoreSqlite(file, database.path, { force, name: backup.name });
  });
  args.print({ ...restored, backup: backup.name }, formatSummary(restored));
};

const restore = async (args: ParsedArgs): Promise<void> => {
  const [name] = args.operands;
  const config = readConfig(process.env);
  const { database } = config.backup;
  if (database.engine === 'postgres') await requireTool('pg_restore');
  if (name !== undefined && database.engine === 'sqlite' && resolve(name) === database.path)
    throw new UsageError(`${name} is the database itself. Choose a backup file.`);
  const backup =
    name === undefined ? await storedBackup(targetOf('from', args, config.backup), config) : fileBackup(name);
  await run(args, backup, config);
};

export const restoreCommand: Command = {
  forms: {
    'roster restore FILE [--identity FILE] [--passphrase-file FILE] [--force] [--json]': [
      'Verifies a backup and replaces the database with it. The service must be stopped.',
      restore,
    ],
    'roster restore --from TARGET [--identity FILE] [--passphrase-file FILE] [--force] [--json]': [
      'Restores the newest backup in a folder or at s3://bucket/prefix, or the one that the target names.',
      restore,
    ],
  },
  options: {
    from: 'Folder or s3://bucket/prefix, or one backup in it.',
    identity: 'File with secret keys of age that decrypt the backup.',
    'passphrase-file': PASSPHRASE_FILE,
    force: 'Replace an existing database, which is renamed.',
  },
};
