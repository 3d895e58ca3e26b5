import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../config/config.ts';
import { DatabaseSetupError, type PostgresDatabase } from '../db/database.ts';
import { pendingAfter, SCHEMA_VERSION } from '../db/migrations/index.ts';
import { openStorage } from '../db/open/open.ts';
import { explainSetupErrors } from '../db/open/setup-errors.ts';
import { entriesWithoutExtensions, restoreDump, rowsOfDump } from '../db/postgres/client-tools.ts';
import { findPrimary } from '../db/postgres/pool.ts';
import { KeySource } from '../features/workspaces/secret-key.ts';
import { PROGRAM } from '../lib/executable.ts';
import { connectUnused, rowsOf } from '../move/postgres-reader.ts';
import { UsageError } from './command.ts';
import { withTempFile } from './temp-file.ts';
import { describeFailures, verifyDatabase } from './verify.ts';

const EXTENSIONS = 'create extension if not exists pg_trgm; create extension if not exists btree_gin';

const NOTHING = 'Nothing was changed.';

/** The schema version of a dump that can be restored with the keys of this instance. */
const checkDump = async (file: string, name: string): Promise<number> => {
  const schema = (await rowsOfDump(file, 'migrations')).length;
  if (schema === 0) throw new DatabaseSetupError(`${name} is not a backup of Roster. ${NOTHING}`);
  if (schema > SCHEMA_VERSION)
    throw new DatabaseSetupError(
      `${name} has schema version ${schema}; this version of Roster supports ${SCHEMA_VERSION}. Use the newer version that wrote it. ${NOTHING}`,
    );
  pendingAfter(schema);
  const [check] = await rowsOfDump(file, 'seal_checks');
  const { secretKeys, dataDir } = readConfig(process.env);
  const problem = check && new KeySource(secretKeys, dataDir).problemWith(check.split('\t')[1] ?? '');
  if (problem) throw new DatabaseSetupError(`The backup is valid, but ${problem}. ${NOTHING}`);
  return schema;
};

const CONTENTS = 'select exists (select from workspaces), (select count(*) from migrations)';

/** Creates the extensions, which the dump leaves out. Returns the schema version of the database; 0 if it is empty. */
const prepareTarget = async (database: PostgresDatabase, schema: number, force: boolean): Promise<number> => {
  const client = await connectUnused(database, 'restore');
  try {
    const [[isKnown] = []] = await rowsOf(client, "select to_regclass('workspaces') is not null");
    const [[hasData, current = 0] = []] = isKnown === 't' ? await rowsOf(client, CONTENTS) : [];
    if (hasData === 't' && !force)
      throw new UsageError(
        `The database in ${database.variable ?? 'DATABASE_URL'} has data. To replace it, add --force.`,
      );
    if (Number(current) > schema)
      throw new DatabaseSetupError(
        `The backup has schema version ${schema}, and the database ${current}. Restore an older backup into an empty database. ${NOTHING}`,
      );
    await client.query(EXTENSIONS);
    return Number(current);
  } finally {
    await client.end();
  }
};

/** Replaces the database of the primary in one transaction, migrates it and verifies it. The dump is checked before, as far
 *  as it can be. Temporary files are created in `folder`. */
export const restorePostgres = async (
  database: PostgresDatabase,
  file: string,
  { force, name, folder }: { force: boolean; name: string; folder: string },
) => {
  const schema = await checkDump(file, name);
  const current = await explainSetupErrors(database, () => prepareTarget(database, schema, force));
  const { url } = await findPrimary(database.url);
  await withTempFile(join(folder, 'roster.restore.list'), async ({ path: list }) => {
    writeFileSync(list, await entriesWithoutExtensions(file));
    await restoreDump(url, { file, list, clean: current > 0 });
  });
  await (await openStorage(database, { onFault: () => {} })).close();
  const verified = await verifyDatabase(database);
  if (verified.failed.length > 0)
    throw new DatabaseSetupError(
      `${name} was restored, but failed verification.\n${describeFailures(verified)}\nTo check again: ${PROGRAM} verify`,
    );
  const { pathname } = new URL(url);
  const { contacts, agents } = verified;
  return { database: pathname.slice(1), contacts, agents, schema, previous_database: null };
};
