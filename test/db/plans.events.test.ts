import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { sqliteCompiler } from '../../src/db/sqlite/dialect.ts';
import type { Statement, Value } from '../../src/db/statement.ts';
import { sequenceEvents } from '../../src/features/events/event.sequence.ts';
import * as store from '../../src/records/event.store.ts';
import type { TestDatabase } from '../kit/database/engines.ts';
import { explainPostgres } from '../kit/database/plans.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { type LargeDatabase, largeDatabases } from '../kit/fixtures/large-workspace.ts';

const statements: Readonly<Record<string, Statement<never, unknown>>> = {
  'a page': store.listEvents.snapshot.all,
  'a page of some types': store.listEvents.snapshot.ofTypes,
  'a thin page': store.listEvents.thin.all,
  'one event': store.findEvent,
  'some events': store.findEvents,
  'the oldest and newest position': store.findBounds,
  'the oldest event without a position': store.findUnsequenced,
  'locking events without a position': store.lockUnsequenced,
  'assigning positions': store.assignPositions,
  'deleting expired events': store.deleteBefore,
  'locking the events of contacts and calls': store.lockSnapshots,
  'erasing the events of contacts': store.eraseSnapshots,
  'erasing the events of calls': store.eraseCallSnapshots,
};

const argumentsFor = (workspace: number): Record<string, Value> => ({
  workspace,
  seq: 500,
  seqs: '["500","501"]',
  after: 500,
  until: 2_500,
  limit: 100,
  types: '["contact.created","contact.deleted"]',
  before: '2020-01-01T00:00:00.000Z',
  contacts: '["contact_01h455vb4pex5vsknk084sn02q"]',
  calls: '["call_01h455vb4pex5vsknk084sn02q"]',
});

/** Half of the events of contacts have a position on both engines. */
const fill = async ({ database, workspace }: LargeDatabase): Promise<LargeDatabase> => {
  const storage = await openTestStorage(database);
  for (let step = 0; step < 5; step++) await storage.run(sequenceEvents, null, { workspace });
  await storage.close();
  await database.query(`insert into events (workspace_id, seq, at, type, subject, actor)
    select workspace_id, seq + 1000000, at, 'call.recorded', 'call' || seq, actor from events where seq > 0`);
  return { database, workspace };
};

describe('Query plans of events on SQLite', () => {
  let database: TestDatabase;
  let workspace: number;
  before(async () => {
    ({ database, workspace } = await fill(await largeDatabases.sqlite()));
  });
  after(() => database?.drop());

  for (const [name, statement] of Object.entries(statements)) {
    it(`The statement for ${name} reads index ranges only`, async () => {
      const { sql, order } = statement.textFor(sqliteCompiler);
      const values = argumentsFor(workspace);
      const rows = await database.query(
        `explain query plan ${sql}`,
        ...order.map((each) => values[each] ?? null),
      );
      const plan = rows.map(({ detail }) => String(detail));
      assert.ok(
        plan.some((step) => /^SEARCH events USING/.test(step)),
        plan.join('\n'),
      );
      for (const step of plan) assert.doesNotMatch(step, /^SCAN events/, plan.join('\n'));
      // The range of a workspace is its whole table.
      for (const step of plan)
        assert.doesNotMatch(step, /^SEARCH events .*\(workspace_id=\?\)$/, plan.join('\n'));
    });
  }
});

describe('Query plans of events on PostgreSQL', () => {
  let database: TestDatabase;
  let workspace: number;
  let client: Client;
  before(async () => {
    ({ database, workspace } = await fill(await largeDatabases.postgres()));
    client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query('vacuum analyze events');
  });
  after(async () => {
    await client?.end();
    await database?.drop();
  });

  for (const [name, statement] of Object.entries(statements)) {
    it(`The statement for ${name} reads index ranges only`, async () => {
      for (const { nodes, text } of await explainPostgres(client, statement, argumentsFor(workspace))) {
        for (const node of nodes) assert.doesNotMatch(node['Node Type'], /Seq Scan/, text);
        const reads = nodes.filter((node) => /Index/.test(node['Node Type']));
        assert.ok(reads.length > 0, text);
        for (const { 'Index Cond': condition } of reads)
          assert.match(String(condition), /seq|contact_id|subject/, text);
      }
    });
  }
});
