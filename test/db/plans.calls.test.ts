import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { sqliteCompiler } from '../../src/db/sqlite/dialect.ts';
import type { Statement, Value } from '../../src/db/statement.ts';
import { callGroups, callList, namedCalls } from '../../src/features/calls/call-list.store.ts';
import {
  countByAgent,
  countByChannel,
  countCreatedContacts,
  countStatuses,
} from '../../src/features/figures/figures.store.ts';
import { equalTo } from '../../src/records/list.declaration.ts';
import { engines, type TestDatabase } from '../kit/database/engines.ts';
import { explainPostgres } from '../kit/database/plans.ts';
import { makeWorkspace, openTestStorage } from '../kit/database/workspaces.ts';
import { fillContacts } from '../kit/fixtures/large-workspace.ts';

const INDEXES = {
  contact_id: 'calls_of_contact',
  number_identity: 'calls_of_number',
  other_number: 'calls_of_other_number',
  search: 'call_texts',
  goal: 'call_goals',
  tag: 'call_tags',
  disposition: 'calls_by_disposition',
  version_id: 'calls_of_version_by_start',
  channel_id: 'calls_of_channel_by_start',
  agent_id: 'calls_of_agent_by_start',
  status: 'calls_by_status',
  seconds_min: 'calls_with_duration',
  since: 'calls_by_start',
};

/** The statements of calls by a filter between two times: with the less selective filters, and without any. */
const statementsBy = (filter: keyof typeof INDEXES) => {
  const names = [...Object.keys(INDEXES), 'before', 'medium', 'direction'];
  const values = (some: readonly string[]) => equalTo(Object.fromEntries(some.map((name) => [name, 'x'])));
  return [names.slice(names.indexOf(filter)), [...new Set([filter, 'since', 'before'])]].flatMap((some) => {
    const isFiltered = some.includes('medium') ? 'filtered ' : '';
    const [asc, desc] = ['started_at', '-started_at'].map((order) => callList.plan(values(some), order));
    assert.ok(asc && desc);
    return [
      [`${isFiltered}asc`, callList.pageStatement(asc, namedCalls, { isAfter: true })],
      [`${isFiltered}desc`, callList.pageStatement(desc, namedCalls, { isAfter: true })],
      [`${isFiltered}first page`, callList.pageStatement(desc, namedCalls)],
      [`${isFiltered}count`, callList.countStatement(desc, { isCapped: isFiltered !== '' })],
      [`${isFiltered}groups`, callList.pageStatement(desc, callGroups)],
    ] as const;
  });
};

const statements: (readonly [title: string, index: string, statement: Statement<never, unknown>])[] = [
  ...(Object.keys(INDEXES) as (keyof typeof INDEXES)[]).flatMap((range) =>
    statementsBy(range).map(
      ([kind, statement]) =>
        [`The ${kind} of calls by ${range}`, INDEXES[range], statement as Statement<never, unknown>] as const,
    ),
  ),
  ['The count of calls by agent', 'calls_of_agent_by_start', countByAgent as Statement<never, unknown>],
  ['The count of calls by channel', 'calls_of_channel_by_start', countByChannel as Statement<never, unknown>],
  ['The count of calls by status and day', 'calls_by_status', countStatuses as Statement<never, unknown>],
  [
    'The count of new contacts at a boundary of days',
    'contacts_by_creation',
    countCreatedContacts as Statement<never, unknown>,
  ],
];

const args = (workspace: number): Record<string, Value> => ({
  workspace,
  contact_id: 'contact 7',
  number_identity: '+14155550107',
  other_number: '12345',
  search: 'rare',
  goal: 'booked',
  tag: 'vip',
  disposition: 'd7',
  seconds_min: 100,
  version_id: 'version 7',
  channel_id: 'channel 7',
  agent_id: 'agent 7',
  status: 'failed',
  medium: 'call',
  direction: 'inbound',
  since: '2026-01-10',
  before: '2026-01-12',
  key: '2026-01-12',
  seq: -1,
  limit: 50,
  offset: 0,
  cap: 10_000,
  width: 13,
  spans: '{"2026-01-10":"2026-01-11","2026-01-11":"2026-01-12"}',
  statuses: '["completed","failed"]',
});

/** Calls of a month: 5,000 contacts, 40 agents, versions and channels, seven statuses. With few values, PostgreSQL would skip
 *  through them in another index. */
const fillCalls = async (database: TestDatabase): Promise<number> => {
  const storage = await openTestStorage(database);
  const { principal } = await makeWorkspace(storage);
  await storage.close();
  const { workspace } = principal;
  await database.query(`insert into calls (workspace_id, id, seq, channel_id, contact_id, agent_id, version_id, medium, direction,
      status, provider_id, started_at, seconds, disposition, number, number_identity)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 20000)
    select ${workspace}, 'call ' || n, n, 'channel ' || (n % 40), 'contact ' || (n % 5000), 'agent ' || (n % 40), 'version ' || (n % 40),
      'call', 'inbound', case n % 20 when 0 then 'failed' when 1 then 'busy' when 2 then 'no_answer' when 3 then 'canceled'
        when 4 then 'in_progress' when 5 then 'ringing' else 'completed' end, 'CA' || n,
      '2026-01-' || (10 + n / 1000) || 'T' || (10 + n % 10) || ':00:00.000Z', case when n % 3 > 0 then n % 600 end, 'd' || (n % 40),
      '+1415555' || (1000 + n % 5000), '+1415555' || (1000 + n % 5000)
    from numbers`);
  await database.query(`insert into call_goals (workspace_id, goal, started_at, seq)
    select workspace_id, case seq % 3 when 0 then 'booked' when 1 then '-booked' else 'paid' end, started_at, seq from calls`);
  await database.query(`insert into call_tags (workspace_id, tag, started_at, seq)
    select workspace_id, case seq % 3 when 0 then 'vip' else 'later' end, started_at, seq from calls`);
  await database.query(`insert into call_texts (workspace_id, started_at, seq, size, text, transcript)
    select workspace_id, started_at, seq, 5, 'the caller asked about an order', 'hello' from calls where seq % 2 = 0`);
  return workspace;
};

describe('Query plans of lists of calls on SQLite', () => {
  let database: TestDatabase;
  let workspace: number;
  before(async () => {
    database = await engines.sqlite();
    workspace = await fillCalls(database);
  });
  after(() => database?.drop());

  for (const [title, index, statement] of statements)
    it(`${title} reads one range of its index`, async () => {
      const { sql, order } = statement.textFor(sqliteCompiler);
      const values = args(workspace);
      const rows = await database.query(
        `explain query plan ${sql}`,
        ...order.map((name) => values[name] as Value),
      );
      const plan = rows.map(({ detail }) => String(detail));
      const text = plan.join('\n');
      for (const step of plan.filter((each) => each.startsWith('SCAN ')))
        assert.match(step, /^SCAN (?:c$|counted|found|json_each|\(subquery)/, text);
      const isDerived = ['call_goals', 'call_tags', 'call_texts'].includes(index);
      const read = plan.find((step) => /^SEARCH (?:c|found) USING/.test(step)) ?? '';
      const used = isDerived ? 'SEARCH found USING PRIMARY KEY' : ` ${index}(?:_by_start|_by_time)?`;
      assert.match(read, new RegExp(`${used} \\(workspace_id=\\?`), text);
      if (index !== 'calls_of_contact') assert.match(read, /(?:started_at|created_at)[,>)]/, text);
    });
});

describe('Query plans of lists of calls on PostgreSQL', () => {
  let database: TestDatabase;
  let workspace: number;
  let client: Client;
  before(async () => {
    database = await engines.postgres();
    workspace = await fillCalls(database);
    await fillContacts(database, workspace, 2_000);
    client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query('vacuum analyze');
  });
  after(async () => {
    await client?.end();
    await database?.drop();
  });

  for (const [title, index, statement] of statements)
    it(`${title} reads one range of its index`, async () => {
      for (const { nodes, text } of await explainPostgres(client, statement as never, args(workspace))) {
        const ofCalls = nodes.filter((node) => node['Relation Name'] === 'calls');
        for (const node of ofCalls) assert.doesNotMatch(node['Node Type'], /Seq Scan/, text);
        // PostgreSQL 18 may skip through the seven statuses: it reads the same times once for each of them.
        const others = index === 'calls_by_start' ? ['calls_by_status'] : [];
        const allowed = [index, `${index}_by_start`, `${index}_by_time`, `${index}_pkey`, ...others];
        const read = nodes.find((node) => allowed.includes(node['Index Name'] ?? ''));
        assert.ok(read, text);
        assert.match(String(read['Index Cond']), /workspace_id = /, text);
        if (index !== 'calls_of_contact')
          assert.match(String(read['Index Cond']), /started_at|created_at/, text);
      }
    });
});
