import { mkdirSync, rmdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { DatabaseSetupError } from '../db/database.ts';
import { migrations } from '../db/migrations/index.ts';
import { openSnapshot } from '../db/snapshot.ts';
import { checkpointAndLeaveWal } from '../db/sqlite/backup.ts';
import { type ExclusiveLock, lockExclusively } from '../db/sqlite/exclusive-lock.ts';
import { migrateSqlite } from '../db/sqlite/migrate.ts';
import { PROGRAM } from '../lib/executable.ts';
import { copyWithProgress } from './backup.ts';
import { AS_JSON, type Command, pluralize, print, shellQuote, UsageError, usageError } from './command.ts';
import { printInstructions, restoreInstructions } from './postgres-tools.ts';
import { type TempFile, withTempFile } from './temp-file.ts';
import { formatResult, isValid, type VerifyReport, verifyDatabase } from './verify.ts';

const usage = {
  'roster restore FILE [--force] [--json]':
    'Verifies a backup and replaces the database with it. The service must be stopped.',
};

const options = {
  force: { type: 'boolean', description: 'Replace an existing database, which is renamed.' },
  json: AS_JSON,
} as const;

const requireValid = async (path: string, name: string): Promise<VerifyReport> => {
  const verified = await verifyDatabase({ engine: 'sqlite', path });
  if (isValid(verified)) return verified;
  if (verified.keyProblem)
    throw new DatabaseSetupError(`The backup is valid, but ${verified.keyProblem}. Nothing was changed.`);
  const failures = verified.results.filter(({ count }) => count > 0).map(formatResult);
  throw new DatabaseSetupError(`${name} failed verification. Nothing was changed.\n${failures.join('\n')}`);
};

/** Copies the backup, verifies it and migrates it to the current schema. */
const prepare = async (file: string, draft: TempFile, name: string): Promise<VerifyReport> => {
  await copyWithProgress('Copying', file, draft.path);
  const verified = await requireValid(draft.path, name);
  if (verified.schema === migrations.length) return verified;
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

const assertReplaceable = ({ hasData }: ExclusiveLock, force: boolean, path: string, name: string): void => {
  if (!hasData || force) return;
  throw new UsageError(
    `A database already exists at ${path}. To replace it and rename the existing one: ${PROGRAM} restore ${shellQuote(name)} --force`,
  );
};

/** Removes empty folders, starting with the innermost. */
const removeEmpty = (innermost: string, outermost: string): void => {
  try {
    for (let folder = innermost; folder.length >= outermost.length; folder = dirname(folder))
      rmdirSync(folder);
  } catch {
    // The folder is not empty.
  }
};

/** Creates a folder, and removes it if `work` fails. */
const inFolder = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  const created = mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    return await work();
  } catch (error) {
    if (created !== undefined) removeEmpty(folder, created);
    throw error;
  }
};

const restore = async (file: string, path: string, { force, name }: { force: boolean; name: string }) => {
  const lock = lockExclusively(path);
  try {
    assertReplaceable(lock, force, path, name);
    return await withTempFile(path, async (draft) => {
      const { contacts, agents, schema } = await prepare(file, draft, name);
      const renamedTo = lock.hasData ? datedName(path) : null;
      if (renamedTo) lock.linkAs(renamedTo);
      draft.commitAs(path);
      return { database: path, contacts, agents, schema, previous_database: renamedTo };
    });
  } finally {
    lock.release();
  }
};

type RestoreResult = Awaited<ReturnType<typeof restore>>;

const formatSummary = ({
  database,
  contacts,
  agents,
  schema,
  previous_database: previous,
}: RestoreResult): string =>
  [
    `Restored ${pluralize(contacts, 'contact')} and ${pluralize(agents, 'agent')} to ${database}. You can start the service.`,
    ...(schema < migrations.length
      ? [`The database was migrated from schema ${schema} to ${migrations.length}.`]
      : []),
    ...(previous
      ? [`The previous database was renamed to ${previous}. Remove it when you no longer need it.`]
      : []),
  ].join('\n');

export const restoreCommand: Command = {
  usage,
  options,
  run: async ({ positionals, flag, json }) => {
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) throw usageError(usage);
    const { database } = readConfig(process.env);
    if (database.engine === 'postgres')
      return printInstructions(json, restoreInstructions(database.url, name));
    const file = resolve(name);
    if (file === database.path) throw new UsageError(`${name} is the database itself. Choose a backup file.`);
    await (await openSnapshot({ engine: 'sqlite', path: file })).close();
    const restored = await inFolder(dirname(database.path), () =>
      restore(file, database.path, { force: flag('force'), name }),
    );
    print(json, restored, formatSummary(restored));
  },
};
