import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { sqliteCompiler } from '../../src/db/sqlite/dialect.ts';
import type { Statement, Value } from '../../src/db/statement.ts';
import { findActivity } from '../../src/features/calls/call.store.ts';
import { conditionsOf } from '../../src/features/contacts/contact.filters.ts';
import type { ContactFilter } from '../../src/features/contacts/contact.terms.ts';
import { contactList, contactRows } from '../../src/features/contacts/list.store.ts';
import { bareOf } from '../../src/records/list.ts';
import { registerContributions } from '../../src/wiring/handlers.ts';
import type { TestDatabase } from '../kit/database/engines.ts';
import { explainPostgres } from '../kit/database/plans.ts';
import { largeDatabases } from '../kit/fixtures/large-workspace.ts';

registerContributions();

/** The index that a range reads, and the condition on SQLite. */
const INDEXES = {
  newest: ['contacts_workspace_id_seq_key', 'seq<?'],
  source: ['contacts_by_source', 'source>? AND (source,seq)<(?,?)'],
  company: ['contacts_of_company', 'company=? AND seq<?'],
  email: ['contacts_by_email', '<expr>=? AND seq<?'],
  withoutEmail: ['contacts_without_email', 'seq<?'],
  withoutName: ['contacts_without_name', 'seq<?'],
  tagged: ['contact_tags_pkey', 'tag=? AND seq<?'],
  taggedAny: ['contact_tags_pkey', 'tag=? AND seq<?'],
  created_at: ['contacts_by_creation', '(created_at,seq)>(?,?) AND created_at<?'],
  '-created_at': ['contacts_by_creation', 'created_at>? AND (created_at,seq)<(?,?)'],
  updated_at: ['contacts_by_update', '(updated_at,seq)>(?,?)'],
  '-updated_at': ['contacts_by_update', 'updated_at>? AND (updated_at,seq)<(?,?)'],
  last_contact_at: ['contacts_by_last_contact', '(last_contact_at,seq)>(?,?) AND last_contact_at<?'],
  '-last_contact_at': ['contacts_by_last_contact', 'last_contact_at>? AND (last_contact_at,seq)<(?,?)'],
  name: ['contacts_by_name', '<expr>>?'],
  '-name': ['contacts_by_name', '<expr><?'],
} as const satisfies Record<string, [index: string, condition: string]>;
type RangeName = keyof typeof INDEXES;

/** The filters of each range that has some. */
const FILTERS: Partial<Record<RangeName, ContactFilter>> = {
  source: { source: 'api' },
  company: { company: 'Acme' },
  email: { email: 'ada@example.com' },
  withoutEmail: { has_email: false },
  withoutName: { has_name: false },
  tagged: { tag: 'rare' },
  taggedAny: { has_tag: ['rare', 'common'] },
};

/** Filters that no range applies, and the times of all orders by time. */
const OTHERS: ContactFilter = {
  created_since: '2026-01-01',
  created_before: '2027-01-01',
  updated_since: '2026-01-01',
  last_contact_since: '2026-01-01',
  last_contact_before: '2027-01-01',
  last_activity_since: '2026-01-01',
  last_activity_before: '2027-01-01',
  campaign: 'campaign_x',
  import: 'import_x',
  in_campaign: false,
  called: false,
};

const planOf = (range: RangeName) => {
  const words = { filter: 'words', value: '["%ada%"]' };
  const pattern = {
    any: [
      { filter: 'pattern', value: '%ada%' },
      { filter: 'digits', value: '%1%' },
    ],
  };
  const conditions = [...conditionsOf({ ...OTHERS, ...FILTERS[range] }), words, pattern];
  return contactList.plan(conditions, range in FILTERS || range === 'newest' ? 'newest' : range);
};

const args = (workspace: number): Record<string, Value> => ({
  workspace,
  key: 'z',
  seq: 10_000,
  examined: 2_000,
  limit: 101,
  offset: 50,
  cap: 10_001,
});

/** One to three calls for every second contact, over three years. */
const fillCalls = ({ query }: TestDatabase, workspace: number) =>
  query(`insert into calls (workspace_id, id, seq, channel_id, contact_id, medium, direction, status, provider_id, started_at)
    select workspace_id, 'call_' || part || id, seq * 3 + part, 'channel', id, 'call', 'inbound', 'completed', part || id,
      (2025 + (seq + part) % 3) || '-0' || (1 + seq % 9) || '-01T00:00:00.' || (100 + seq % 900) || 'Z'
    from contacts cross join (select 0 as part union all select 1 union all select 2) as parts
    where workspace_id = ${workspace} and seq % 2 = 0 and part <= seq % 3`);

/** The contacts with activity in a month, without other conditions. */
const activityPlan = (order: string) => {
  const times = { last_activity_since: '2026-01-01', last_activity_before: '2026-02-01' };
  return contactList.plan(
    Object.entries(times).map(([filter, value]) => ({ filter, value })),
    order,
  );
};

const activityArgs = (workspace: number): Record<string, Value> => ({
  ...args(workspace),
  ...activityPlan('-last_activity_at').args,
  offset: 0,
  cap: 101,
  contacts: '["x"]',
});

type AnyStatement = Statement<never, unknown>;
const activityPage = (order: string) =>
  contactList.pageStatement(activityPlan(order), contactRows) as AnyStatement;

const activity: Record<string, AnyStatement> = {
  last_activity_at: activityPage('last_activity_at'),
  '-last_activity_at': activityPage('-last_activity_at'),
  'first and last': findActivity as AnyStatement,
};

/** A page with a number begins with the range, so it has no position. */
const NUMBERED = ['numbered', 'numbered count'];

const statements = (Object.keys(INDEXES) as RangeName[]).flatMap((range) => {
  const plan = planOf(range);
  const kinds = {
    page: contactList.pageStatement(plan, contactRows, { isAfter: true, isLimited: true }),
    end: contactList.pageStatement(bareOf(plan), contactRows, { isAfter: true }),
    count: contactList.countStatement(plan, { isLimited: true }),
    numbered: contactList.pageStatement(plan, contactRows),
    'numbered count': contactList.countStatement(plan, { isCapped: true }),
  };
  return Object.entries(kinds).map(([kind, statement]) => [range, kind, statement, plan.args] as const);
});

describe('Query plans of sorted and filtered lists on SQLite', () => {
  let database: TestDatabase;
  let workspace: number;
  before(async () => {
    ({ database, workspace } = await largeDatabases.sqlite());
    await fillCalls(database, workspace);
  });
  after(() => database?.drop());

  for (const [name, statement] of Object.entries(activity)) {
    it(`The activity of contacts (${name}) is found by index ranges of their calls`, async () => {
      const { sql, order } = statement.textFor(sqliteCompiler);
      const values = activityArgs(workspace);
      const rows = await database.query(
        `explain query plan ${sql}`,
        ...order.map((each: string) => values[each] as Value),
      );
      const plan = rows.map(({ detail }) => String(detail));
      const text = plan.join('\n');
      if (statement !== findActivity)
        assert.match(text, /SEARCH latest USING INDEX calls_by_start \(workspace_id=\? AND started_at>/);
      assert.match(text, /calls_of_contact_by_time \(workspace_id=\? AND contact_id=\?/);
      assert.doesNotMatch(text, /^SCAN (?:calls|latest|later|contacts)\b/m, text);
      const sorts = plan.filter((step) => /TEMP B-TREE/.test(step) && !/string_agg/.test(step));
      assert.deepEqual(sorts, [], text);
    });
  }

  for (const [range, kind, statement, values] of statements) {
    it(`The ${kind} of the range ${range} reads one index range without a scan or a large sort`, async () => {
      const { sql, order } = statement.textFor(sqliteCompiler);
      const given: Record<string, Value> = { ...args(workspace), ...values };
      const rows = await database.query(
        `explain query plan ${sql}`,
        ...order.map((name: string) => given[name] as Value),
      );
      const plan = rows.map(({ detail }) => String(detail));
      const text = plan.join('\n');
      const [index, condition] = INDEXES[range];
      const scans = plan.filter((step) => /^SCAN /.test(step));
      for (const step of scans)
        assert.match(step, /^SCAN (?:listed|found|merged|\(subquery|tag\d|json_each|CONSTANT|counted)/, text);
      const reads = plan.filter((step) => step.startsWith('SEARCH '));
      const place =
        index === 'contact_tags_pkey'
          ? 'SEARCH contact_tags USING PRIMARY KEY'
          : `SEARCH contacts USING INDEX ${index === 'contacts_workspace_id_seq_key' ? 'sqlite_autoindex_contacts_2' : index}`;
      const read = reads[0]?.replace('COVERING ', '');
      if (kind === 'page' || kind === 'end')
        assert.equal(read, `${place} (workspace_id=? AND ${condition})`, text);
      else assert.ok(read?.startsWith(`${place} (workspace_id=?`), text);
      // A page with a number sorts only the contacts of the page.
      const sorts = plan.filter((step) => /TEMP B-TREE/.test(step) && !/string_agg/.test(step));
      if (range !== 'taggedAny') assert.deepEqual(sorts, [], text);
    });
  }
});

describe('Query plans of sorted and filtered lists on PostgreSQL', () => {
  let database: TestDatabase;
  let workspace: number;
  let client: Client;
  before(async () => {
    ({ database, workspace } = await largeDatabases.postgres());
    await fillCalls(database, workspace);
    client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query('vacuum analyze calls');
  });
  after(async () => {
    await client?.end();
    await database?.drop();
  });

  for (const [name, statement] of Object.entries(activity)) {
    it(`The activity of contacts (${name}) is found without a scan`, async () => {
      for (const { nodes, text } of await explainPostgres(
        client,
        statement as never,
        activityArgs(workspace),
      )) {
        for (const node of nodes)
          assert.ok(
            !/Seq Scan/.test(node['Node Type']) || !/^(calls|contacts)$/.test(node['Relation Name'] ?? ''),
            text,
          );
        assert.ok(
          nodes.some((node) => node['Index Name'] === 'calls_of_contact_by_time'),
          text,
        );
      }
    });
  }

  for (const [range, kind, statement, values] of statements) {
    it(`The ${kind} of the range ${range} reads one index range without a scan`, async () => {
      for (const { nodes, text } of await explainPostgres(client, statement as never, {
        ...args(workspace),
        ...values,
      })) {
        // Tables of other features are empty here.
        for (const node of nodes)
          assert.ok(
            !/Seq Scan/.test(node['Node Type']) || !node['Relation Name']?.startsWith('contact'),
            text,
          );
        // A page with a number knows its conditions, so the planner may prefer the index of another one.
        const read = nodes.find(
          (node) =>
            node['Index Name'] === INDEXES[range][0] ||
            (NUMBERED.includes(kind) &&
              node['Relation Name'] === 'contacts' &&
              node['Index Name'] !== undefined),
        );
        assert.ok(read, text);
        assert.match(String(read['Index Cond']), /workspace_id = /, text);
        if (kind !== 'page' && kind !== 'end') continue;
        assert.match(String(read['Index Cond']), /seq/, text);
      }
    });
  }
});
