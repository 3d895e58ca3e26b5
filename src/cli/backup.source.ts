import { createReadStream, existsSync, statSync } from 'node:fs';
import type { BackupInfo } from '../backups/names.ts';
import type { Database, PostgresDatabase } from '../db/database.ts';
import { DatabaseSetupError } from '../db/database.ts';
import { explainSetupErrors } from '../db/open/setup-errors.ts';
import { openSnapshot } from '../db/open/snapshot.ts';
import { dumpDatabase, dumpProblem } from '../db/postgres/client-tools.ts';
import { findPrimary } from '../db/postgres/pool.ts';
import { copyDatabase } from '../db/sqlite/backup.ts';
import { PROGRAM } from '../lib/executable.ts';
import { PROGRESS_DELAY_MS, progressBar } from './progress.ts';
import { type TempFile, withTempFile } from './temp-file.ts';
import { describeFailures, verifyDatabase } from './verify.ts';

/** A consistent copy of the database. */
export interface BackupSource {
  readonly info: Omit<BackupInfo, 'encrypted'>;
  /** An upper estimate of the size. */
  readonly maxBytes: number;
  /** Null on PostgreSQL, where the dump is not read. */
  readonly contacts: number | null;
  readonly agents: number | null;
  content(): AsyncIterable<Uint8Array>;
}

/** Errors of SQLite about the file that it writes. */
const WRITE_PROBLEMS: Readonly<Record<number, string>> = {
  13: 'the disk is full',
  778: 'the system refused the write, for example because of a quota',
};

export const copyWithProgress = async (title: string, from: string, to: string): Promise<void> => {
  const bar = progressBar(title, { unit: 'pages', afterMs: PROGRESS_DELAY_MS });
  try {
    await copyDatabase(from, to, bar.update);
  } catch (error) {
    const reason = WRITE_PROBLEMS[Object(error).errcode];
    throw reason ? new DatabaseSetupError(`Cannot write to ${to}: ${reason}.`, { cause: error }) : error;
  } finally {
    bar.end();
  }
};

/** Copies the database to the draft and verifies the copy. One that fails is stored next to the file that a user has named. */
const copySqlite = async (path: string, draft: TempFile, isNamed: boolean) => {
  await copyWithProgress('Copying', path, draft.path);
  const verified = await verifyDatabase({ engine: 'sqlite', path: draft.path });
  const name = isNamed ? draft.file : 'the backup';
  if (verified.keyProblem)
    throw new DatabaseSetupError(
      `The database is valid, but ${verified.keyProblem}. ${isNamed ? name : 'The backup'} was not written.`,
    );
  if (verified.failed.length === 0) return verified;
  if (isNamed) draft.commit(`${name}.faulty`);
  const kept = isNamed ? ` The copy is stored as ${name}.faulty.` : '';
  throw new DatabaseSetupError(
    `The copy failed verification, so ${name} was not written.${kept}\n${describeFailures(verified)}\nTo check the database itself: ${PROGRAM} verify`,
  );
};

const withSqliteCopy = <T>(
  path: string,
  work: (source: BackupSource) => Promise<T>,
  plain: TempFile | undefined,
): Promise<T> => {
  if (!existsSync(path)) throw new DatabaseSetupError(`No database found at ${path}.`);
  const created_at = new Date().toISOString();
  const copy = async (draft: TempFile) => {
    const { schema, contacts, agents } = await copySqlite(path, draft, plain !== undefined);
    return work({
      info: { created_at, engine: 'sqlite', schema },
      maxBytes: statSync(draft.path).size,
      contacts,
      agents,
      content: () => createReadStream(draft.path, { highWaterMark: 1 << 18 }),
    });
  };
  return plain ? copy(plain) : withTempFile(`${path}.backup`, copy);
};

const withPostgresDump = async <T>(
  database: PostgresDatabase,
  work: (source: BackupSource) => Promise<T>,
): Promise<T> => {
  const problem = await explainSetupErrors(database, () => dumpProblem(database.url));
  if (problem) throw new DatabaseSetupError(problem);
  const snapshot = await openSnapshot(database);
  const [size] = await snapshot
    .all<{ bytes: number }>('select pg_database_size(current_database()) as bytes')
    .finally(() => snapshot.close());
  const primary = await findPrimary(database.url);
  return work({
    info: { created_at: new Date().toISOString(), engine: 'postgres', schema: snapshot.schema },
    maxBytes: Number(size?.bytes),
    contacts: null,
    agents: null,
    content: () => dumpDatabase(primary.url),
  });
};

/** Copies the database for `work`: SQLite to a verified temporary file next to it, or to `plain`, the temporary file of a plain
 *  backup, so that it is not written twice; PostgreSQL as a stream from pg_dump. */
export const withBackupSource = <T>(
  database: Database,
  work: (source: BackupSource) => Promise<T>,
  plain?: TempFile,
): Promise<T> =>
  database.engine === 'sqlite'
    ? withSqliteCopy(database.path, work, plain)
    : withPostgresDump(database, work);
