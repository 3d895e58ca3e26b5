import type { Snapshot } from '../check.ts';
import type { Database } from '../database.ts';
import { DatabaseSetupError } from '../database.ts';
import { migrations, pendingAfter, SCHEMA_VERSION } from '../migrations/index.ts';
import { openPostgresSnapshot } from '../postgres/snapshot.ts';
import { openSqliteSnapshot } from '../sqlite/snapshot.ts';
import { explainSetupErrors } from './setup-errors.ts';

/** Opens a database read-only. Rejects a database that a newer Roster has written. Only a move accepts the target of an
 *  unfinished move. */
export const openSnapshot = async (database: Database, { forMove = false } = {}): Promise<Snapshot> => {
  const snapshot = await explainSetupErrors(database, async () =>
    database.engine === 'sqlite'
      ? openSqliteSnapshot(database.path, forMove)
      : openPostgresSnapshot(database.url, forMove),
  );
  if (snapshot.schema === 0 || migrations.some(({ version }) => version === snapshot.schema)) return snapshot;
  await snapshot.close();
  if (snapshot.schema < SCHEMA_VERSION) pendingAfter(snapshot.schema);
  const where = database.engine === 'sqlite' ? database.path : 'The database';
  throw new DatabaseSetupError(
    `${where} has schema version ${snapshot.schema}; this version of Roster supports ${SCHEMA_VERSION}. Use the newer version that wrote it.`,
  );
};
