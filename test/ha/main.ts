import { spawnSync } from 'node:child_process';
import { missingPrograms } from '../kit/database/patroni.ts';

/** Runs the fail-over drill on a Patroni cluster, which it starts. HA_ROUNDS sets the rounds of each fault. */
const missing = missingPrograms();
if (missing.length > 0) {
  console.error(
    `This test starts a Patroni cluster. Install:\n${missing.map((line) => `  - ${line}\n`).join('')}`,
  );
  process.exit(1);
}
const { status } = spawnSync(
  process.execPath,
  ['test/run.ts', '--test-timeout=7200000', ...process.argv.slice(2), 'test/ha/failover.long.test.ts'],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);
