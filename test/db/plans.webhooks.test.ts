import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { sqliteCompiler } from '../../src/db/sqlite/dialect.ts';
import type { Statement, Value } from '../../src/db/statement.ts';
import * as attempts from '../../src/features/webhooks/attempt.store.ts';
import { listWork, measureBacklog } from '../../src/features/webhooks/delivery.service.ts';
import * as deliveries from '../../src/features/webhooks/delivery.store.ts';
import { equalTo } from '../../src/records/list.declaration.ts';
import { engines, type TestDatabase } from '../kit/database/engines.ts';
import { explainPostgres } from '../kit/database/plans.ts';
import { makeWorkspace, openTestStorage } from '../kit/database/workspaces.ts';

/** A page of an endpoint's attempts, after the first. */
const attemptsWith = (filter: Record<string, string>) => {
  const plan = attempts.attemptList.plan(equalTo({ endpoint: 'webhook_7', ...filter }), 'newest');
  return attempts.attemptList.pageStatement(plan, attempts.listedAttempts, { isAfter: true });
};

const statements: Readonly<Record<string, Statement<never, unknown>>> = {
  'the work of all endpoints': listWork,
  'the backlog of all endpoints': measureBacklog,
  'due deliveries': deliveries.listDue,
  'the number of pending deliveries': deliveries.countPending,
  'leasing deliveries': deliveries.leaseDeliveries,
  'the subjects with pending deliveries': deliveries.listPendingSubjects,
  'deleting deliveries': deliveries.deleteDeliveries,
  'rescheduling deliveries': deliveries.rescheduleDeliveries,
  'the subjects of deliveries': deliveries.listSubjects,
  'unblocking subjects': deliveries.unblockSubjects,
  'restarting deliveries': deliveries.restartDeliveries,
  'hastening deliveries': deliveries.hastenDeliveries,
  'failed deliveries': deliveries.listFailed,
  'the number of failed deliveries': deliveries.countFailed,
  attempts: attemptsWith({}),
  'failed attempts': attemptsWith({ unsuccessful: 'failed' }),
  'one attempt': attempts.findAttempt,
  'deleting attempts of an endpoint': attempts.deleteSome,
  'deleting expired attempts': attempts.deleteBefore,
};

const NOW = '2026-01-31T09:30:00.000Z';

const argumentsFor = (name: string, workspace: number): Record<string, Value> => ({
  workspace,
  endpoint: 'webhook_7',
  now: NOW,
  limit: 100,
  seqs: '["10","11"]',
  lease: 'lease',
  until: name === 'failed deliveries' ? 5_000 : NOW,
  subjects: '["subject"]',
  changes: '[{"seq":10,"lease":"lease","status":"pending","attempts":1,"due_at":""}]',
  from: 1,
  before: '2020-01-01T00:00:00.000Z',
  unsuccessful: 'failed',
  offset: 0,
  seq: 500,
});

const numbers = (count: number) =>
  `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})`;

/** 50 endpoints, 10,000 pending and 10,000 failed deliveries, and 20,000 attempts, a few of which have failed. */
const fill = async ({ query }: TestDatabase, workspace: number): Promise<void> => {
  await query(`insert into webhook_endpoints (workspace_id, id, url, payload, ordered, max_concurrency, status, secret_sealed,
      position, created_at, updated_at)
    ${numbers(50)} select ${workspace}, 'webhook_' || i, 'https://example.com/', 'thin', 0, 10, 'active', '', 0, '${NOW}', '${NOW}' from n`);
  for (const [from, status] of [
    [0, 'pending'],
    [10_000, 'failed'],
  ])
    await query(`insert into webhook_deliveries (workspace_id, endpoint_id, event_seq, subject, status, attempts, due_at, created_at)
      ${numbers(10_000)} select ${workspace}, 'webhook_' || (i % 50), i + ${from}, 'subject ' || i, '${status}', 0, '${NOW}', '${NOW}' from n`);
  await query(`insert into webhook_attempts (workspace_id, seq, endpoint_id, event_seq, event_id, event_type, attempt, at, duration_ms,
      result, response_body, signature)
    ${numbers(20_000)} select ${workspace}, i, 'webhook_' || (i % 50), i, 'event', 'contact.created', 1, '${NOW}', 1,
      case when i % 100 = 7 then 'failed' else 'delivered' end, '', '' from n`);
  await query(`insert into events (workspace_id, seq, at, type, subject, actor)
    ${numbers(20_000)} select ${workspace}, i, '${NOW}', 'contact.created', 'subject ' || i, 'actor' from n`);
};

const open = async (database: TestDatabase): Promise<number> => {
  const storage = await openTestStorage(database);
  const { principal } = await makeWorkspace(storage);
  await storage.close();
  await fill(database, principal.workspace);
  return principal.workspace;
};

describe('Query plans of webhooks on SQLite', () => {
  let database: TestDatabase;
  let workspace: number;
  before(async () => {
    database = await engines.sqlite();
    workspace = await open(database);
  });
  after(() => database?.drop());

  for (const [name, statement] of Object.entries(statements)) {
    it(`The statement for ${name} reads index ranges only`, async () => {
      const { sql, order } = statement.textFor(sqliteCompiler);
      const values = argumentsFor(name, workspace);
      const rows = await database.query(
        `explain query plan ${sql}`,
        ...order.map((each) => values[each] ?? null),
      );
      const plan = rows.map(({ detail }) => String(detail));
      for (const step of plan)
        assert.doesNotMatch(step, /^SCAN (?:webhook_deliveries|webhook_attempts|events)/, plan.join('\n'));
    });
  }
});

describe('Query plans of webhooks on PostgreSQL', () => {
  let database: TestDatabase;
  let workspace: number;
  let client: Client;
  before(async () => {
    database = await engines.postgres();
    workspace = await open(database);
    client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query('vacuum analyze');
  });
  after(async () => {
    await client?.end();
    await database?.drop();
  });

  for (const [name, statement] of Object.entries(statements)) {
    it(`The statement for ${name} reads index ranges only`, async () => {
      for (const { nodes, text } of await explainPostgres(client, statement, argumentsFor(name, workspace))) {
        const scans = nodes
          .filter((node) => /Seq Scan/.test(node['Node Type']))
          .map((node) => node['Relation Name']);
        const expected = /of all endpoints$/.test(name) ? ['webhook_endpoints'] : [];
        assert.deepEqual(scans, expected, text);
      }
    });
  }
});
