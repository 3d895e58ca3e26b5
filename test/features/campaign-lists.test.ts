import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { expireProgress, PROGRESS_DAYS } from '../../src/features/campaigns/progress.service.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { type CampaignApi, campaignApi, makeActiveCampaign } from '../kit/fixtures/campaigns.ts';
import { markDeployed } from '../kit/fixtures/deploy-version.ts';
import { enrollmentCounts } from '../kit/fixtures/enrollment-counts.ts';
import { makeAgent, newPhone } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { assertConsistent } from '../kit/load/acknowledged-writes.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

onEveryEngine('Lists, copies and deletion of campaigns', (service) => {
  let api: CampaignApi;
  let owner: CheckedUser;
  before(async () => {
    api = await campaignApi(service);
    owner = await checkedUser(service, await signedInUser(service));
  });
  const pageOf = async (path: string): Promise<Json> => (await owner.call('GET', path)).body;
  const namesOf = async (path: string): Promise<string[]> =>
    (await pageOf(path)).data.map(({ name }: Json) => name);

  test('Campaigns are filtered by name, status and agent, and sorted', async () => {
    const { owner: other } = await makeOtherWorkspace(service);
    const agents = [
      await other.request('POST', '/agents', { name: 'A', instructions: '' }, 201),
      await other.request('POST', '/agents', { name: 'B', instructions: '' }, 201),
    ] as const;
    const add = (name: string, at: 0 | 1, status: string): Promise<Json> =>
      other.request('POST', '/campaigns', { name, agent_id: agents[at].id, status }, 201);
    const made = [
      await add('Spring', 0, 'draft'),
      await add('50% off', 1, 'active'),
      await add('spring two', 1, 'paused'),
    ];
    const names = async (query: string): Promise<string[]> =>
      (await other.call('GET', `/campaigns?${query}`)).body.data.map(({ name }: Json) => name);
    assert.deepEqual(await names('search=SPRING'), ['spring two', 'Spring']);
    assert.deepEqual(await names('search=0%25'), ['50% off']);
    assert.deepEqual(await names('search=_'), []);
    await other.request('PATCH', `/campaigns/${made[0]?.id}`, { name: 'Übersicht Spring' });
    assert.deepEqual(await names(`search=${encodeURIComponent('Übersicht')}`), ['Übersicht Spring']);
    await other.request('PATCH', `/campaigns/${made[0]?.id}`, { name: 'Spring' });
    assert.deepEqual(await names('status=active'), ['50% off']);
    assert.deepEqual(await names(`agent_id=${agents[1].id}`), ['spring two', '50% off']);
    assert.deepEqual(await names(`agent_id=${agents[1].id}&status=paused&search=two`), ['spring two']);
    assert.deepEqual(await names('agent_id=nothing'), []);
    assert.deepEqual(await names('sort=name'), ['50% off', 'Spring', 'spring two']);
    assert.deepEqual(await names('sort=-name'), ['spring two', 'Spring', '50% off']);
    assert.deepEqual(await names('sort=created_at'), ['Spring', '50% off', 'spring two']);
    await other.request('PATCH', `/campaigns/${made[0]?.id}`, { name: 'Changed' });
    assert.deepEqual(await names('sort=-updated_at&limit=1'), ['Changed']);
    const { pagination } = (await other.call('GET', '/campaigns?status=draft&limit=1')).body;
    assert.equal(pagination.total, 1);
  });

  test('The list has the schedules of the campaigns only on request', async () => {
    const agent = await makeAgent(service);
    const body = { name: 'With a schedule', agent_id: agent.id };
    const { id } = await owner.request('POST', '/campaigns', body, 201);
    const schedule = await owner.request('PUT', `/campaigns/${id}/schedule`, {
      starts_at: '2099-07-01T07:30:00.000Z',
      max_attempts: 2,
    });
    const [plain] = (await pageOf('/campaigns?search=With%20a')).data;
    assert.deepEqual(plain, await owner.request('GET', `/campaigns/${id}`));
    const [full] = (await pageOf('/campaigns?search=With%20a&include=schedule')).data;
    assert.deepEqual(full, { ...plain, schedule });
    assert.deepEqual([schedule.start_status, schedule.time_zone], ['scheduled', 'UTC']);
    assertInvalid(await owner.call('GET', '/campaigns?include=calls'), 'include');
  });

  test('Enrolled contacts are searched by name and phone number, and sorted', async () => {
    const { id } = await makeActiveCampaign(service, api, 0);
    const people = ['Zoe Liskov', 'Ada Lovelace', 'Ada Byron', 'Sinéad O’Brien'].map((name) =>
      name.split(' '),
    );
    const contacts: Json[] = [];
    for (const [first_name, last_name] of people) {
      const fields = { phone_number: newPhone(), first_name, last_name };
      contacts.push((await service.post('/v1/contacts', fields)).body.data);
    }
    await service.post('/v1/contacts', {
      phone_number: newPhone(),
      first_name: 'Ada',
      last_name: 'Elsewhere',
    });
    const ids = contacts.map((contact) => contact.id).sort();
    await api.request('POST', `/campaigns/${id}/enrollments`, { contact_ids: ids });
    const found = async (query: string): Promise<string[]> =>
      (await pageOf(`/campaigns/${id}/enrollments?${query}`)).data.map(
        ({ contact_name }: Json) => contact_name,
      );
    assert.deepEqual((await found('search=ada')).sort(), ['Ada Byron', 'Ada Lovelace']);
    assert.deepEqual(await found('search=liskov+zoe'), ['Zoe Liskov']);
    for (const typed of ["o'brien", 'O’Brien', 'o’brien sinead'])
      assert.deepEqual(await found(`search=${encodeURIComponent(typed)}`), ['Sinéad O’Brien'], typed);
    assert.deepEqual(await found(`search=${contacts[1]?.phone_number.slice(-6)}`), ['Ada Lovelace']);
    assert.deepEqual(await found('search=elsewhere'), [], 'not enrolled');
    assert.equal((await pageOf(`/campaigns/${id}/enrollments?search=ada&limit=1`)).pagination.total, 2);
    assert.equal((await pageOf(`/campaigns/${id}/enrollments?search=ada&offset=5`)).pagination.total, 2);
    const sorted = (await pageOf(`/campaigns/${id}/enrollments?sort=contact`)).data;
    assert.deepEqual(
      sorted.map(({ contact_id }: Json) => contact_id),
      ids,
    );
    const [claim] = await api.claims(id);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    await api.report(id, claim.contact.id, { claim_id: claim.claim_id, status: 'pending', retry_at: later });
    const [second] = await api.claims(id);
    await api.report(id, second.contact.id, { claim_id: second.claim_id, status: 'completed' });
    const queue = await pageOf(`/campaigns/${id}/enrollments?sort=-next_attempt`);
    assert.equal(queue.pagination.total, 3);
    assert.equal(queue.data[0].contact_id, claim.contact.id);
    assert.match(queue.data[0].last_attempt_at, /^2/);
    assert.equal(queue.data[1].last_attempt_at, null);
    assert.deepEqual(
      (await pageOf(`/campaigns/${id}/enrollments?status=completed&search=${second.contact.first_name}`))
        .pagination.total,
      1,
    );
    const shared = (await api.call('GET', `/campaigns/${id}/enrollments?search=ada&limit=1`)).body;
    assert.ok('last_attempt_at' in shared.data[0], 'an API key sees the same');
  });

  test('A copy is a draft with the settings of the campaign, and without its contacts', async () => {
    const { id, agent } = await makeActiveCampaign(service, api, 3);
    const call_window = { days: ['mon'], from: '09:00', to: '10:00' };
    const starts_at = new Date(Date.now() + 3_600_000).toISOString();
    await api.request('PATCH', `/campaigns/${id}`, { status: 'paused' });
    await api.request('PUT', `/campaigns/${id}/schedule`, { starts_at, call_window, max_attempts: 3 });
    const reply = await api.call('POST', `/campaigns/${id}/duplicate`, { name: 'Copy' });
    assert.equal(reply.status, 201, reply.text);
    const copy = reply.body.data;
    assert.equal(reply.headers.get('location'), `/v1/campaigns/${copy.id}`);
    assert.deepEqual(
      [copy.name, copy.status, copy.agent.id, copy.enrolled],
      ['Copy', 'draft', agent.id, enrollmentCounts()],
    );
    const schedule = await api.request('GET', `/campaigns/${copy.id}/schedule`);
    assert.deepEqual(
      [schedule.starts_at, schedule.call_window, schedule.max_attempts],
      [null, call_window, 3],
    );
    assert.equal((await api.request('GET', `/campaigns/${id}`)).enrolled.pending, 3);
    assertError(await api.call('POST', '/campaigns/nothing/duplicate', {}), 404, 'NOT_FOUND');
  });

  test('A deleted campaign is gone, its contacts remain, and its data is deleted in the background', async () => {
    const { id, contacts } = await makeActiveCampaign(service, api, 5);
    const [contact] = contacts as [string];
    const [claim] = await api.claims(id);
    await api.request('PUT', `/campaigns/${id}/schedule`, {
      ends_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await api.request('DELETE', `/campaigns/${id}`);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'X' }],
      ['DELETE', '', undefined],
      ['GET', '/enrollments', undefined],
      ['POST', '/enrollments', { contact_ids: [contact] }],
      ['POST', '/claims', {}],
      ['GET', '/schedule', undefined],
      ['PUT', '/schedule', {}],
      ['GET', '/progress', undefined],
      ['GET', '/start-check', undefined],
      ['POST', '/duplicate', {}],
      ['PATCH', `/enrollments/${claim.contact.id}`, { claim_id: claim.claim_id, status: 'completed' }],
      ['DELETE', `/enrollments/${contact}`, undefined],
    ] as const)
      assertError(await api.call(method, `/campaigns/${id}${path}`, body), 404, 'NOT_FOUND');
    assert.deepEqual(await api.request('GET', `/contacts/${contact}/enrollments`), []);
    assert.ok(!(await namesOf('/campaigns?limit=100')).includes(id));
    const left = () => service.database.query('select id from campaigns where id = ?', id);
    for (const until = Date.now() + 10_000; (await left()).length > 0; await sleep(50))
      assert.ok(Date.now() < until);
    for (const table of ['enrollments', 'tallies'] as const) {
      const column = table === 'enrollments' ? 'campaign_id' : 'list';
      const rows = await service.database.query(`select * from ${table} where ${column} like ?`, `%${id}%`);
      assert.deepEqual(
        rows.filter((row) => Number(row.count ?? 1) !== 0),
        [],
        table,
      );
    }
    assert.deepEqual(await service.database.query('select kind from jobs where subject = ?', id), []);
    const events = await service.database.query('select type from events where campaign_id = ?', id);
    const count = (type: string) => events.filter((event) => event.type === type).length;
    assert.deepEqual([count('campaign.deleted'), count('enrollment.deleted')], [1, 5]);
    assert.equal((await service.get(`/v1/contacts/${contact}`)).status, 200);
    await assertConsistent(service.database);
  });

  test('The progress counts what happened each day in the time zone of the workspace', async () => {
    const { id } = await makeActiveCampaign(service, api, 4);
    const claims = await api.claims(id, { limit: 3 });
    for (const [at, status] of ['completed', 'failed', 'pending'].entries()) {
      const { claim_id, contact } = claims[at] as Json;
      await api.report(id, contact.id, { claim_id, status });
      await api.report(id, contact.id, { claim_id, status });
    }
    const { days, time_zone } = await api.request('GET', `/campaigns/${id}/progress?days=3`);
    assert.equal(time_zone, 'UTC');
    assert.equal(days.length, 3);
    const { day, ...today } = days[2];
    assert.equal(day, new Date().toISOString().slice(0, 10));
    assert.deepEqual(today, { enrolled: 4, claimed: 3, completed: 1, failed: 1 });
    assert.deepEqual(days[0].enrolled, 0);
  });

  test('The progress says when a dialer last claimed contacts, and with which key', async () => {
    const { id } = await makeActiveCampaign(service, api, 2);
    const lastClaim = async (): Promise<Json> =>
      (await api.request('GET', `/campaigns/${id}/progress?days=1`)).last_claim;
    assert.equal(await lastClaim(), null);
    const paused = await api.request('PATCH', `/campaigns/${id}`, { status: 'paused' });
    assert.deepEqual([paused.status, await api.claims(id)], ['paused', []]);
    await api.request('PATCH', `/campaigns/${id}`, { status: 'active' });
    assert.equal(await lastClaim(), null, 'a claim that got no contact does not count');
    const [claim] = await api.claims(id);
    await api.report(id, claim?.contact.id, { claim_id: claim?.claim_id, status: 'completed' });
    const { at, key_name } = await lastClaim();
    assert.equal(key_name, 'scoped');
    assert.ok(Math.abs(Date.now() - Date.parse(at)) < 60_000, at);
    await owner.request('POST', `/campaigns/${id}/claims`, {});
    const byUser = await lastClaim();
    assert.ok(byUser.at >= at);
    assert.equal(byUser.key_name, null);
  });

  test('Hourly progress is deleted once no period shows it', async () => {
    const [one, other] = [
      await makeActiveCampaign(service, api, 1),
      await makeActiveCampaign(service, api, 1),
    ];
    const { query } = service.database;
    const namesOf = async ({ id }: Json): Promise<string[]> => {
      const rows = await query(
        'select list from tallies where list like ? order by list',
        `progress@${id}/%`,
      );
      return rows.map(({ list }) => String(list).slice(`progress@${id}/`.length));
    };
    const now = Date.now();
    const hourBefore = (days: number) => new Date(now - days * 86_400_000).toISOString().slice(0, 13);
    const [lastYear, shown] = [hourBefore(PROGRESS_DAYS + 1), hourBefore(PROGRESS_DAYS - 1)];
    for (const { id } of [one, other])
      for (const hour of [lastYear, shown])
        await query(
          `insert into tallies (workspace_id, list, part, count) values (1, ?, 0, 5)`,
          `progress@${id}/${hour}/claimed`,
        );
    const before = new Date(now - PROGRESS_DAYS * 86_400_000).toISOString();
    const expire = () => storage.run(expireProgress, null, { workspace: 1, before, ahead: '' });
    const storage = await openTestStorage(service.database);
    try {
      assert.deepEqual([await expire(), await expire()], [2, 0]);
    } finally {
      await storage.close();
    }
    for (const campaign of [one, other]) {
      const names = await namesOf(campaign);
      assert.equal(names[0], `${shown}/claimed`);
      assert.ok(names.length > 1, 'the current hour remains');
    }
    const { days } = await api.request('GET', `/campaigns/${one.id}/progress?days=366`);
    assert.equal(days.length, 366);
    await query(`delete from tallies where list like ?`, `%/${shown}/claimed`);
  });

  test('The check before a start says what is missing', async () => {
    const instructions = 'Hello {{first_name}} of {{company}}, {{last_nmae}}.';
    const agent = await makeAgent(service, { name: 'Caller', instructions });
    const { id } = await api.request('POST', '/campaigns', { name: 'Check', agent_id: agent.id }, 201);
    const check = () => api.request('GET', `/campaigns/${id}/start-check`);
    assert.deepEqual(await check(), {
      ready: false,
      deployed_version: null,
      agent_deleted: false,
      enrolled: 0,
      pending: 0,
      missing_values: [],
      blocked: { count: 0, is_complete: true, contacts: [] },
      unknown_variables: [],
    });
    const version = await markDeployed(service.database, agent.id, 1);
    const contacts: string[] = [];
    const phones: string[] = [];
    for (const fields of [{ first_name: 'Ada', company: 'A' }, { first_name: 'Bob' }]) {
      const made = await service.post('/v1/contacts', { phone_number: newPhone(), ...fields });
      contacts.push(made.body.data.id);
      phones.push(made.body.data.phone_number);
    }
    await api.request('POST', `/campaigns/${id}/enrollments`, { contact_ids: contacts });
    assert.deepEqual(await check(), {
      ready: false,
      deployed_version: { id: version, version_label: 'v1' },
      agent_deleted: false,
      enrolled: 2,
      pending: 2,
      missing_values: [{ name: 'company', contacts_without_value: 1 }],
      blocked: {
        count: 1,
        is_complete: true,
        contacts: [
          {
            contact_id: contacts[1],
            contact_name: 'Bob',
            contact_phone_number: phones[1],
            holes: ['company'],
          },
        ],
      },
      unknown_variables: ['{{last_nmae}}'],
    });
    const plain = await makeActiveCampaign(service, api, 1);
    assert.equal((await api.request('GET', `/campaigns/${plain.id}/start-check`)).ready, true);
  });
});
