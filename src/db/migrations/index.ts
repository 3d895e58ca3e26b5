import { DatabaseSetupError } from '../database.ts';
import { firstRelease } from './0.1.0/index.ts';
import { secondRelease } from './1.0.0/index.ts';
import { releaseCandidate } from './1.0.0-rc.1.ts';
import type { Migration } from './migration.ts';

export const migrations: readonly Migration[] = [firstRelease, releaseCandidate, secondRelease];

export const SCHEMA_VERSION = migrations.at(-1)?.version ?? 0;

/** The migrations that a database of a version needs; 0 is an empty one. Rejects a database that a newer Roster has written, or one
 *  of the development between two releases. */
export const pendingAfter = (applied: number): readonly Migration[] => {
  if (applied > SCHEMA_VERSION)
    throw new DatabaseSetupError(
      `The database has schema version ${applied}; this version of Roster supports ${SCHEMA_VERSION}. Start the newer version that wrote it.`,
    );
  if (applied > 0 && !migrations.some(({ version }) => version === applied))
    throw new DatabaseSetupError(
      `The database has schema version ${applied}, which no release has. Start a new database, or migrate this one with the checkout that wrote it.`,
    );
  return migrations.filter(({ version }) => version > applied);
};

/** The rows of the table of migrations for one of them. There is one for each version: the version of a database is their number. */
export const rowsAfter = (applied: number, { version, name }: Migration): [number: number, name: string][] =>
  Array.from({ length: version - applied }, (_, at) => [applied + at + 1, name]);
