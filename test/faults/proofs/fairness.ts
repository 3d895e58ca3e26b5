import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Storage } from '../../../src/db/storage.ts';
import { createBulkJob, MAX_UNFINISHED } from '../../../src/features/bulk/bulk.service.ts';
import { createKey } from '../../../src/features/workspaces/key.service.ts';
import type { Principal } from '../../../src/features/workspaces/principal.ts';
import { keyScopes } from '../../../src/lib/scopes.ts';
import { engines, type TestDatabase } from '../../kit/database/engines.ts';
import { makeWorkspace, openTestStorage } from '../../kit/database/workspaces.ts';
import { createBulkJob as postBulkJob } from '../../kit/fixtures/bulk-jobs.ts';
import { markDeployed } from '../../kit/fixtures/deploy-version.ts';
import { fillContacts } from '../../kit/fixtures/large-workspace.ts';
import { planCsv } from '../../kit/imports/imports.ts';
import { report, roundedMax } from '../../kit/load/measurements.ts';
import { withPrograms } from '../../kit/process/program.ts';
import { type CallOptions, type Json, readReply } from '../../kit/service/test-service.ts';

const LONG_JOBS = 100;
const CONTACTS = 9_000;
const ROUNDS = 8;
const MAX_DELAY_MS = 2_000;

/** More unfinished jobs than the API permits: those that exist get another kind while more are created. */
const queueLongJobs = async (database: TestDatabase, storage: Storage, principal: Principal) => {
  const rename = (from: string, to: string) =>
    database.query('update jobs set kind = ? where kind = ?', to, from);
  for (let count = 0; count < LONG_JOBS; count++) {
    if (count % MAX_UNFINISHED === 0) await rename('bulk.running', 'test.waiting');
    const [add, remove] = [[`turn ${count % 2}`], [`turn ${(count + 1) % 2}`]];
    await storage.run(createBulkJob, principal, {
      job: { action: 'tag', selection: { filter: {}, except: [] }, add, remove },
      count: { total: CONTACTS, missing: 0 },
    });
  }
  await rename('test.waiting', 'bulk.running');
};

const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

/** Two instances run the long jobs of one workspace. Measures how long the short work of another one takes meanwhile. */
export const delayByLongJobs = async (test: TestContext, engine: keyof typeof engines): Promise<void> => {
  const database = await engines[engine]();
  const storage = await openTestStorage(database);
  try {
    const [busy, quiet] = [await makeWorkspace(storage), await makeWorkspace(storage)];
    await fillContacts(database, busy.principal.workspace, CONTACTS);
    await queueLongJobs(database, storage, busy.principal);
    const { key } = await storage.run(createKey, quiet.principal, {
      name: 'all',
      scopes: keyScopes,
      expires_at: null,
    });
    await withPrograms(async (start) => {
      const programs = [0, 1].map(() => start({ DATABASE_URL: database.url, LOG_LEVEL: 'warn' }));
      const urls: string[] = [];
      for (const program of programs) urls.push((await program.ready()).url);
      let calls = 0;
      const call = async (method: string, path: string, body?: unknown, options: CallOptions = {}) => {
        const headers = { 'content-type': 'application/json', ...options.headers } as Record<string, string>;
        const sent = options.raw ?? (body === undefined ? null : JSON.stringify(body));
        const init = {
          method,
          headers: { authorization: `Bearer ${key}`, ...headers },
          body: sent as string | null,
        };
        return readReply(await fetch(`${urls[calls++ % urls.length]}/v1${path}`, init));
      };
      const request = async (...args: Parameters<typeof call>): Promise<Json> => {
        const reply = await call(...args);
        assert.ok(reply.status < 300, reply.text);
        return reply.body.data;
      };
      const until = async (path: string, field: string, value: string) => {
        while ((await request('GET', path))[field] !== value) await pause(20);
      };
      const contact = await request('POST', '/contacts', { phone_number: '+12025550100' });
      const agent = await request('POST', '/agents', { name: 'Caller', instructions: 'Hello.' });
      await markDeployed(database, agent.id, 1);

      const times: Record<'bulk' | 'import' | 'start' | 'end', number[]> = {
        bulk: [],
        import: [],
        start: [],
        end: [],
      };
      for (let round = 0; round < ROUNDS; round++) {
        times.bulk.push(
          await timeOf(async () => {
            const body = { action: 'tag', selection: { ids: [contact.id] }, add: [`round ${round}`] };
            const { id } = await postBulkJob({ call }, body);
            await until(`/bulk-jobs/${id}`, 'status', 'done');
          }),
        );
        const planned = await planCsv({ call }, `Phone,First Name\n+1202555011${round},Row\n`);
        times.import.push(
          await timeOf(async () => {
            await request('POST', `/imports/${planned.id}/apply`);
            await until(`/imports/${planned.id}`, 'state', 'applied');
          }),
        );
        const { id } = await request('POST', '/campaigns', { name: `Round ${round}`, agent_id: agent.id });
        const [starts, ends] = [Date.now() + 1_000, Date.now() + 3_500];
        const [starts_at, ends_at] = [new Date(starts).toISOString(), new Date(ends).toISOString()];
        await request('PUT', `/campaigns/${id}/schedule`, { starts_at, ends_at });
        await until(`/campaigns/${id}`, 'status', 'active');
        times.start.push(Date.now() - starts);
        await until(`/campaigns/${id}`, 'status', 'finished');
        times.end.push(Date.now() - ends);
      }
      const [left] = await database.query(
        `select count(*) as count from jobs where workspace_id = ? and kind = 'bulk.running'`,
        busy.principal.workspace,
      );
      const slowest = Object.fromEntries(
        Object.entries(times).map(([name, each]) => [`${name}_ms`, roundedMax(each)]),
      );
      report(test, `fairness-${engine}`, { ...slowest, long_jobs_left: Number(left?.count) });
      assert.ok(Number(left?.count) > 0, 'the long jobs ran all the time');
      for (const [name, ms] of Object.entries(slowest)) assert.ok(ms <= MAX_DELAY_MS, `${name}: ${ms}`);
    });
  } finally {
    await storage.close();
    await database.drop();
  }
};
