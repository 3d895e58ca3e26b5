import { type Diagnosis, diagnoses, formatBytes } from '../../lib/diagnosis.ts';
import { assertNotEmptied, assertWritable, fileSize } from './file-state.ts';

const MAX_WAL_BYTES = 256_000_000;
const WAL_FIX = 'End the command that reads the database for a long time, or restart the service.';

/** Checks the files of a database that exists. */
export const diagnoseSqlite = (path: string): Diagnosis[] => {
  assertNotEmptied(path);
  assertWritable(path);
  const wal = fileSize(`${path}-wal`);
  const slow = `${path}-wal has ${formatBytes(wal)}, so reads are slow and deleted data is not yet erased.`;
  return diagnoses({
    Database: `SQLite file ${path}, ${formatBytes(fileSize(path))}.`,
    'Write-ahead log': wal > MAX_WAL_BYTES ? ['warning', slow, WAL_FIX] : formatBytes(wal),
  });
};
