import { spawnSync } from 'node:child_process';
import { missingPrograms } from '../kit/database/patroni.ts';

/** Runs the fail-over drill on a Patroni cluster, which it starts. HA_ROUNDS sets the rounds of each fault. */
const INSTALL = `On Debian and Ubuntu:
  apt install postgresql postgresql-contrib etcd-server haproxy
The package patroni of Debian 13 is new enough; that of Debian 12 is not. Elsewhere:
  python3 -m venv /opt/patroni && /opt/patroni/bin/pip install 'patroni[etcd3,psycopg3]'
  PATRONI=/opt/patroni/bin/patroni npm run test:long -- ha
`;

const missing = missingPrograms();
if (missing.length > 0) {
  console.error(
    `This test starts a Patroni cluster. Install:\n${missing.map((line) => `  - ${line}\n`).join('')}\n${INSTALL}`,
  );
  process.exit(1);
}
const { status } = spawnSync(
  process.execPath,
  ['test/run.ts', '--test-timeout=7200000', ...process.argv.slice(2), 'test/ha/failover.long.test.ts'],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);
