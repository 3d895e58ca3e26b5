import { spawnSync } from 'node:child_process';

/** Runs the tests on a Citus cluster, whose coordinator CITUS_URL names. */
if (!process.env.CITUS_URL) {
  console.error(
    'This test needs a Citus cluster. Install PostgreSQL with Citus on a coordinator and at least one worker, create a database with "create extension citus" on each, add the workers with citus_add_node, and set CITUS_URL to the coordinator: postgres://roster@host/database. All tables of that database are dropped.',
  );
  process.exit(1);
}
const { status } = spawnSync(
  process.execPath,
  ['test/run.ts', '--test-concurrency=1', '--test-timeout=600000', 'test/citus/*.long.test.ts'],
  {
    stdio: 'inherit',
  },
);
process.exit(status ?? 1);
