import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { startPostgres } from './kit/postgres.ts';

/** Runs the tests that the arguments name (all of them by default) with both engines at hand: the embedded one, and a
 *  PostgreSQL that lives as long as the run, unless TEST_DATABASE_URL names one. */
const patterns = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const files = globSync(patterns.length > 0 ? patterns : ['src/**/*.test.ts', 'test/**/*.test.ts']).sort();

/** A file on every core, and never fewer than two: much of a test is waiting for a disk or a time-out. */
const concurrency = `--test-concurrency=${Math.max(2, availableParallelism())}`;

const own = process.env.TEST_DATABASE_URL ? undefined : await startPostgres();
const url = process.env.TEST_DATABASE_URL ?? own?.url;
const child = spawn(
  process.execPath,
  ['--test', '--test-timeout=120000', concurrency, ...options, ...files],
  {
    stdio: 'inherit',
    env: { ...process.env, TEST_DATABASE_URL: url },
  },
);
const [code] = await once(child, 'exit');
await own?.stop();
process.exit(code ?? 1);
