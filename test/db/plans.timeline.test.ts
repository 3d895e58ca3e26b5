import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { sqliteCompiler } from '../../src/db/sqlite/dialect.ts';
import type { Statement, Value } from '../../src/db/statement.ts';
import { listCallIds } from '../../src/features/timeline/timeline.store.ts';
import * as changes from '../../src/records/timeline.store.ts';
import { engines, type TestDatabase } from '../kit/database/engines.ts';
import { explainPostgres } from '../kit/database/plans.ts';
import { makeWorkspace, openTestStorage } from '../kit/database/workspaces.ts';

/** Each statement, and the condition of the index range that it reads. */
const statements: Readonly<Record<string, readonly [Statement<never, unknown>, RegExp]>> = {
  'the changes of a kind': [changes.listChanges, /kind.*at/],
  'the calls of a contact': [listCallIds, /medium.*started_at/],
  'deleting expired changes': [changes.deleteChangesBefore, /at|contact_id/],
  'deleting the changes of a contact': [changes.deleteChanges, /contact_id/],
};

const argumentsFor = (workspace: number): Record<string, Value> => ({
  workspace,
  contact: 'contact_7',
  kind: 'edit',
  medium: 'call',
  at: '2026-06-01T00:00:00.000Z',
  id: 'x',
  before: '2020-01-01T00:00:00.000Z',
  limit: 21,
});

const ROWS = 20_000;

/** Changes and calls of 10,000 contacts over two years. */
const fill = async ({ database, query }: TestDatabase): Promise<number> => {
  const storage = await openTestStorage({ database });
  const { workspace } = (await makeWorkspace(storage)).principal;
  await storage.close();
  const numbers =
    database.engine === 'sqlite'
      ? `(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS}) select i from n)`
      : `(select i from generate_series(1, ${ROWS}) as n(i))`;
  const at = `(2025 + i % 2) || '-0' || (1 + i % 9) || '-01T00:00:00.' || (100 + i % 900) || 'Z'`;
  await query(`insert into contact_changes (workspace_id, contact_id, kind, at, id, action)
    select ${workspace}, 'contact_' || (i % 10000), case when i % 3 = 0 then 'tag' else 'edit' end, ${at}, 'id' || i, 'contact.updated'
    from ${numbers} as numbers`);
  await query(`insert into calls (workspace_id, id, seq, channel_id, contact_id, medium, direction, status, provider_id, started_at)
    select ${workspace}, 'call_' || i, i, 'channel', 'contact_' || (i % 10000), 'call', 'inbound', 'completed', 'p' || i, ${at}
    from ${numbers} as numbers`);
  return workspace;
};

describe('Query plans of timelines on SQLite', () => {
  let database: TestDatabase;
  let workspace: number;
  before(async () => {
    database = await engines.sqlite();
    workspace = await fill(database);
  });
  after(() => database?.drop());

  for (const [name, [statement]] of Object.entries(statements)) {
    it(`The statement for ${name} reads index ranges only`, async () => {
      const { sql, order } = statement.textFor(sqliteCompiler);
      const values = argumentsFor(workspace);
      const rows = await database.query(
        `explain query plan ${sql}`,
        ...order.map((each) => values[each] ?? null),
      );
      const plan = rows.map(({ detail }) => String(detail)).join('\n');
      assert.match(plan, /^SEARCH (?:contact_changes|calls) USING/m);
      assert.doesNotMatch(plan, /^SCAN (?:contact_changes|calls)|USE TEMP B-TREE FOR ORDER BY/m);
    });
  }
});

describe('Query plans of timelines on PostgreSQL', () => {
  let database: TestDatabase & { readonly url?: string };
  let workspace: number;
  let client: Client;
  before(async () => {
    const made = await engines.postgres();
    database = made;
    workspace = await fill(made);
    client = new Client({ connectionString: made.url });
    await client.connect();
    await client.query('vacuum analyze');
  });
  after(async () => {
    await client?.end();
    await database?.drop();
  });

  for (const [name, [statement, condition]] of Object.entries(statements)) {
    it(`The statement for ${name} reads index ranges only`, async () => {
      for (const { nodes, text } of await explainPostgres(client, statement, argumentsFor(workspace))) {
        for (const node of nodes) assert.doesNotMatch(node['Node Type'], /Seq Scan/, text);
        const reads = nodes.filter((node) => /Index/.test(node['Node Type']));
        assert.ok(reads.length > 0, text);
        for (const node of reads) assert.match(String(node['Index Cond']), condition, text);
      }
    });
  }
});
