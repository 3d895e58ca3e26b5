import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { sqliteCompiler } from '../../src/db/sqlite/dialect.ts';
import type { Statement, Value } from '../../src/db/statement.ts';
import { entries, entryList } from '../../src/features/audit-log/audit-log.store.ts';
import { countBulkJobs, listBulkJobs } from '../../src/features/bulk/bulk.store.ts';
import * as claims from '../../src/features/campaigns/claim.store.ts';
import { deleteProgressBefore } from '../../src/features/campaigns/progress.service.ts';
import { deleteBefore, listVisible } from '../../src/features/notices/notice.store.ts';
import { countOwnViews, listViewRows } from '../../src/features/views/view.store.ts';
import { markExpiringNoticed } from '../../src/features/workspaces/key.store.ts';
import { findLastClaim } from '../../src/records/audit.store.ts';
import { equalTo } from '../../src/records/list.declaration.ts';
import { engines, type TestDatabase } from '../kit/database/engines.ts';
import { explainPostgres } from '../kit/database/plans.ts';
import { campaignApi, makeActiveCampaign } from '../kit/fixtures/campaigns.ts';
import { fillContacts } from '../kit/fixtures/large-workspace.ts';
import { startTestService } from '../kit/service/test-service.ts';

interface Expected {
  readonly statement: Statement<never, unknown>;
  /** The index, which has another name on SQLite if it is the primary key. */
  readonly index: string;
  /** The columns of the range after the workspace. */
  readonly columns: RegExp;
}

const entriesBetween = entryList.plan(equalTo({ since: '2026-01-10', before: '2026-01-11' }), 'at');

const statements: Readonly<Record<string, Expected>> = {
  'list of bulk jobs': { statement: listBulkJobs, index: 'bulk_jobs_in_order', columns: /^$/ },
  'count of bulk jobs': { statement: countBulkJobs, index: 'bulk_jobs', columns: /^$/ },
  'list of views': { statement: listViewRows, index: 'saved_views', columns: /^$/ },
  'count of the views of a user': {
    statement: countOwnViews,
    index: 'saved_views_of_user',
    columns: /created_by/,
  },
  'list of notices': { statement: listVisible, index: 'notices_pkey', columns: /^$/ },
  'deletion of old notices': { statement: deleteBefore, index: 'notices_pkey', columns: /id|^$/ },
  'search for expiring keys': {
    statement: markExpiringNoticed,
    index: 'keys_expiring',
    columns: /expires_at/,
  },
  'claim of due retries of a zone': {
    statement: claims.selectDueRetriesOfZone,
    index: 'enrollments_queue_by_zone',
    columns: /campaign_id.*zone_group.*available_at/,
  },
  'claim of new contacts of a zone': {
    statement: claims.selectNewlyEnrolledOfZone,
    index: 'enrollments_queue_by_zone',
    columns: /campaign_id.*zone_group.*available_at/,
  },
  'list of zones in the queue': {
    statement: claims.findZones,
    index: 'enrollments_queue_by_zone',
    columns: /campaign_id/,
  },
  'list of changes between two times': {
    statement: entryList.pageStatement(entriesBetween, entries),
    index: 'audit_entries_by_time',
    columns: /at/,
  },
  'count of changes between two times': {
    statement: entryList.countStatement(entriesBetween),
    index: 'audit_entries_by_time',
    columns: /at/,
  },
  'list of all changes': {
    statement: entryList.pageStatement(entryList.plan([], 'changed'), entries),
    index: 'audit_entries_pkey',
    columns: /^$/,
  },
  'search for the last claim of a campaign': {
    statement: findLastClaim,
    index: 'audit_entries_of_claims',
    columns: /parent/,
  },
  'deletion of old progress': { statement: deleteProgressBefore, index: 'tallies_pkey', columns: /list/ },
};

const WORKSPACE = 1;
const WORKSPACES = 10;
const ROWS = 2_000;

const argumentsFor = (campaign: string): Record<string, Value> => ({
  workspace: WORKSPACE,
  campaign,
  zone: 'zone 7',
  now: '2026-06-01T00:00:00.000Z',
  until: '2026-06-08T00:00:00.000Z',
  createdBefore: '2026-05-31T00:00:00.000Z',
  user: 'user 7',
  role: 'owner',
  list: 'contacts',
  actor: '',
  subject: '',
  action: '',
  since: '2026-01-10',
  before: '2026-01-11',
  limit: 50,
  offset: 0,
  cap: 2 ** 40,
});

/** Thousands of rows in every list of several workspaces, and a campaign, whose id is returned. */
const fill = async (database: TestDatabase): Promise<string> => {
  const service = await startTestService(database);
  const { id } = await makeActiveCampaign(service, await campaignApi(service), 0);
  await service.stop();
  await fillContacts(database, WORKSPACE, ROWS);
  const numbers =
    database.database.engine === 'sqlite'
      ? `(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS}) select i from n)`
      : `(select i from generate_series(1, ${ROWS}) as n(i))`;
  const at = `'2026-01-' || (10 + i % 20) || 'T' || (10 + i % 14) || ':00:00.000Z'`;
  for (let at = 2; at <= WORKSPACES; at++)
    await database.query(`insert into workspaces (name, created_at) values ('other ${at}', '2026-01-01')`);
  const insert = (table: string, columns: string, values: string) =>
    database.query(
      `insert into ${table} (workspace_id, ${columns}) select workspaces.id, ${values} from ${numbers} as numbers cross join workspaces`,
    );
  await insert(
    'bulk_jobs',
    `id, seq, action, status, ids, excluded, parameters, until_seq, progress, total, processed, changed, unchanged, missing, blocked,
      reasons, created_by, created_at`,
    `'job ' || i, i, 'tag', 'done', '[]', 0, '{}', 0, 0, 0, 0, 0, 0, 0, 0, '[]', 'user', ${at}`,
  );
  await insert(
    'saved_views',
    'id, list, name, query, created_by, shared, created_at, updated_at',
    `'view ' || i, case i % 4 when 0 then 'contacts' when 1 then 'calls' when 2 then 'campaigns' else 'audit' end, 'View ' || i, '',
      'user ' || i % 60, i % 2, ${at}, ${at}`,
  );
  await insert(
    'notices',
    'id, at, kind, audience, subject, name',
    `'notice ' || (100000 + i), ${at}, 'import.applied', 'member', 'import', 'a.csv'`,
  );
  await insert(
    'keys',
    'id, name, hash, scope, created_at, expires_at',
    `'key ' || i, 'Key', 'hash ' || i, 'read', ${at}, case when i % 10 = 0 then '2026-0' || (1 + i % 9) || '-01' end`,
  );
  await insert('audit_entries', 'seq, at, actor, action', `1000000 + i, ${at}, 'user', 'contact.updated'`);
  await insert(
    'audit_entries',
    'seq, at, actor, action, parent',
    `2000000 + i, ${at}, 'key', 'enrollment.claimed', 'campaign ' || i % 20`,
  );
  await insert('tallies', 'list, part, count', `'progress@${id}/' || i || '/claimed', 0, 1`);
  await database.query(
    `insert into enrollments (workspace_id, campaign_id, contact_id, status, enrolled_at, updated_at, available_at, zone_group)
      select workspace_id, '${id}', id, 'pending', created_at, created_at, case when seq % 2 = 0 then '' else created_at end,
        'zone ' || seq % 20
      from contacts where workspace_id = ${WORKSPACE}`,
  );
  return id;
};

describe('Query plans of the lists of the dashboard on SQLite', () => {
  let database: TestDatabase;
  let campaign: string;
  before(async () => {
    database = await engines.sqlite();
    campaign = await fill(database);
  });
  after(() => database?.drop());

  for (const [name, { statement, index, columns }] of Object.entries(statements))
    it(`The ${name} reads one range of an index`, async () => {
      const { sql, order } = statement.textFor(sqliteCompiler);
      const values = argumentsFor(campaign);
      const rows = await database.query(
        `explain query plan ${sql}`,
        ...order.map((each) => values[each] ?? null),
      );
      const plan = rows.map(({ detail }) => String(detail));
      const text = plan.join('\n');
      assert.deepEqual(
        plan.filter((step) => /^SCAN (?!newest|oldest|zones|expired|CONSTANT|\(subquery)/.test(step)),
        [],
        text,
      );
      const source = /_pkey$|^bulk_jobs$/.test(index) ? 'PRIMARY KEY' : `INDEX ${index}`;
      const read = plan.find((step) => step.replace('COVERING ', '').includes(`USING ${source}`));
      const range = /\(workspace_id=\?(?: AND (.*))?\)$/.exec(read ?? '');
      assert.ok(range, text);
      assert.match(range[1] ?? '', columns, text);
      // A few views, or the notices of one page, may be sorted.
      if (name !== 'list of zones in the queue') assert.doesNotMatch(text, /TEMP B-TREE FOR ORDER BY/);
    });
});

describe('Query plans of the lists of the dashboard on PostgreSQL', () => {
  let database: TestDatabase;
  let campaign: string;
  let client: Client;
  before(async () => {
    const made = await engines.postgres();
    database = made;
    campaign = await fill(made);
    client = new Client({ connectionString: made.url });
    await client.connect();
    await client.query('vacuum analyze');
  });
  after(async () => {
    await client?.end();
    await database?.drop();
  });

  for (const [name, { statement, index, columns }] of Object.entries(statements))
    it(`The ${name} reads one range of an index`, async () => {
      for (const { nodes, text } of await explainPostgres(client, statement, argumentsFor(campaign))) {
        // The few campaigns and users of the workspace may be scanned.
        for (const node of nodes)
          if (!['campaigns', 'users'].includes(node['Relation Name'] ?? ''))
            assert.doesNotMatch(node['Node Type'], /Seq Scan/, text);
        const read = nodes.find((node) => node['Index Name']?.startsWith(index));
        const condition = read?.['Index Cond'] ?? '';
        assert.match(condition, /workspace_id = /, text);
        assert.match(condition.replace(/.*?workspace_id = [^)]*\)( AND )?/, ''), columns, text);
      }
    });
});
