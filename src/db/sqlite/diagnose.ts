import { statSync } from 'node:fs';
import { type Diagnosis, formatBytes, ok, warning } from '../../lib/diagnosis.ts';
import { assertNotEmptied, assertWritable, fileSize } from './file-state.ts';

const MAX_WAL_BYTES = 256_000_000;
const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/** Checks the files of a database that exists. */
export const diagnoseSqlite = (path: string): Diagnosis[] => {
  assertNotEmptied(path);
  assertWritable(path);
  const wal = fileSize(`${path}-wal`);
  const ahead = statSync(path).mtimeMs - Date.now();
  return [
    ok('Database', `SQLite file ${path}, ${formatBytes(fileSize(path))}.`),
    wal > MAX_WAL_BYTES
      ? warning(
          'Write-ahead log',
          `${path}-wal has ${formatBytes(wal)}, so reads are slow and deleted data is not yet erased.`,
          'End the command that reads the database for a long time, or restart the service.',
        )
      : ok('Write-ahead log', formatBytes(wal)),
    ahead > MAX_CLOCK_DIFFERENCE_MS
      ? warning(
          'Clock',
          `The database was changed ${Math.round(ahead / 1000)} seconds in the future.`,
          'Set the clock of this machine and enable time synchronization.',
        )
      : ok('Clock', new Date().toISOString()),
  ];
};
