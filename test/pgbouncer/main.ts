import { spawnSync } from 'node:child_process';
import { pgbouncerProgram, pgbouncerVersion } from '../kit/database/pgbouncer.ts';

/** Runs the suites of the API behind PgBouncer in transaction mode, and the tests of its configurations. */
const MIN_VERSION = 1.21;
const SUITES = ['test/contract/*.test.ts', 'test/features/*.test.ts', 'test/imports/!(*.long).test.ts'];

const program = pgbouncerProgram();
if (!program || pgbouncerVersion(program) < MIN_VERSION) {
  console.error(
    `This test needs PgBouncer ${MIN_VERSION} or newer, ${program ? `not ${pgbouncerVersion(program)}` : 'which is not installed'}. Install the package pgbouncer, or set PGBOUNCER to the path of the program.`,
  );
  process.exit(1);
}

/** PgBouncer closes the connection when a statement cannot be prepared, so that a renamed table gives 503, not 500. */
const SKIPPED = '--test-skip-pattern=The log names the cause of an internal error';

const run = (files: readonly string[], environment: Record<string, string>): boolean =>
  spawnSync(process.execPath, ['test/run.ts', SKIPPED, ...files], {
    stdio: 'inherit',
    env: { ...process.env, ...environment, PGBOUNCER: program },
  }).status === 0;

const configurations = run(['test/pgbouncer/configurations.long.test.ts'], {});
const suites = run(SUITES, { TEST_BEHIND_PGBOUNCER: 'transaction' });
process.exit(configurations && suites ? 0 : 1);
