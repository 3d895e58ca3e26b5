import { type Diagnosis, formatBytes, judge, ok } from '../../lib/diagnosis.ts';
import { assertNotEmptied, assertWritable, fileSize } from './file-state.ts';

const MAX_WAL_BYTES = 256_000_000;

/** Checks the files of a database that exists. */
export const diagnoseSqlite = (path: string): Diagnosis[] => {
  assertNotEmptied(path);
  assertWritable(path);
  const wal = fileSize(`${path}-wal`);
  return [
    ok('Database', `SQLite file ${path}, ${formatBytes(fileSize(path))}.`),
    judge(
      'Write-ahead log',
      formatBytes(wal),
      wal > MAX_WAL_BYTES && [
        'warning',
        `${path}-wal has ${formatBytes(wal)}, so reads are slow and deleted data is not yet erased.`,
        'End the command that reads the database for a long time, or restart the service.',
      ],
    ),
  ];
};
