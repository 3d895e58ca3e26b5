import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type ContactRow, rowOf } from '../../src/features/contacts/contact.store.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { userPath } from '../kit/dashboard/user-path.ts';
import type { DashboardUser } from '../kit/dashboard/users.ts';
import { actualCounts, storedCounts } from '../kit/database/counters.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { runRoster } from '../kit/process/cli.ts';
import { comparableRecords, EventMirror } from '../kit/service/event-mirror.ts';
import { type Json, onEveryEngine, onSqlite, type TestService } from '../kit/service/test-service.ts';

/** Runs `roster demo` as a user does, while the service runs. */
const demoOf =
  (service: TestService) =>
  (...args: string[]) => {
    const key = Buffer.alloc(32, 1).toString('base64');
    return runRoster({ DATABASE_URL: service.database.url, ROSTER_SECRET_KEY: key }, 'demo', ...args);
  };

onEveryEngine('Sample data of a running service', (service) => {
  const demo = demoOf(service);
  let owner: CheckedUser;
  let made: Json;
  let mine: Json;

  const signInWithLink = async (url: string): Promise<CheckedUser> => {
    const token = url.split('#')[1];
    const options = { headers: { authorization: null } };
    const reply = await service.post('/dashboard/api/session/link', { token }, options);
    assert.equal(reply.status, 200, reply.text);
    const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? '';
    const user: DashboardUser = {
      cookie,
      call: (method, path, body) =>
        service.call(method, userPath(method, path), body, {
          headers: { authorization: null, cookie, origin: service.url },
        }),
    };
    return checkedUser(service, user);
  };
  /** All records of a list, page by page. Asserts that the total is correct. */
  const all = async (path: string): Promise<Json[]> => {
    const found: Json[] = [];
    for (;;) {
      const sign = path.includes('?') ? '&' : '?';
      const reply = await owner.call('GET', `${path}${sign}limit=100&offset=${found.length}`);
      assert.equal(reply.status, 200, reply.text);
      const { data, pagination } = reply.body;
      found.push(...data);
      if (pagination.has_more) continue;
      assert.equal(pagination.total, found.length, path);
      return found;
    }
  };
  /** Asserts that each record of a list equals its GET response. */
  const assertListMatchesGet = async (
    path: string,
    records: Json[],
    part: (record: Json) => Json = (record) => record,
  ) => {
    for (const record of records)
      assert.deepEqual(part(await owner.request('GET', `${path}/${record.id}`)), record);
  };

  before(async () => {
    mine = await makeContact(service, { tags: ['mine'] });
    const { status, stdout, stderr } = await demo('--json');
    assert.equal(status, 0, stderr);
    made = JSON.parse(stdout);
    owner = await signInWithLink(made.url);
  });

  test('The events of the sample data describe its records', async () => {
    const mirror = new EventMirror();
    for (let after = ''; ; ) {
      const page = await owner.request('GET', `/events?limit=500${after && `&after=${after}`}`);
      for (const event of page.events) mirror.apply(event);
      after = page.after;
      if (!page.has_more) break;
    }
    const each = async (path: string) =>
      Promise.all((await all(path)).map(({ id }) => owner.request('GET', `${path}/${id}`)));
    const campaign = await all('/campaigns');
    const enrollment = await Promise.all(campaign.map(({ id }) => all(`/campaigns/${id}/enrollments`)));
    for (const [kind, records] of [
      ['agent', await each('/agents')],
      ['channel', await all('/channels')],
      ['call', await all('/calls')],
      ['campaign', campaign],
      ['enrollment', enrollment.flat()],
    ] as const) {
      assert.deepEqual(mirror.all(kind), comparableRecords(kind, records), kind);
    }
    assert.equal(mirror.all('contact').length, (await all('/contacts')).length);
  });

  test('The sample data has its own workspace and a user who can sign in', async () => {
    const who = await owner.request('GET', '/session');
    assert.deepEqual([who.email, who.role, who.workspace.name], ['demo@roster.local', 'owner', 'demo']);
    assert.equal(made.contacts, 500);
    assert.deepEqual(
      (await service.get('/v1/contacts')).body.data.map(({ id }: Json) => id),
      [mine.id],
      'the other workspace is as it was',
    );
    assert.equal((await service.get('/v1/agents')).body.pagination.total, 0);
  });

  test('The sample data has correct counts, tags and stored JSON', async () => {
    assert.deepEqual(await storedCounts(service.database), await actualCounts(service.database));
    const rows = await service.database.query('select * from contacts');
    for (const row of rows as unknown as ContactRow[]) {
      const { search_text, search_phone, wire } = rowOf(row);
      assert.deepEqual([row.search_text, row.search_phone, row.wire], [search_text, search_phone, wire]);
    }
    const beside = await service.database.query('select count(*) as count from contact_tags');
    const own = rows.reduce((sum, { tags }) => sum + JSON.parse(String(tags)).length, 0);
    assert.equal(Number(beside[0]?.count), own);
  });

  test('The sample contacts can be listed, read, searched and filtered', async () => {
    const contacts = await all('/contacts');
    assert.equal(contacts.length, 500);
    await assertListMatchesGet('/contacts', contacts.slice(0, 40), ({ crm_ids: _, ...contact }) => contact);
    for (const { id, first_name, last_name, phone_number } of contacts.slice(0, 30)) {
      const texts = [phone_number, ...(first_name ? [`${first_name} ${last_name}`] : [])];
      for (const text of texts) {
        const found = await owner.request('GET', `/contacts?search=${encodeURIComponent(text)}`);
        assert.ok(
          found.some((contact: Json) => contact.id === id),
          `${text} finds ${id}`,
        );
      }
    }
    const tags = await all('/tags');
    assert.ok(tags.length >= 15);
    for (const { tag, count } of tags) {
      assert.equal((await all(`/contacts?tag=${encodeURIComponent(tag)}`)).length, count);
    }
    const sources = Map.groupBy(contacts, ({ source }) => source);
    assert.deepEqual([...sources.keys()].sort(), ['api', 'import', 'inbound', 'manual', 'webhook']);
    const hooked = (sources.get('webhook') ?? [])[0];
    assert.deepEqual(Object.keys((await owner.request('GET', `/contacts/${hooked.id}`)).crm_ids), [
      'customer database',
    ]);
    const conflicts = await all('/contacts/conflicts');
    assert.equal(conflicts.length, 2);
    for (const { contact, normalized_phone } of conflicts)
      assert.notEqual(contact.phone_number, normalized_phone);
  });

  test('The versions and deploys of the sample agents agree, and calls name their agents', async () => {
    const agents = await all('/agents');
    assert.equal(agents.length, 4);
    const states = new Set<string>();
    for (const listed of agents) {
      const { versions, deployed_version, ...agent } = await owner.request('GET', `/agents/${listed.id}`);
      assert.ok(versions.length >= 2 && agent.description);
      const deploys = await all(`/agents/${agent.id}/deploys`);
      const active = await owner.request('GET', `/agents/${agent.id}/active`);
      assert.equal(active?.id, deployed_version?.id);
      assert.equal(deploys[0]?.version_id, deployed_version?.id);
      assert.deepEqual(listed.deployed_version?.id, deployed_version?.id);
      for (const version of await all(`/agents/${agent.id}/versions`)) {
        states.add(version.deployment_status);
        const spoken = deploys.some(({ version_id }) => version_id === version.id);
        const is = version.id === deployed_version?.id ? 'deployed' : spoken ? 'archived' : 'draft';
        assert.equal(version.deployment_status, is, `${agent.name} ${version.version_label}`);
        await owner.request('GET', `/agents/${agent.id}/versions/${version.id}/impact`);
      }
    }
    assert.deepEqual([...states].sort(), ['archived', 'deployed', 'draft']);
    const deploys = await all('/deploys');
    assert.equal(deploys.length, 11);
    assert.ok(
      deploys.some(({ deployed_by_email }) => deployed_by_email === null),
      'one user was removed',
    );

    const calls = await all('/calls');
    assert.equal(calls.length, made.calls);
    await assertListMatchesGet('/calls', calls.slice(0, 20));
    const times = calls.map(({ started_at }) => started_at);
    assert.deepEqual(times, times.toSorted().reverse(), 'newest first');
    const deployed = new Map(agents.map(({ id, deployed_version }) => [id, deployed_version?.id]));
    const handled = calls.filter(({ agent_id }) => agent_id);
    assert.ok(handled.length > calls.length / 2);
    for (const { agent_id, version_id } of handled) assert.equal(version_id, deployed.get(agent_id));
    const callsByContact = Map.groupBy(calls, ({ contact_id }) => contact_id);
    for (const contact of (await all('/contacts')).slice(-60)) {
      const moments = (callsByContact.get(contact.id) ?? []).map(({ started_at }) => started_at);
      // A caller who became a contact was not in contact when it was recorded.
      const times = (contact.source === 'inbound' ? moments : [contact.created_at, ...moments]).sort();
      assert.deepEqual([contact.first_contact_at, contact.last_contact_at], [times[0], times.at(-1)]);
    }
  });

  test('The sample data has channels, campaigns, an import and statistics', async () => {
    const channels = await all('/channels');
    assert.deepEqual([channels.length, channels.filter(({ agent }) => agent).length], [6, 5]);
    await assertListMatchesGet('/channels', channels);
    const campaigns = await all('/campaigns');
    await assertListMatchesGet('/campaigns', campaigns);
    assert.deepEqual(campaigns.map(({ status }) => status).sort(), ['active', 'draft', 'finished', 'paused']);
    const active = campaigns.find(({ status }) => status === 'active');
    assert.deepEqual(Object.keys(active.enrolled).sort(), [
      'blocked',
      'completed',
      'failed',
      'in_progress',
      'pending',
      'skipped',
    ]);
    assert.equal((await all(`/campaigns/${active.id}/enrollments`)).length, 140);
    const [imported] = await all('/imports');
    assert.deepEqual([imported.state, imported.totals.created, imported.totals.updated], ['applied', 40, 2]);
    assert.deepEqual([imported.totals.invalid, imported.totals.duplicate_in_file], [1, 1]);
    const figures = await owner.request('GET', '/figures?days=90');
    assert.deepEqual(
      [figures.contacts, figures.agents, figures.active_agents, figures.calls, figures.active_campaigns],
      [500, 4, 3, made.calls, 1],
    );
    assert.equal((await owner.request('GET', '/imports'))[0].created_by_email, 'demo@roster.local');
    assert.ok(figures.days.filter(({ calls }: Json) => calls > 0).length > 40);
    assert.deepEqual((await owner.request('GET', '/integrations')).length, 1);
    assert.deepEqual((await owner.request('GET', '/users')).length, 2);
  });

  test('The sample data is created once, recreated on request, and removed without a trace', async () => {
    const again = await demo();
    assert.deepEqual([again.status, again.stdout], [1, '']);
    assert.match(again.stderr, /^The workspace demo already exists\. .*--reset.*--remove\.\n$/);

    await owner.request('POST', '/contacts', { phone_number: '+14155550100', tags: ['added'] }, 201);
    const reset = await demo('--reset');
    assert.equal(reset.status, 0, reset.stderr);
    assert.match(reset.stdout, /500 contacts, 4 agents, 6 channels/);
    assert.match(reset.stdout, /\/welcome#rl_/);
    assert.match(
      reset.stdout,
      /^If Roster runs under another address, replace the part of the link before \/welcome\.$/m,
    );
    assert.equal((await owner.call('GET', '/session')).status, 401, 'existing sessions have ended');
    assert.deepEqual(await storedCounts(service.database), await actualCounts(service.database));

    const [{ id }] = (await service.database.query(`select id from workspaces where name = 'demo'`)) as [
      Json,
    ];
    const gone = await demo('--remove');
    assert.deepEqual([gone.status, gone.stdout], [0, 'Removed the workspace demo.\n']);
    const tables = await service.database.query(
      service.database.database.engine === 'sqlite'
        ? `select t.name from sqlite_schema as t, pragma_table_info(t.name) as c where t.type = 'table' and c.name = 'workspace_id'`
        : `select table_name as name from information_schema.columns where column_name = 'workspace_id' and table_schema = 'public'`,
    );
    assert.ok(tables.length > 15);
    for (const { name } of tables) {
      const rows = await service.database.query(`select * from ${name} where workspace_id = ?`, id);
      assert.deepEqual(rows, [], `nothing of it is left in ${name}`);
    }
    assert.deepEqual(
      (await service.database.query('select name from workspaces')).map(({ name }) => name),
      ['default'],
    );
    assert.deepEqual(await storedCounts(service.database), await actualCounts(service.database));
    assert.equal(
      (await service.get('/v1/contacts?search=555')).body.pagination.total,
      1,
      'no search entry is left',
    );
    assert.equal((await demo('--remove')).stdout, 'There is no workspace demo.\n');
  });
});

onSqlite('Another workspace with the name of the sample data', (service) => {
  const demo = demoOf(service);

  test('A workspace that only shares the name of the sample data is not changed', async () => {
    await service.database.query(
      `insert into workspaces (name, created_at) values ('demo', '2026-01-01T00:00:00.000Z')`,
    );
    for (const option of ['--remove', '--reset']) {
      const { status, stderr } = await demo(option);
      assert.deepEqual(
        [status, stderr],
        [1, 'This command did not create the workspace demo, so it was not changed.\n'],
      );
    }
    assert.equal((await demo()).status, 1);
    assert.equal((await demo('--remove', '--reset')).status, 2);
    assert.equal((await service.database.query(`select * from workspaces where name = 'demo'`)).length, 1);
  });
});
