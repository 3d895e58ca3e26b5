import { backup, DatabaseSync } from 'node:sqlite';
import { BUSY_MS } from './connection.ts';

const PAGES_PER_STEP = 2_000;

/** Copies a snapshot of a database to a new or empty file while other connections write. Without the read transaction,
 *  SQLite would start over after every write between two steps, and under load never finish. It does not block the writer.
 *  The copy is one file, without a write-ahead log. */
export const copyDatabase = async (
  from: string,
  to: string,
  onProgress: (done: number, total: number) => void,
): Promise<void> => {
  using source = new DatabaseSync(from, { readOnly: true, timeout: BUSY_MS });
  source.exec('begin; select count(*) from sqlite_schema');
  await backup(source, to, {
    rate: PAGES_PER_STEP,
    progress: ({ totalPages, remainingPages }) => onProgress(totalPages - remainingPages, totalPages),
  });
  source.exec('commit');
  checkpointAndLeaveWal(to);
};

/** Checkpoints the write-ahead log into the file and removes it. */
export const checkpointAndLeaveWal = (path: string): void => {
  using db = new DatabaseSync(path, { timeout: BUSY_MS });
  db.exec('pragma synchronous = full; pragma journal_mode = delete');
};
