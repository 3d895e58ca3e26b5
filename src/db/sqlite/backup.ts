import { backup, DatabaseSync } from 'node:sqlite';
import { BUSY_MS } from './connection.ts';

/** Pages of one step; between steps the progress is told. */
const STEP = 2_000;

/** Copies one moment of a database to a file that is new or empty, page by page, also while others write. The read
 *  transaction holds the moment: without it SQLite would begin anew whenever somebody else has written between two steps,
 *  and under load never end. The writer does not wait for it. The copy is one file, without a log beside it. */
export const copyDatabase = async (
  from: string,
  to: string,
  onProgress: (done: number, total: number) => void,
): Promise<void> => {
  const source = new DatabaseSync(from, { readOnly: true, timeout: BUSY_MS });
  try {
    source.exec('begin; select count(*) from sqlite_schema');
    await backup(source, to, {
      rate: STEP,
      progress: ({ totalPages, remainingPages }) => onProgress(totalPages - remainingPages, totalPages),
    });
  } finally {
    source.close();
  }
  checkpointAndLeaveWal(to);
};

/** Makes a file stand alone: what is in the log beside it is written back, and the log removed. */
export const checkpointAndLeaveWal = (path: string): void => {
  const db = new DatabaseSync(path, { timeout: BUSY_MS });
  try {
    db.exec('pragma synchronous = full; pragma journal_mode = delete');
  } finally {
    db.close();
  }
};
