import { execFile } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { migrations } from '../../src/db/migrations/index.ts';
import { openFile } from '../../src/db/sqlite/connection.ts';
import type { Copy } from '../databases.ts';
import { writeFileOf } from '../import/file.ts';
import { printProgress } from '../progress.ts';
import { TEST_SECRET_KEY } from '../server.ts';

const CLI = fileURLToPath(new URL('../../src/cli.js', import.meta.url));
/** Higher than the numbers of the filled contacts and of the load. */
const FIRST_NUMBER = 900_000_000;

/** Seconds, except for the size of the file. */
export interface Durations {
  readonly bytes: number;
  readonly importing: number;
  readonly backup: number;
  readonly verify: number;
  readonly migration: number;
}

const run = promisify(execFile);

const timed = async (what: string, work: () => unknown): Promise<number> => {
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1_000;
  printProgress(`${what}: ${seconds.toFixed(1)} s`);
  return seconds;
};

const dropIndexes = (path: string) => {
  const file = openFile(path);
  file.exec('drop index contacts_by_name; drop index contacts_by_email');
  file.close();
};

/** Creates the indexes by name and email with the statements of their migration. */
const createIndexes = (path: string) => {
  const file = openFile(path);
  const statements = migrations.flatMap(({ statements }) => [...statements('sqlite')]);
  for (const statement of statements.filter((text) => /contacts_by_(?:name|email)/.test(text)))
    file.exec(`begin immediate; ${statement}; commit`);
  file.close();
};

export const measureDurations = async ({ path }: Copy, rows: number, folder: string): Promise<Durations> => {
  const command = (...args: string[]) =>
    run(process.execPath, [CLI, ...args], {
      env: { PATH: process.env.PATH, DATABASE_URL: `sqlite:${path}`, ROSTER_SECRET_KEY: TEST_SECRET_KEY },
    });
  const csv = join(folder, 'people.csv');
  const copy = join(folder, 'backup.db');
  await writeFileOf(csv, rows, FIRST_NUMBER);
  const importing = await timed('import', () => command('import', csv, '--workspace', 'default'));
  dropIndexes(path);
  const migration = await timed('migration', () => createIndexes(path));
  const verify = await timed('verify', () => command('verify'));
  const backup = await timed('backup', () => command('backup', copy));
  rmSync(copy);
  return { bytes: statSync(path).size, importing, backup, verify, migration };
};
