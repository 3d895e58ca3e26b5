import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { engines, type TestDatabase } from '../database/engines.ts';
import { makeWorkspace, openTestStorage } from '../database/workspaces.ts';
import { SECRET_KEY } from '../fixtures/every-table.ts';
import { CLI, type CliResult, runRoster } from './cli.ts';

const KEY = { ROSTER_SECRET_KEY: SECRET_KEY.toString('base64') };

/** A database with one workspace. */
export const newSource = async (engine: 'sqlite' | 'postgres'): Promise<TestDatabase> => {
  const database = await engines[engine]();
  const storage = await openTestStorage(database);
  await makeWorkspace(storage);
  await storage.close();
  return database;
};

/** The environment of commands on a database of `fillEveryTable`. */
export const environmentOf = ({ url }: TestDatabase): Record<string, string> => ({
  DATABASE_URL: url,
  ...KEY,
});

/** Runs `roster move`. */
export const move = (
  from: TestDatabase,
  to: Pick<TestDatabase, 'url'>,
  ...options: string[]
): Promise<CliResult> => runRoster(environmentOf(from), 'move', '--to', to.url, ...options);

/** Starts `roster move` and sends it a signal as soon as `isDue`. Returns whether the signal ended it. */
export const interruptMove = async (
  from: TestDatabase,
  to: Pick<TestDatabase, 'url'>,
  { signal, isDue }: { signal: NodeJS.Signals; isDue: () => Promise<unknown> },
): Promise<{ interrupted: boolean; stderr: string }> => {
  const child = spawn(process.execPath, [CLI, 'move', '--to', to.url], {
    env: { PATH: process.env.PATH ?? '', ...environmentOf(from) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = once(child, 'close');
  await Promise.race([isDue(), ended]);
  child.kill(signal);
  const [code] = await ended;
  return { interrupted: code !== 0, stderr };
};

/** Resolves when the target of a move has at least `count` rows of a table, which may not exist yet. */
export const untilRows = async ({ query }: TestDatabase, table: string, count: number): Promise<void> => {
  const read = async () => Number((await query(`select count(*) as rows from ${table}`))[0]?.rows);
  while ((await read().catch(() => 0)) < count) await pause(5);
};
