import { mkdirSync, rmdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { DatabaseSetupError } from '../db/database.ts';
import { migrations } from '../db/migrations/index.ts';
import { openSnapshot } from '../db/snapshot.ts';
import { checkpointAndLeaveWal } from '../db/sqlite/backup.ts';
import { type ExclusiveLock, lockExclusively } from '../db/sqlite/exclusive-lock.ts';
import { migrateSqlite } from '../db/sqlite/migrate.ts';
import { copyShown } from './backup.ts';
import { AS_JSON, type Command, counted, print, quoted, UsageError, usageError } from './command.ts';
import { loading, tellElsewhere } from './postgres-tools.ts';
import { type Draft, withDraft } from './temp-file.ts';
import { isSound, type Verified, verdictWords, verifyDatabase } from './verify.ts';

const usage = {
  'roster restore FILE [--force] [--json]':
    'Verifies a backup and puts it in the place of the database. The service must be stopped.',
};

const options = {
  force: { type: 'boolean', means: 'replace a database that is there already, and keep it beside' },
  json: AS_JSON,
} as const;

const requireSound = async (path: string, name: string): Promise<Verified> => {
  const verified = await verifyDatabase({ engine: 'sqlite', path });
  if (isSound(verified)) return verified;
  if (verified.keyFault)
    throw new DatabaseSetupError(`The backup is sound, but ${verified.keyFault}. Nothing was changed.`);
  const wrong = verified.verdicts.filter(({ count }) => count > 0).map(verdictWords);
  throw new DatabaseSetupError(`${name} is not sound. Nothing was changed.\n${wrong.join('\n')}`);
};

/** Makes the copy that takes the database's place: of this version's schema, verified, one file. */
const prepare = async (file: string, draft: Draft, name: string): Promise<Verified> => {
  await copyShown('Copying', file, draft.path);
  const verified = await requireSound(draft.path, name);
  if (verified.schema === migrations.length) return verified;
  migrateSqlite(draft.path);
  checkpointAndLeaveWal(draft.path);
  return { ...(await requireSound(draft.path, `${name}, brought up to date,`)), schema: verified.schema };
};

/** The name under which the database that is replaced is kept. */
const datedName = (path: string): string => `${path}.until-${new Date().toISOString().replace(/[:.]/g, '')}`;

const assertReplaceable = ({ hasData }: ExclusiveLock, force: boolean, path: string, name: string): void => {
  if (!hasData || force) return;
  throw new UsageError(
    `There is a database at ${path} already. To replace it, and keep it beside under another name: npx roster restore ${quoted(name)} --force`,
  );
};

/** Removes folders from the innermost out, as long as they are empty. */
const removeEmpty = (innermost: string, outermost: string): void => {
  try {
    for (let folder = innermost; folder.length >= outermost.length; folder = dirname(folder))
      rmdirSync(folder);
  } catch {
    // Somebody has put something there.
  }
};

/** Works in a folder, made where it is not there. What was made for work that failed goes again. */
const inFolder = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    return await work();
  } catch (error) {
    if (made !== undefined) removeEmpty(folder, made);
    throw error;
  }
};

const restore = async (file: string, path: string, { force, name }: { force: boolean; name: string }) => {
  const held = lockExclusively(path);
  try {
    assertReplaceable(held, force, path, name);
    return await withDraft(path, async (draft) => {
      const { contacts, agents, schema } = await prepare(file, draft, name);
      const kept = held.hasData ? datedName(path) : null;
      if (kept) held.linkAs(kept);
      draft.place(path);
      return { database: path, contacts, agents, schema, kept };
    });
  } finally {
    held.release();
  }
};

type Restored = Awaited<ReturnType<typeof restore>>;

const words = ({ database, contacts, agents, schema, kept }: Restored): string =>
  [
    `${database} holds ${counted(contacts, 'contact')} and ${counted(agents, 'agent')} again. The service can be started.`,
    ...(schema < migrations.length ? [`It was brought from schema ${schema} to ${migrations.length}.`] : []),
    ...(kept ? [`What was there before is kept as ${kept}; remove it once it is not needed.`] : []),
  ].join('\n');

/** Puts a backup in the place of the database. */
export const restoreCommand: Command = {
  usage,
  options,
  run: async ({ words: given, flag, json }) => {
    const [name, ...more] = given;
    if (name === undefined || more.length > 0) throw usageError(usage);
    const { database } = readConfig(process.env);
    if (database.engine === 'postgres') return tellElsewhere(json, loading(database.url, name));
    const file = resolve(name);
    if (file === database.path) throw new UsageError(`${name} is the database itself. Name the backup.`);
    await (await openSnapshot({ engine: 'sqlite', path: file })).close();
    const restored = await inFolder(dirname(database.path), () =>
      restore(file, database.path, { force: flag('force'), name }),
    );
    print(json, restored, words(restored));
  },
};
