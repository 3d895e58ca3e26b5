import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFresh } from '../src/built.js';
import { startPostgres } from './kit/postgres.ts';

/** Runs the tests that the arguments name (by default all but the long ones) with both engines at hand: the embedded one, and a
 *  PostgreSQL that lives as long as the run, unless TEST_DATABASE_URL names one. */
const patterns = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const all = () =>
  globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).filter((file) => !file.endsWith('.long.test.ts'));
const files = (patterns.length > 0 ? globSync(patterns) : all()).sort();

/** A file on every core, and one more: much of a test is waiting for a disk or a time-out. */
const concurrency = `--test-concurrency=${availableParallelism() + 1}`;

/** Programs start from what was built in half the time. */
if (!isFresh('service')) {
  const { status } = spawnSync(process.execPath, ['build/service.ts'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.exit(1);
}

const own = process.env.TEST_DATABASE_URL ? undefined : await startPostgres({ flushes: false });
const url = process.env.TEST_DATABASE_URL ?? own?.url;
const child = spawn(
  process.execPath,
  ['--test', '--test-timeout=120000', concurrency, ...options, ...files],
  {
    stdio: 'inherit',
    // Every file is a process, and most start threads: what one has read and compiled serves the others.
    env: {
      NODE_COMPILE_CACHE: join(tmpdir(), 'roster-compile-cache'),
      ...process.env,
      TEST_DATABASE_URL: url,
    },
  },
);
const [code] = await once(child, 'exit');
await own?.stop();
process.exit(code ?? 1);
