import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { dropTables } from '../kit/database/citus.ts';
import { existingPostgres } from '../kit/database/engines.ts';
import { withRestartableService } from '../kit/faults/restartable-service.ts';
import { assertConsistent } from '../kit/load/acknowledged-writes.ts';
import { createClient, isSuccess, Writers } from '../kit/load/writers.ts';
import { runRoster } from '../kit/process/cli.ts';
import { seededRandom } from '../kit/random.ts';
import { KEY } from '../kit/service/test-service.ts';

const url = process.env.CITUS_URL ?? '';
const ENVIRONMENT = { ROSTER_API_KEY: KEY, ROSTER_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') };

const database = existingPostgres(url);
const { query } = database;

/** Statements of requests that touch more than one shard fail while this is set. */
const refuseMultiShard = (isRefused: boolean) =>
  query(
    isRefused
      ? `alter role current_user set citus.multi_task_query_log_level = 'error'`
      : 'alter role current_user reset citus.multi_task_query_log_level',
  );

describe('Citus', () => {
  before(() => dropTables(database));
  after(async () => {
    await refuseMultiShard(false);
    await dropTables(database);
  });

  it('A start distributes every table and can be repeated', async () => {
    for (let start = 0; start < 2; start++)
      await withRestartableService(database, async () => {}, ENVIRONMENT);
    const tables = await query('select table_name::text as name, citus_table_type as type from citus_tables');
    const named = (type: string) => tables.filter((table) => table.type === type).map(({ name }) => name);
    assert.deepEqual(named('reference').sort(), ['users', 'workspaces']);
    assert.deepEqual(named('local').sort(), [
      'hooks',
      'jobs',
      'seal_checks',
      'sign_in_addresses',
      'sign_in_failures',
    ]);
    const [local] = await query(`select count(*)::int as count from pg_class as c
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations'
        and not exists (select 1 from pg_dist_partition where logicalrelid = c.oid)
        and not exists (select 1 from pg_depend where objid = c.oid and deptype = 'e')`);
    assert.equal(local?.count, 0);
  });

  it('Requests of a workspace run on one shard', async () => {
    await refuseMultiShard(true);
    try {
      await withRestartableService(
        database,
        async ({ url: service }) => {
          const request = createClient(service);
          const created = await request('POST', '/v1/contacts', {
            phone_number: '+14155550101',
            first_name: 'Ada',
            tags: ['vip'],
          });
          const contact = `/v1/contacts/${created.body.data.id}`;
          const agent = await request('POST', '/v1/agents', { name: 'Desk', instructions: 'Hello' });
          const path = `/v1/agents/${agent.body.data.id}`;
          for (const [method, target, body] of [
            ['GET', contact],
            ['PATCH', contact, { notes: 'changed', tags: ['vip', 'new'] }],
            ['GET', '/v1/contacts?limit=5'],
            ['GET', '/v1/contacts?search=ada'],
            ['GET', '/v1/contacts?tag=vip&search=a'],
            ['GET', '/v1/contacts?offset=3'],
            ['PATCH', path, { instructions: 'Hello again' }],
            ['GET', path],
            ['GET', '/v1/agents'],
            ['DELETE', path],
            ['DELETE', contact],
          ] as const) {
            const { status } = await request(method, target, body);
            assert.ok(isSuccess(status), `${method} ${target}: ${status}`);
          }
        },
        ENVIRONMENT,
      );
    } finally {
      await refuseMultiShard(false);
    }
  });

  it('A write that waits for a locked row on a worker gets 503 after the lock timeout', async (t) => {
    await withRestartableService(
      database,
      async ({ url: service }) => {
        const request = createClient(service);
        const created = await request('POST', '/v1/contacts', { phone_number: '+14155550104' });
        const { id } = created.body.data;
        const other = new Client({ connectionString: url });
        await other.connect();
        try {
          await other.query('begin');
          await other.query('select 1 from contacts where workspace_id = 1 and id = $1 for update', [id]);
          const blocked = await request('PATCH', `/v1/contacts/${id}`, { notes: 'waits' });
          t.diagnostic(`answered after ${Math.round(blocked.ms)} ms`);
          assert.equal(blocked.status, 503);
          assert.ok(blocked.ms > 3_500 && blocked.ms < 6_000, `${blocked.ms} ms`);
        } finally {
          await other.end();
        }
        assert.equal((await request('PATCH', `/v1/contacts/${id}`, { notes: 'free' })).status, 200);
        assert.equal((await request('DELETE', `/v1/contacts/${id}`)).status, 200);
      },
      ENVIRONMENT,
    );
  });

  it('Concurrent writes, imports and rate limits work, and verify passes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'roster-citus-'));
    const environment = { ...ENVIRONMENT, DATABASE_URL: url, ROSTER_DATA_DIR: folder };
    try {
      await withRestartableService(
        database,
        async (service) => {
          await using writers = new Writers(service.url, { count: 12, random: seededRandom(3) });
          writers.start();
          await writers.until(isSuccess);
          await new Promise((resolve) => setTimeout(resolve, 4_000));
          await writers.stop();
          assert.deepEqual(writers.unexpected, []);
          await writers.acknowledged.verify(database);
          await assertConsistent(database);
          writeFileSync(join(folder, 'people.csv'), 'Name,Phone\nGrace,+14155550102\nAlan,+14155550103\n');
          const imported = await runRoster(environment, 'import', join(folder, 'people.csv'));
          assert.match(imported.stdout, /applied, 2 rows/);
          const made = await runRoster(
            environment,
            'key',
            'create',
            '--name',
            'limited',
            '--rate-limit',
            '2/1m',
          );
          const [key] = /rk_[\w-]+/.exec(made.stdout) ?? [];
          const statuses = [];
          for (let round = 0; round < 4; round++) {
            const reply = await fetch(`${service.url()}/v1/agents`, {
              headers: { authorization: `Bearer ${key}` },
            });
            statuses.push(reply.status);
          }
          assert.deepEqual(statuses, [200, 200, 429, 429]);
        },
        ENVIRONMENT,
      );
      const verified = await runRoster(environment, 'verify');
      assert.match(verified.stdout, /All \d+ checks passed/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
