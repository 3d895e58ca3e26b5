import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createKey } from '../../src/features/workspaces/key.service.ts';
import { addUser } from '../../src/features/workspaces/user.service.ts';
import { createWorkspace } from '../../src/features/workspaces/workspace.service.ts';
import { START } from '../../src/records/change.ts';
import { PASSWORD, PASSWORD_HASH } from '../kit/dashboard/users.ts';
import { dropTables } from '../kit/database/citus.ts';
import { type Worker, workersOf } from '../kit/database/citus-worker.ts';
import { existingPostgres } from '../kit/database/engines.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { type RestartableService, withRestartableService } from '../kit/faults/restartable-service.ts';
import { applyImport, planCsv } from '../kit/imports/imports.ts';
import { assertConsistent } from '../kit/load/acknowledged-writes.ts';
import { createClient, isSuccess, isUnavailable, Writers } from '../kit/load/writers.ts';
import { seededRandom } from '../kit/random.ts';
import { KEY } from '../kit/service/test-service.ts';

const url = process.env.CITUS_URL ?? '';
const database = existingPostgres(url);
const ENVIRONMENT = { ROSTER_API_KEY: KEY, ROSTER_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') };

/** Until a node that does not answer counts as down, statements of other nodes can wait, but do not fail. */
const DETECTED_WITHIN_MS = 4_000;
const FAULT_MS = 9_000;

interface Workspace {
  readonly id: number;
  readonly key: string;
  readonly email: string;
}

/** The group of the node that has a workspace. */
const groupOf = async (workspace: number): Promise<number> => {
  const [found] = await database.query(
    `select groupid from pg_dist_placement where shardid = get_shard_id_for_distribution_column('contacts', ?::bigint)`,
    workspace,
  );
  return Number(found?.groupid);
};

let created = 0;

/** A new workspace whose rows are on a node. */
const createOn = async (group: number): Promise<Workspace> => {
  const storage = await openTestStorage(database);
  try {
    for (;;) {
      const { id } = await storage.run(createWorkspace, null, { name: `workspace ${++created}` });
      if ((await groupOf(id)) !== group) continue;
      const who = { workspace: id, actor: START };
      const email = `owner${id}@example.com`;
      await storage.run(addUser, who, { email, passwordHash: PASSWORD_HASH, role: 'owner' });
      const key = await storage.run(createKey, who, { name: 'key', scope: 'read_write', expires_at: null });
      return { id, key: key.key, email };
    }
  } finally {
    await storage.close();
  }
};

const signIn = async (service: RestartableService, email: string) => {
  const reply = await fetch(`${service.url()}/dashboard/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url() },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { status: reply.status, cookie };
};

/** Signs in to a workspace, and imports a file, which a job applies. */
const signInAndImport = async (service: RestartableService, { email }: Workspace, number: string) => {
  const { status, cookie } = await signIn(service, email);
  assert.equal(status, 200, 'sign-in');
  const call: RestartableService['call'] = (method, path, body, options = {}) =>
    service.call(method, path, body, { ...options, headers: { cookie, ...options.headers } });
  const { id } = await planCsv({ call }, `Phone,Name\n${number},Imported\n`);
  const { state } = await applyImport({ call }, id);
  assert.equal(state, 'applied');
};

const FAULTS: Record<string, { begin(worker: Worker): unknown; end(worker: Worker): unknown }> = {
  killed: { begin: (worker) => worker.kill(), end: (worker) => worker.start() },
  frozen: { begin: (worker) => worker.freeze(), end: (worker) => worker.thaw() },
};

describe('Loss of a Citus worker', () => {
  before(() => dropTables(database));
  after(() => dropTables(database));

  for (const [name, { begin, end }] of Object.entries(FAULTS)) {
    it(`A ${name} worker costs only its own workspaces, and recovers automatically`, async (t) => {
      const [healthy, victim] = (await workersOf(url)) as [Worker, Worker];
      await withRestartableService(
        database,
        async (service) => {
          const [own, other] = [await createOn(healthy.group), await createOn(victim.group)];
          const client = createClient(service.url, own.key);
          await using here = new Writers(service.url, { count: 6, random: seededRandom(1), key: own.key });
          await using there = new Writers(service.url, { count: 6, random: seededRandom(2), key: other.key });
          here.start();
          there.start();
          await Promise.all([here.until(isSuccess), there.until(isSuccess)]);
          await pause(1_000);

          const began = performance.now();
          await begin(victim);
          const reads: { status: number; ms: number }[] = [];
          let healed: number;
          let isReading = true;
          try {
            const reading = (async () => {
              while (isReading) {
                for (const path of ['/v1/contacts?limit=5', '/v1/contacts?search=writer', '/v1/agents'])
                  reads.push(await client('GET', path));
                await pause(20);
              }
            })();
            await there.until(isUnavailable, began);
            await pause(DETECTED_WITHIN_MS);
            // Without delay, and without being asked for the state of the node.
            const rejected = createClient(service.url, other.key)('GET', '/v1/contacts?limit=5');
            assert.equal((await rejected).status, 503);
            assert.ok((await rejected).ms < 500, `rejected after ${(await rejected).ms} ms`);
            await signInAndImport(service, own, `+1415555${name === 'killed' ? '0161' : '0162'}`);
            await pause(Math.max(0, FAULT_MS - (performance.now() - began)));
            isReading = false;
            await reading;
          } finally {
            isReading = false;
            await end(victim);
            healed = performance.now();
          }
          const healMs = await there.until(isSuccess, healed);
          await pause(2_000);
          const calm = performance.now();
          await pause(1_000);
          await Promise.all([here.stop(), there.stop()]);

          const failed = here.since(began, (status) => !isSuccess(status));
          const slowest = Math.max(...here.since(began, isSuccess).map(({ ms }) => ms));
          t.diagnostic(
            `healthy: ${here.successesSince(began)} writes, ${failed.length} failed, slowest ${Math.round(slowest)} ms, ` +
              `${reads.length} reads, slowest ${Math.round(Math.max(...reads.map(({ ms }) => ms)))} ms; ` +
              `lost: ${there.since(began, isUnavailable).length} × 503; healed after ${Math.round(healMs)} ms`,
          );
          const faults = service.errors().filter((line) => /internal error|"status":500/.test(line));
          assert.deepEqual(faults, []);
          assert.deepEqual(here.unexpected, []);
          assert.deepEqual(there.unexpected, []);
          assert.deepEqual(failed, [], 'other workspaces see only success');
          assert.deepEqual(
            reads.filter(({ status }) => !isSuccess(status)),
            [],
            'other workspaces read',
          );
          assert.ok(slowest < DETECTED_WITHIN_MS, `a write of another workspace took ${slowest} ms`);
          assert.ok(healMs < 5_000, `healed after ${healMs} ms`);
          assert.deepEqual(there.since(calm, (status) => !isSuccess(status)).length, 0, 'healed completely');
          const { body } = await client('GET', '/v1/contacts?search=imported');
          for (const { id } of body.data) await client('DELETE', `/v1/contacts/${id}`);
          const stored = await Promise.all([
            here.acknowledged.verify(database, own.id),
            there.acknowledged.verify(database, other.id),
          ]);
          t.diagnostic(JSON.stringify(stored));
        },
        ENVIRONMENT,
      );
    });
  }

  it('Counters and tags agree with the contacts after the faults', () => assertConsistent(database));
});
