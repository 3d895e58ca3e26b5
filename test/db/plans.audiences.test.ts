import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { sqliteCompiler } from '../../src/db/sqlite/dialect.ts';
import { allStatements, type Statement, type Value } from '../../src/db/statement.ts';
import {
  deleteRenderings,
  deleteRenderingsBefore,
  findRenderings,
} from '../../src/features/agents/rendering.store.ts';
import { findAwaited } from '../../src/features/campaigns/audience.jobs.ts';
import * as campaigns from '../../src/features/campaigns/campaign.store.ts';
import * as enrollments from '../../src/features/campaigns/enrollment.store.ts';
import { walks } from '../../src/features/contacts/contact.lists.ts';
import { contactList } from '../../src/features/contacts/list.store.ts';
import * as segments from '../../src/features/contacts/segment.store.ts';
import { registerContributions } from '../../src/wiring/handlers.ts';
import '../../src/wiring/operations.ts';
import { engines, type TestDatabase } from '../kit/database/engines.ts';
import { explainPostgres } from '../kit/database/plans.ts';
import { campaignApi, makeActiveCampaign } from '../kit/fixtures/campaigns.ts';
import { fillContacts } from '../kit/fixtures/large-workspace.ts';
import { startTestService } from '../kit/service/test-service.ts';

registerContributions();

interface Expected {
  readonly statement: Statement<never, unknown>;
  readonly index: string;
  /** The columns of the range after the workspace. */
  readonly columns: RegExp;
}

/** A statement that only its module uses. */
const statementLike = (text: RegExp): Statement<never, unknown> => {
  const found = allStatements().find((each) => text.test(each.textFor(sqliteCompiler).sql));
  assert.ok(found, String(text));
  return found as Statement<never, unknown>;
};

const contactKey = { index: 'contacts_pkey', columns: /\bid\b/ };
const enrollmentKey = { index: 'enrollments_', columns: /contact_id/ };
/** PostgreSQL may read all blocked ones if they are few. */
const blockedKey = { index: 'enrollments_', columns: /contact_id|status/ };
const someOfAudience = contactList.plan(
  [
    { filter: 'ids', value: '["x"]' },
    { filter: 'fields.plan:text:eq', value: 'rare' },
  ],
  'oldest',
);

const statements: Readonly<Record<string, Expected>> = {
  'list of segments': { statement: segments.listSegmentRows, index: 'segments_', columns: /^$/ },
  'count of the segments of a user': {
    statement: segments.countOwnSegments,
    index: 'segments_of_user',
    columns: /created_by/,
  },
  'list of the campaigns of a segment': {
    statement: campaigns.findOfSegments,
    index: 'campaigns_of_segment',
    columns: /segment_id/,
  },
  'restart of the campaigns of a segment': {
    statement: campaigns.restartOfSegment,
    index: 'campaigns_of_segment',
    columns: /segment_id/,
  },
  'check whether contacts match an audience': {
    statement: contactList.pageStatement(someOfAudience, walks.ids, { isAfter: true }),
    ...contactKey,
  },
  'enrollment of contacts that match': { statement: enrollments.insertEnrollments, ...contactKey },
  'search for workspaces that wait for events': {
    statement: statementLike(/select distinct workspace_id from jobs/),
    index: 'jobs_following',
    columns: /due_at|^$/,
  },
  'search for campaigns that wait for events': {
    statement: findAwaited,
    index: 'jobs_following',
    columns: /due_at/,
  },
  'skipping, blocking and return of contacts': { statement: enrollments.moveEnrollments, ...enrollmentKey },
  'change of variables': { statement: enrollments.setVariables, ...enrollmentKey },
  'list of blocked contacts among some': { statement: enrollments.findWithStatus, ...blockedKey },
  'lock of blocked contacts among some': { statement: enrollments.selectWithStatus, ...blockedKey },
  'lock of waiting contacts among some': { statement: enrollments.selectWaiting, ...enrollmentKey },
  'removal of unclaimed contacts among some': { statement: enrollments.deleteUnclaimed, ...enrollmentKey },
  'walk through blocked contacts': {
    statement: enrollments.walkWithStatus,
    index: 'enrollments_by_status',
    columns: /campaign_id.*status.*contact_id/,
  },
  'list of contacts to render': {
    statement: statementLike(/"crm_ids", "phone_identity", "fields" from "contacts"[\s\S]*"id" in \(/),
    ...contactKey,
  },
  'list of renderings': { statement: findRenderings, index: 'renderings_pkey', columns: /contact_id/ },
  'deletion of the texts of contacts': {
    statement: deleteRenderings,
    index: 'renderings_pkey',
    columns: /contact_id/,
  },
  'deletion of old texts': {
    statement: deleteRenderingsBefore,
    index: 'renderings_by_time',
    columns: /\bat\b/,
  },
};

const WORKSPACE = 1;
const WORKSPACES = 10;
const ROWS = 2_000;
/** With fewer, PostgreSQL rightly reads them all. */
const CONTACTS = 20_000;

interface Filled {
  readonly campaign: string;
  readonly contact: string;
}

const argumentsFor = ({ campaign, contact }: Filled): Record<string, Value> => ({
  ...someOfAudience.args,
  ...Object.fromEntries(
    Object.entries(someOfAudience.args).map(([name, value]) => [
      name,
      value === '["x"]' ? JSON.stringify([contact]) : value,
    ]),
  ),
  workspace: WORKSPACE,
  campaign,
  segment: 'segment 7',
  user: 'user 7',
  status: 'blocked',
  contacts: JSON.stringify([contact]),
  ids: JSON.stringify([contact]),
  keys: JSON.stringify([contact, 'segment 7']),
  rows: JSON.stringify([
    { contact_id: contact, sha256: 'sum', updated_at: '2026', reason: '{}', variables: '{}' },
  ]),
  by_audience: 1,
  reason: '{}',
  at: '2026-06-01T00:00:00.000Z',
  before: '2026-01-11T00:00:00.000Z',
  key: '',
  seq: 0,
  limit: 50,
  offset: 0,
  after: '',
});

/** Thousands of rows in several workspaces, and a campaign with a twentieth of its contacts blocked. */
const fill = async (database: TestDatabase): Promise<Filled> => {
  const service = await startTestService(database);
  const { id: campaign } = await makeActiveCampaign(service, await campaignApi(service), 0);
  await service.stop();
  await fillContacts(database, WORKSPACE, CONTACTS);
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
    'segments',
    'id, name, filter, created_by, shared, created_at, updated_at',
    `'segment ' || i, 'Segment ' || i, '{}', 'user ' || i % 60, i % 2, ${at}, ${at}`,
  );
  await database.query(`insert into campaigns (workspace_id, id, seq, name, agent_id, status, created_at, updated_at,
      segment_id, audience_mode, followed_until)
    select workspace_id, 'campaign ' || i, 100000 + i, 'Campaign ' || i, agent_id, 'active', ${at}, ${at},
      case when i % 10 = 0 then 'segment ' || i % 70 end, 'live', 0
    from ${numbers} as numbers cross join campaigns where id = '${campaign}'`);
  await insert(
    'jobs',
    'kind, subject, created_at, due_at, failures',
    `case when i % 100 = 0 then 'campaign.following' else 'import.step' end, 'campaign ' || i, ${at}, ${at}, 0`,
  );
  await database.query(`insert into renderings (workspace_id, contact_id, sha256, version_id, used, at)
    select workspace_id, id, 'sum', 'version', '{}', '2026-01-' || (10 + seq % 20) || 'T00:00:00.000Z' from contacts`);
  await database.query(
    `insert into enrollments (workspace_id, campaign_id, contact_id, status, enrolled_at, updated_at, available_at, zone_group)
      select workspace_id, '${campaign}', id, case when seq % 20 = 0 then 'blocked' else 'pending' end, created_at, created_at, '', ''
      from contacts where workspace_id = ${WORKSPACE}`,
  );
  const [row] = await database.query(`select id from contacts where workspace_id = ${WORKSPACE}`);
  return { campaign, contact: String(row?.id) };
};

describe('Query plans of segments, audiences and rendered claims on SQLite', () => {
  let database: TestDatabase;
  let filled: Filled;
  before(async () => {
    database = await engines.sqlite();
    filled = await fill(database);
  });
  after(() => database?.drop());

  for (const [name, { statement, index, columns }] of Object.entries(statements))
    it(`The ${name} reads a range of an index`, async () => {
      const { sql, order } = statement.textFor(sqliteCompiler);
      const values = argumentsFor(filled);
      const rows = await database.query(
        `explain query plan ${sql}`,
        ...order.map((each) => values[each] ?? null),
      );
      const plan = rows.map(({ detail }) => String(detail));
      const text = plan.join('\n');
      // Scans of the arguments, of what was found, and of an index of the few jobs that wait for events.
      const allowed =
        /^SCAN (?:found|given|gone|unclaimed|wanted|oldest|locked|jsonb?_each|CONSTANT|\(subquery|jobs USING (?:COVERING )?INDEX jobs_following$)/;
      assert.deepEqual(
        plan.filter((step) => step.startsWith('SCAN ') && !allowed.test(step)),
        [],
        text,
      );
      if (name === 'search for workspaces that wait for events') return;
      const table = index.replace(/_.*/, '');
      const source = index.endsWith('_pkey')
        ? `(?:PRIMARY KEY|INDEX sqlite_autoindex_${table}_1)`
        : `INDEX ${index}`;
      const uses =
        index === 'enrollments_' ? /^SEARCH enrollments USING / : new RegExp(`USING (?:COVERING )?${source}`);
      const read = plan.find((step) => uses.test(step));
      const range = /\(workspace_id=\?(?: AND (.*))?\)/.exec(read ?? '');
      assert.ok(range, text);
      assert.match(range[1] ?? '', columns, text);
    });
});

describe('Query plans of segments, audiences and rendered claims on PostgreSQL', () => {
  let database: TestDatabase;
  let filled: Filled;
  let client: Client;
  before(async () => {
    const made = await engines.postgres();
    database = made;
    filled = await fill(made);
    client = new Client({ connectionString: made.url });
    await client.connect();
    await client.query('vacuum analyze');
  });
  after(async () => {
    await client?.end();
    await database?.drop();
  });

  for (const [name, { statement, index, columns }] of Object.entries(statements))
    it(`The ${name} reads a range of an index`, async () => {
      for (const { nodes, text } of await explainPostgres(client, statement, argumentsFor(filled))) {
        // The few campaigns of the workspace may be scanned, if they are joined.
        for (const node of nodes)
          if (name !== 'search for campaigns that wait for events' || node['Relation Name'] !== 'campaigns')
            assert.doesNotMatch(node['Node Type'], /Seq Scan/, text);
        const reads = nodes.filter((node) => node['Index Name']?.startsWith(index));
        if (name === 'search for workspaces that wait for events') {
          assert.ok(reads.length > 0, text);
          continue;
        }
        assert.ok(
          reads.some(({ 'Index Cond': condition = '' }) => {
            const rest = condition.replace(/.*?workspace_id = [^)]*\)( AND )?/, '');
            return condition.includes('workspace_id = ') && columns.test(rest);
          }),
          text,
        );
      }
    });
});
