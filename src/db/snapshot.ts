import type { Check } from './check.ts';
import { migrations } from './migrations/index.ts';
import type { Database } from './open.ts';
import { openPostgresSnapshot } from './postgres/snapshot.ts';
import { explained } from './setup-errors.ts';
import { openSqliteSnapshot } from './sqlite/snapshot.ts';
import { UnfitError } from './unfit.ts';

/** One moment of a database, whole and as it is: nothing is migrated or written, and what others write meanwhile is not
 *  seen. For looks at all workspaces at once; operations go through the door. */
export interface Snapshot {
  /** How many steps of the schema were taken. */
  readonly schema: number;
  /** What can be checked on this engine alone. */
  readonly checks: readonly Check[];
  /** The strings of a JSON array, as a table `each` with the column `value`. */
  eachText(json: string): string;
  all<R>(sql: string): Promise<R[]>;
  close(): Promise<void>;
}

/** Opens a database to look at it; refuses one that a newer Roster has written, and what is no database of Roster's. */
export const openSnapshot = async (database: Database): Promise<Snapshot> => {
  const snapshot = await explained(database, async () =>
    database.engine === 'sqlite' ? openSqliteSnapshot(database.path) : openPostgresSnapshot(database.url),
  );
  if (snapshot.schema <= migrations.length) return snapshot;
  await snapshot.close();
  const where = database.engine === 'sqlite' ? database.path : 'The database';
  throw new UnfitError(
    `${where} has schema ${snapshot.schema}, this Roster knows ${migrations.length}. Use the newer version that wrote it.`,
  );
};
