import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { SCHEMA_VERSION } from '../../src/db/migrations/index.ts';
import { dropTables } from '../kit/database/citus.ts';
import { existingPostgres } from '../kit/database/engines.ts';
import { createSchema } from '../kit/database/old-schema.ts';
import { withRestartableService } from '../kit/faults/restartable-service.ts';
import { isSuccess, Writers } from '../kit/load/writers.ts';
import { CLI, runRoster } from '../kit/process/cli.ts';
import { seededRandom } from '../kit/random.ts';
import { KEY } from '../kit/service/test-service.ts';

const url = process.env.CITUS_URL ?? '';
const database = existingPostgres(url);
const { query } = database;
const folder = mkdtempSync(join(tmpdir(), 'roster-citus-'));
const SECRETS = { ROSTER_API_KEY: KEY, ROSTER_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') };
const environment = { ...SECRETS, DATABASE_URL: url, ROSTER_DATA_DIR: folder };

const NOW = '2026-01-01T00:00:00.000Z';
/** A schema before several migrations that change tables. */
const OLD_SCHEMA = 16;
const WORKSPACES = 20;
const CONTACTS = 2_000;

/** The tables of an older version with rows, as on a database that got the extension later. */
const createOldDatabase = async () => {
  await createSchema(database, OLD_SCHEMA);
  await query(
    `insert into workspaces (name, created_at) select 'workspace ' || each, '${NOW}' from generate_series(1, ?::int) as each`,
    WORKSPACES,
  );
  await query(`insert into hooks (id, workspace_id) values ('hook', 2)`);
  await query(`insert into keys (workspace_id, id, name, hash, scope, created_at)
    select id, 'key ' || id, 'key', 'hash ' || id, 'read', '${NOW}' from workspaces`);
  await query(`insert into jobs (workspace_id, kind, subject, created_at, due_at, failures)
    select id, 'retries.expiring', '', '${NOW}', '2099-01-01T00:00:00.000Z', 0 from workspaces`);
  await query(
    `insert into tallies (workspace_id, list, part, count)
     select 1 + each % ?::int, 'unused ' || each, 0, 1 from generate_series(1, ?::int) as each`,
    WORKSPACES,
    CONTACTS,
  );
};

const countRows = async () => {
  const [counts] = await query(`select (select count(*) from workspaces)::int as workspaces,
    (select count(*) from hooks)::int as hooks, (select count(*) from keys)::int as keys,
    (select count(*) from jobs)::int as jobs, (select count(*) from tallies)::int as tallies`);
  return counts;
};

const countDistributed = async () => {
  const [found] = await query('select count(*)::int as count from citus_tables');
  return found?.count;
};

describe('Commands on Citus', () => {
  before(() => dropTables(database));
  after(async () => {
    await dropTables(database);
    rmSync(folder, { recursive: true });
  });

  it('An interrupted distribute changes nothing, and a repeated one distributes an old schema with its rows', async () => {
    await createOldDatabase();
    const before = await countRows();
    assert.equal(before?.tallies, CONTACTS);
    const interrupted = spawn(process.execPath, [CLI, 'distribute'], {
      env: { PATH: process.env.PATH, ...environment },
      stdio: 'ignore',
    });
    await pause(2_500);
    interrupted.kill('SIGKILL');
    await pause(1_000);
    const left = await countDistributed();
    assert.ok(left === 0, `the command was interrupted too late, or left ${left} tables distributed`);
    assert.deepEqual(await countRows(), before);

    const first = await runRoster(environment, 'distribute');
    assert.equal(first.stderr, '');
    assert.match(
      first.stdout,
      /^Distributed \d+ tables \(now \d+ by workspace, 2 on every node, 5 on the coo/,
    );
    assert.deepEqual(await countRows(), before);
    const second = await runRoster(environment, 'distribute', '--json');
    assert.deepEqual(JSON.parse(second.stdout).moved, []);
    const [hidden] = await query(`select count(*)::int as count from migrations`);
    assert.equal(hidden?.count, SCHEMA_VERSION);
    await dropTables(database);
  });

  it('verify finds no false differences while the service writes', async () => {
    await withRestartableService(
      database,
      async (service) => {
        await using writers = new Writers(service.url, { count: 8, random: seededRandom(5) });
        writers.start();
        await writers.until(isSuccess);
        for (let round = 0; round < 4; round++) {
          const verified = await runRoster(environment, 'verify');
          assert.match(verified.stdout, /All \d+ checks passed/);
        }
        await writers.stop();
        // A real difference is found.
        await query(`update tallies set count = count + 1 where workspace_id = 1 and list = 'contacts'`);
        const damaged = await runRoster(environment, 'verify');
        assert.match(damaged.stdout, /FAILED/);
        assert.equal(damaged.status, 1);
      },
      SECRETS,
    );
  });
});
