import { existsSync } from 'node:fs';
import { type Diagnosis, diagnoses, diagnosis, type Finding } from '../../lib/diagnosis.ts';
import { PROGRAM } from '../../lib/executable.ts';
import type { Snapshot } from '../check.ts';
import { type Database, DatabaseSetupError } from '../database.ts';
import { SCHEMA_VERSION } from '../migrations/index.ts';
import { diagnosePostgres } from '../postgres/diagnose.ts';
import { diagnoseReplica } from '../postgres/diagnose-replica.ts';
import { diagnoseServers } from '../postgres/server-states.ts';
import { diagnoseSqlite } from '../sqlite/file-state.ts';
import { explainSetupErrors } from './setup-errors.ts';
import { openSnapshot } from './snapshot.ts';

const schemaOf = ({ schema }: Snapshot): Finding => {
  if (schema === SCHEMA_VERSION) return `Version ${schema}, the one of this program.`;
  const message = `Version ${schema}; the next start migrates it to ${SCHEMA_VERSION}.`;
  return ['warning', message, 'Make a backup before the start.'];
};

const DAMAGE_FIX = `Stop the service, restore the newest backup, and check the disk. ${PROGRAM} verify lists all damage.`;

/** Reads every page of a SQLite file. PostgreSQL checks its pages itself. */
const pagesOf = async ({ engine }: Database, snapshot: Snapshot): Promise<Finding> => {
  if (engine !== 'sqlite') return undefined;
  const [first] = await snapshot.all<{ quick_check: string }>('pragma quick_check(1)');
  if (first?.quick_check === 'ok') return 'SQLite can read every page.';
  const damage = first?.quick_check.replaceAll('\n', '; ');
  return ['problem', `The database file is damaged: ${damage}.`, DAMAGE_FIX];
};

/** Checks a database and its settings without changing them. `more` reads what only the caller can judge. */
export const diagnoseDatabase = async (
  database: Database,
  more: (snapshot: Snapshot) => Promise<Diagnosis[]>,
): Promise<Diagnosis[]> => {
  if (database.engine === 'sqlite' && !existsSync(database.path))
    return diagnoses({ Database: `There is none at ${database.path} yet. The first start creates it.` });
  const servers = database.engine === 'postgres' ? await diagnoseServers(database) : [];
  // The other checks would judge one of several servers that accept writes, perhaps the wrong one.
  if (servers.some(({ level }) => level === 'problem')) return servers;
  try {
    const settings = await explainSetupErrors(database, async () =>
      database.engine === 'sqlite' ? diagnoseSqlite(database.path) : diagnosePostgres(database),
    );
    const replica = database.engine === 'postgres' ? await diagnoseReplica(database) : [];
    return [...servers, ...settings, ...replica, ...(await diagnoseContents(database, more))];
  } catch (error) {
    if (error instanceof DatabaseSetupError) return [...servers, unusable(error)];
    throw error;
  }
};

const UNUSABLE_FIX =
  'Check DATABASE_URL and ROSTER_DATA_DIR. If the file was damaged, restore the newest backup.';

const unusable = ({ message }: Error): Diagnosis => {
  const [what, ...fix] = message.split(/(?<=\.) (?=[A-Z])/);
  return diagnosis('Database', ['problem', what ?? message, fix.join(' ') || UNUSABLE_FIX]);
};

const NOT_CREATED = /did not create|is not a Roster database/;

const diagnoseContents = async (
  database: Database,
  more: (snapshot: Snapshot) => Promise<Diagnosis[]>,
): Promise<Diagnosis[]> => {
  try {
    const snapshot = await openSnapshot(database);
    try {
      const found = { Pages: await pagesOf(database, snapshot), Schema: schemaOf(snapshot) };
      return [...diagnoses(found), ...(await more(snapshot))];
    } finally {
      await snapshot.close();
    }
  } catch (error) {
    if (!(error instanceof DatabaseSetupError)) throw error;
    // The first start on PostgreSQL finds an empty database.
    return database.engine === 'postgres' && NOT_CREATED.test(error.message)
      ? diagnoses({ Schema: 'The database is empty. The first start creates the tables.' })
      : [unusable(error)];
  }
};
