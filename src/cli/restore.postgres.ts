import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { readConfig } from '../config/config.ts';
import { DatabaseSetupError, type PostgresDatabase } from '../db/database.ts';
import { SCHEMA_VERSION } from '../db/migrations/index.ts';
import { openStorage } from '../db/open/open.ts';
import { explainSetupErrors } from '../db/open/setup-errors.ts';
import {
  DIRECT_CONNECTION,
  entriesWithoutExtensions,
  restoreDump,
  rowsOfDump,
} from '../db/postgres/client-tools.ts';
import { findPrimary } from '../db/postgres/pool.ts';
import { KeySource } from '../features/workspaces/secret-key.ts';
import { PROGRAM } from '../lib/executable.ts';
import { describeFailures } from './backup.source.ts';
import { UsageError } from './command.ts';
import { onInterrupt } from './interrupt.ts';
import type { RestoreResult } from './restore.source.ts';
import { withTempFile } from './temp-file.ts';
import { isValid, verifyDatabase } from './verify.ts';

const EXTENSIONS = 'create extension if not exists pg_trgm; create extension if not exists btree_gin';

const STATE = `select
  (select count(*)::int from pg_stat_activity where datname = current_database()
    and application_name like 'roster%' and pid <> pg_backend_pid()) as sessions,
  to_regclass('workspaces') is not null as known`;

const NOTHING = 'Nothing was changed.';

/** What is in the database now, and whether a service uses it. */
const readState = async (client: Client) => {
  const { rows } = await client.query(STATE);
  const { sessions, known } = rows[0] as { sessions: number; known: boolean };
  if (!known) return { sessions, hasData: false, schema: 0 };
  const counts = await client.query(
    'select exists (select from workspaces) as "hasData", (select count(*)::int from migrations) as schema',
  );
  return { sessions, ...(counts.rows[0] as { hasData: boolean; schema: number }) };
};

/** The schema version of a dump that can be restored with the keys of this instance. */
const checkDump = async (file: string, name: string): Promise<number> => {
  const schema = (await rowsOfDump(file, 'migrations')).length;
  if (schema === 0) throw new DatabaseSetupError(`${name} is not a backup of Roster. ${NOTHING}`);
  if (schema > SCHEMA_VERSION)
    throw new DatabaseSetupError(
      `${name} has schema version ${schema}; this version of Roster supports ${SCHEMA_VERSION}. Use the newer version that wrote it. ${NOTHING}`,
    );
  const [check] = await rowsOfDump(file, 'seal_checks');
  const { secretKeys, dataDir } = readConfig(process.env);
  const problem = check && new KeySource(secretKeys, dataDir).problemWith(check.split('\t')[1] ?? '');
  if (problem) throw new DatabaseSetupError(`The backup is valid, but ${problem}. ${NOTHING}`);
  return schema;
};

const withConnection = <T>(database: PostgresDatabase, work: (client: Client) => Promise<T>): Promise<T> =>
  explainSetupErrors(database, async () => {
    const client = new Client({ connectionString: database.url, application_name: 'roster restore' });
    await client.connect();
    return work(client).finally(() => client.end());
  });

/** Replaces the database of the primary in one transaction, migrates it and verifies it. The dump is checked before, as far
 *  as it can be. Temporary files are created in `folder`. */
export const restorePostgres = async (
  database: PostgresDatabase,
  file: string,
  { force, name, folder }: { force: boolean; name: string; folder: string },
): Promise<RestoreResult> => {
  const schema = await checkDump(file, name);
  const { isPooled, url } = await explainSetupErrors(database, () => findPrimary(database.url));
  if (isPooled) throw new DatabaseSetupError(`${DIRECT_CONNECTION} ${NOTHING}`);
  const primary = { ...database, url };
  const state = await withConnection(primary, readState);
  if (state.sessions > 0)
    throw new DatabaseSetupError('The database is in use. Stop the service and other commands first.');
  if (state.hasData && !force)
    throw new UsageError(
      `The database in ${database.variable ?? 'DATABASE_URL'} has data. To replace it, add --force.`,
    );
  if (state.schema > schema)
    throw new DatabaseSetupError(
      `The backup has schema version ${schema}, and the database ${state.schema}. Restore an older backup into an empty database. ${NOTHING}`,
    );
  await withConnection(primary, (client) => client.query(EXTENSIONS));
  await withTempFile(join(folder, 'roster.restore.list'), async ({ path: list }) => {
    writeFileSync(list, await entriesWithoutExtensions(file));
    await restoreDump(url, { file, list, clean: state.schema > 0, onInterrupt });
  });
  await (await openStorage(database, { onFault: () => {} })).close();
  const verified = await verifyDatabase(database);
  if (!isValid(verified))
    throw new DatabaseSetupError(
      `${name} was restored, but failed verification.\n${describeFailures(verified)}\nTo check again: ${PROGRAM} verify`,
    );
  const { pathname } = new URL(url);
  const { contacts, agents } = verified;
  return { database: pathname.slice(1), contacts, agents, schema, previous_database: null };
};
