import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client, escapeLiteral } from 'pg';
import { blockCounts } from '../../src/db/deep-pagination.ts';
import { postgresCompiler } from '../../src/db/postgres/dialect.ts';
import type { Statement, Value } from '../../src/db/statement.ts';
import { listAgentRows } from '../../src/features/agents/agent.store.ts';
import { selectDueRetries, selectNewlyEnrolled } from '../../src/features/campaigns/claim.store.ts';
import { startLeases } from '../../src/features/campaigns/enrollment.store.ts';
import * as lists from '../../src/features/contacts/contact.lists.ts';
import * as contacts from '../../src/features/contacts/contact.store.ts';
import { contactList } from '../../src/features/contacts/list.store.ts';
import type { TestDatabase } from '../kit/database/engines.ts';
import { largeDatabases } from '../kit/fixtures/large-workspace.ts';

const searches = {
  plain: lists.searchOf(contactList.plan([], 'newest')),
  tagged: lists.searchOf(contactList.plan([{ filter: 'tag', value: 'rare' }], 'newest')),
};

type Values = Record<string, Value>;
// biome-ignore lint/suspicious/noExplicitAny: whatever a statement takes
type AnyStatement = Statement<any, unknown>;

const page = { limit: 20, offset: 0 };
const blocks = { prefix: 'contacts#0/', end: 'contacts#00', length: 11 };
const needle = (text: string, phone: string | null = null) => {
  return { text: `%${text}%`, phone: phone === null ? null : `%${phone}%` };
};

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Scan Direction'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Plan Rows': number;
  readonly Plans?: readonly Node[];
}

const flatten = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

describe('Query plans on PostgreSQL', () => {
  let database: TestDatabase;
  let workspace: number;
  let client: Client;
  before(async () => {
    ({ database, workspace } = await largeDatabases.postgres());
    client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(
      `insert into campaigns (workspace_id, id, name, agent_id, status, created_at, updated_at)
        select workspace_id, 'campaign_' || n, 'Campaign', id, 'active', '', '' from (select * from agents where workspace_id = ${workspace} limit 1) as agent,
        generate_series(1, 2) as n`,
    );
    // Half of the first campaign is done, and a tenth waits for a retry.
    await client.query(
      `insert into enrollments (workspace_id, campaign_id, contact_id, status, enrolled_at, updated_at, available_at)
        select workspace_id, 'campaign_' || n, id, case when seq % 2 = 0 then 'completed' else 'pending' end, created_at,
          created_at, case when seq % 10 = 1 then '2026-01-01T00:00:00.000Z' else '' end
        from contacts, generate_series(1, 2) as n where workspace_id = ${workspace}`,
    );
    await client.query('vacuum analyze campaigns, enrollments');
  });
  after(async () => {
    await client?.end();
    await database?.drop();
  });

  /** The plan for these values, or the generic plan that a prepared statement may use. */
  const planOf = async (
    statement: AnyStatement,
    values: Values,
    kind: 'custom' | 'generic' = statement.textFor(postgresCompiler).planOnce ? 'generic' : 'custom',
  ): Promise<Node[]> => {
    const { sql, order } = statement.textFor(postgresCompiler);
    const args: Values = { workspace, ...values };
    const literals = order.map((name) => {
      const value = args[name];
      return typeof value === 'string' ? escapeLiteral(value) : String(value ?? 'null');
    });
    await client.query(`set plan_cache_mode = force_${kind}_plan; prepare asked as ${sql}`);
    const { rows } = await client.query(`explain (format json) execute asked (${literals.join()})`);
    await client.query('deallocate asked');
    const root: Node = rows[0]['QUERY PLAN'][0].Plan;
    return flatten(root);
  };

  const tableSteps = (plan: readonly Node[]) => {
    for (const node of plan)
      assert.doesNotMatch(node['Node Type'], /Seq Scan/, JSON.stringify(plan[0], null, 1));
    return plan.filter((node) => node['Index Name']);
  };
  const indexesOf = (plan: readonly Node[]) => tableSteps(plan).map((node) => node['Index Name']);
  /** Sorts of more rows than a page. */
  const largeSorts = (plan: readonly Node[]) =>
    plan.filter((node) => /Sort/.test(node['Node Type']) && node['Plan Rows'] > 100);

  for (const kind of ['generic', 'custom'] as const) {
    it(`The first page scans the list backwards without a sort (${kind} plan)`, async () => {
      const plan = await planOf(lists.listAll, { ...page, below: 15_000, list: 'contacts' }, kind);
      assert.deepEqual(indexesOf(plan).sort(), ['contacts_workspace_id_seq_key', 'tallies_pkey']);
      const walk = plan.find((node) => node['Index Name'] === 'contacts_workspace_id_seq_key');
      assert.equal(walk?.['Scan Direction'], 'Backward');
      assert.match(String(walk?.['Index Cond']), /workspace_id = .*seq < /);
      assert.deepEqual(largeSorts(plan), []);
    });

    it(`Position blocks are one range scan of the counters (${kind} plan)`, async () => {
      const plan = await planOf(blockCounts, blocks, kind);
      const [look, ...rest] = tableSteps(plan);
      assert.equal(look?.['Index Name'], 'tallies_pkey');
      assert.match(String(look?.['Index Cond']), /list >= .*list < /);
      assert.deepEqual(rest, []);
    });

    it(`A tag page scans that tag and looks up each of its contacts (${kind} plan)`, async () => {
      const plan = await planOf(lists.listTagged, { ...page, tag: 'rare', list: 'contacts:rare' }, kind);
      assert.deepEqual(indexesOf(plan).sort(), [
        'contact_tags_pkey',
        'contacts_workspace_id_seq_key',
        'tallies_pkey',
      ]);
      const walk = plan.find((node) => node['Index Name'] === 'contact_tags_pkey');
      assert.equal(walk?.['Scan Direction'], 'Backward');
      assert.deepEqual(largeSorts(plan), []);
    });

    it(`Claiming scans one range of the queue without a sort (${kind} plan)`, async () => {
      const args = { campaign: 'campaign_1', now: '2026-02-01T00:00:00.000Z', limit: 10 };
      const ranges = [
        [selectDueRetries, /campaign_id = .*available_at > .*available_at <= /],
        [selectNewlyEnrolled, /campaign_id = .*available_at = /],
      ] as const;
      for (const [statement, range] of ranges) {
        const plan = await planOf(statement, args, kind);
        assert.deepEqual(indexesOf(plan), ['enrollments_queue']);
        assert.match(String(tableSteps(plan)[0]?.['Index Cond']), range);
        assert.ok(!plan.some((node) => /Sort/.test(node['Node Type'])), JSON.stringify(plan[0], null, 1));
      }
      const rows = JSON.stringify([{ contact_id: 'contact_1', claim_id: 'claim_1', updated_at: '' }]);
      const update = await planOf(startLeases, { ...args, expires_at: '', rows }, kind);
      assert.deepEqual(indexesOf(update), ['enrollments_pkey']);
      assert.match(String(tableSteps(update)[0]?.['Index Cond']), /campaign_id = .*contact_id = /);
    });

    it(`The agent list scans agents that are not deleted without a sort (${kind} plan)`, async () => {
      const plan = await planOf(listAgentRows, { ...page, list: 'agents' }, kind);
      assert.deepEqual(indexesOf(plan).sort(), ['agents_listed', 'tallies_pkey']);
      const walk = plan.find((node) => node['Index Name'] === 'agents_listed');
      assert.equal(walk?.['Scan Direction'], 'Backward');
      assert.deepEqual(largeSorts(plan), []);
    });

    it(`Single records are found by a complete key (${kind} plan)`, async () => {
      const id = 'contact_0';
      const expected: [AnyStatement, Values, string, RegExp][] = [
        [contacts.findContact, { id }, 'contacts_pkey', /workspace_id = .* AND \(id = /],
        [contacts.selectContactForUpdate, { id }, 'contacts_pkey', /workspace_id = .* AND \(id = /],
        [
          contacts.findContactByIdentity,
          { identity: '+1' },
          'contacts_workspace_id_phone_identity_key',
          /workspace_id = .* AND \(phone_identity = /,
        ],
      ];
      for (const [statement, values, index, condition] of expected) {
        const plan = await planOf(statement, values, kind);
        assert.deepEqual(indexesOf(plan), [index]);
        assert.match(String(tableSteps(plan)[0]?.['Index Cond']), condition);
      }
    });
  }

  it('A search of three characters or more uses the trigram indexes once for page and total', async () => {
    for (const [text, phone] of [
      ['unique777', null],
      ['000777', '000777'],
    ] as const) {
      const plan = await planOf(searches.plain.indexed, {
        ...page,
        ...needle(text, phone),
      });
      const names = indexesOf(plan);
      const expected = phone === null ? ['contacts_search'] : ['contacts_search', 'contacts_search_phone'];
      for (const name of expected)
        assert.equal(names.filter((each) => each === name).length, 1, `${text}: ${names}`);
      const trigrams = tableSteps(plan).filter((node) => /search/.test(String(node['Index Name'])));
      for (const node of trigrams) assert.match(String(node['Index Cond']), /workspace_id = .* AND .*~~/);
    }
  });

  it('A search with a tag uses the trigram and tag indexes', async () => {
    const plan = await planOf(searches.tagged.indexed, {
      ...page,
      ...needle('unique777'),
      tag: 'rare',
    });
    const names = new Set(indexesOf(plan));
    assert.ok(names.has('contacts_search') && names.has('contact_tags_pkey'), [...names].join());
  });
});
