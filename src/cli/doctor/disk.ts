import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { type Diagnosis, formatBytes, ok, problem, warning } from '../../lib/diagnosis.ts';
import { shellQuote } from '../command.ts';

/** The closest folder that exists; a start creates the missing ones. */
const existingFolder = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : existingFolder(dirname(folder));

const MEMORY = 'is in memory: everything is lost at a restart';
const NETWORK = 'is on a network file system, where SQLite can damage its files';

/** File systems that do not fit, by the number that statfs returns. */
const FILE_SYSTEMS: Readonly<Record<number, { level: 'warning' | 'problem'; message: string }>> = {
  16914836: { level: 'warning', message: MEMORY },
  2240043254: { level: 'warning', message: MEMORY },
  2035054128: {
    level: 'warning',
    message: 'is in the writable layer of a container: everything is lost when the container is removed',
  },
  26985: { level: 'problem', message: NETWORK },
  20859: { level: 'problem', message: NETWORK },
  4283649346: { level: 'problem', message: NETWORK },
  4266872130: { level: 'problem', message: NETWORK },
};

const fileSystem = (folder: string): Diagnosis => {
  const found = FILE_SYSTEMS[statfsSync(folder).type >>> 0];
  if (!found) return ok('File system', `${folder} is on a local disk.`);
  return {
    level: found.level,
    subject: 'File system',
    message: `${folder} ${found.message}.`,
    fix: 'Set ROSTER_DATA_DIR to a folder on a local disk, or mount a volume there.',
  };
};

/** Why this user cannot write in a folder. */
const writeProblem = (folder: string): Diagnosis | undefined => {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS'
      ? problem(
          'Data folder',
          `${folder} is on a file system that is mounted read-only.`,
          'Mount it with write access. If it was writable before, the system has found an error on the disk: read the kernel log and check the disk first.',
        )
      : problem(
          'Data folder',
          `This user cannot write in ${folder}.`,
          'Run Roster as the owner of that folder, or set ROSTER_DATA_DIR to another one.',
        );
  }
};

/** Files with personal data or keys that other users may read. */
const readableByOthers = (paths: readonly string[]): Diagnosis => {
  const open = paths.filter((path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0);
  return open.length === 0
    ? ok('Permissions', 'Only this user can read the data.')
    : warning(
        'Permissions',
        `Other users of this machine may read ${open.join(', ')}.`,
        `Run: chmod go= ${open.map(shellQuote).join(' ')}`,
      );
};

const MIN_FREE_BYTES = 200_000_000;

const freeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

const freeSpace = (folder: string, free: number, dataBytes: number): Diagnosis => {
  if (free < MIN_FREE_BYTES)
    return problem(
      'Free space',
      `${formatBytes(free)} in ${folder}.`,
      'Free some space or enlarge the disk.',
    );
  return free < dataBytes
    ? warning(
        'Free space',
        `${formatBytes(free)} in ${folder}, less than the size of the database (${formatBytes(dataBytes)}).`,
        'Enlarge the disk: a backup or a migration may need a copy of the database.',
      )
    : ok('Free space', `${formatBytes(free)} in ${folder}.`);
};

const ROUNDS = 21;
const SLOW_FLUSH_MS = 10;

/** The median time to write and flush 4 KiB, which every commit of SQLite needs. */
const measureFlush = (folder: string): number => {
  const path = join(folder, `.doctor-${process.pid}`);
  const file = openSync(path, 'wx', 0o600);
  try {
    const times: number[] = [];
    const block = Buffer.alloc(4096, 1);
    for (let round = 0; round < ROUNDS; round++) {
      const began = performance.now();
      writeSync(file, block);
      fdatasyncSync(file);
      times.push(performance.now() - began);
    }
    return times.sort((a, b) => a - b)[(ROUNDS - 1) / 2] as number;
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
};

const flushTime = (folder: string): Diagnosis => {
  let ms: number;
  try {
    ms = measureFlush(folder);
  } catch (error) {
    return problem(
      'Disk speed',
      `A file in ${folder} cannot be written: ${(error as Error).message}.`,
      'Free some space, raise the quota of this user, or replace the disk.',
    );
  }
  const text = `4 KiB are written and flushed in ${ms.toFixed(2)} ms (median of ${ROUNDS}).`;
  return ms > SLOW_FLUSH_MS
    ? warning('Disk speed', text, 'Use an SSD: every group of writes waits for one flush.')
    : ok('Disk speed', text);
};

/** Checks the data folder. `database` is the SQLite file, if there is one. */
export const diagnoseDisk = (dataDir: string, database: string | undefined): Diagnosis[] => {
  const wanted = database === undefined ? dataDir : dirname(database);
  const folder = existingFolder(wanted);
  const unwritable = writeProblem(folder);
  if (unwritable) return [unwritable];
  const files = [wanted, join(dataDir, 'secret.key'), ...(database ? [database, `${database}-wal`] : [])];
  const dataBytes = database && existsSync(database) ? statSync(database).size : 0;
  const free = freeBytes(folder);
  return [
    ok('Data folder', folder === wanted ? folder : `The first start creates ${wanted}.`),
    readableByOthers(files),
    freeSpace(folder, free, dataBytes),
    // Without SQLite nothing in this folder is on the path of a request.
    ...(database ? [fileSystem(folder)] : []),
    // The measurement must not use the last space of the service.
    ...(database && free >= MIN_FREE_BYTES ? [flushTime(folder)] : []),
  ];
};
