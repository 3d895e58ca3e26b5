import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { changedNames } from '../kit/dashboard/audit.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { type CampaignApi, campaignApi, makeActiveCampaign } from '../kit/fixtures/campaigns.ts';
import { markDeployed } from '../kit/fixtures/deploy-version.ts';
import { makeAgent, makeContact } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid, comparableReply } from '../kit/http/assertions.ts';
import { assertConsistent } from '../kit/load/acknowledged-writes.ts';
import { type Json, onEveryEngine, startTestService } from '../kit/service/test-service.ts';

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const empty = {
  starts_at: null,
  start_status: null,
  ends_at: null,
  call_window: null,
  max_attempts: null,
  min_retry_minutes: null,
  retry_rules: [],
  time_zone: 'UTC',
};

onEveryEngine('Schedules of campaigns', (service) => {
  let api: CampaignApi;
  before(async () => {
    api = await campaignApi(service);
  });
  const makeDraft = async (options: { deployed?: boolean } = {}): Promise<string> => {
    const agent = await makeAgent(service, { name: 'Caller', instructions: 'Hello.' });
    if (options.deployed !== false) await markDeployed(service.database, agent.id, 1);
    return (await api.request('POST', '/campaigns', { name: 'Planned', agent_id: agent.id }, 201)).id;
  };
  const campaignOf = (id: string): Promise<Json> => api.request('GET', `/campaigns/${id}`);
  const scheduleOf = (id: string): Promise<Json> => api.request('GET', `/campaigns/${id}/schedule`);
  const put = (id: string, body: object): Promise<Json> =>
    api.request('PUT', `/campaigns/${id}/schedule`, body);
  const waitFor = async (id: string, status: string): Promise<void> => {
    for (const until = Date.now() + 15_000; (await campaignOf(id)).status !== status; await sleep(50))
      assert.ok(Date.now() < until, `${id} is not ${status}`);
  };
  /** Lets a time of the schedule come without waiting for it. */
  const makeDue = async (id: string, column: 'starts_at' | 'ends_at', kind: string) => {
    const past = inSeconds(-1);
    await service.database.query(`update campaigns set ${column} = ? where id = ?`, past, id);
    await service.database.query('update jobs set due_at = ? where kind = ? and subject = ?', past, kind, id);
  };

  test('A campaign without a schedule has an empty one, and PUT replaces all of it', async () => {
    const id = await makeDraft();
    assert.deepEqual(await scheduleOf(id), { campaign_id: id, ...empty });
    const starts_at = inSeconds(3_600);
    const call_window = { days: ['tue', 'mon'], from: '09:00', to: '17:30' };
    const body = {
      starts_at,
      ends_at: inSeconds(7_200),
      call_window,
      max_attempts: 3,
      min_retry_minutes: 60,
      retry_rules: [],
    };
    const saved = await put(id, body);
    assert.deepEqual(saved, {
      campaign_id: id,
      ...body,
      call_window: { ...call_window, days: ['mon', 'tue'] },
      start_status: 'scheduled',
      time_zone: 'UTC',
    });
    assert.deepEqual(await scheduleOf(id), saved);
    assert.deepEqual(await put(id, saved), saved, 'what was read can be sent back');
    assert.deepEqual(await put(id, {}), { campaign_id: id, ...empty });
  });

  test('A schedule that cannot be is rejected and changes nothing', async () => {
    const id = await makeDraft();
    const call = (body: object) => api.call('PUT', `/campaigns/${id}/schedule`, body);
    const window = { days: ['mon'], from: '09:00', to: '17:00' };
    const soon = inSeconds(60);
    for (const [body, field] of [
      [{ starts_at: inSeconds(-60) }, 'starts_at'],
      [{ ends_at: inSeconds(-60) }, 'ends_at'],
      [{ starts_at: soon, ends_at: soon }, 'ends_at'],
      [{ starts_at: '2026-11-20' }, 'starts_at'],
      [{ call_window: [] }, 'call_window'],
      [{ call_window: { days: ['mon'], from: '09:00' } }, 'call_window.to'],
      [{ call_window: { ...window, days: [] } }, 'call_window.days'],
      [{ call_window: { ...window, days: ['monday'] } }, 'call_window.days[0]'],
      [{ call_window: { ...window, from: '9:00' } }, 'call_window.from'],
      [{ call_window: { ...window, to: '25:00' } }, 'call_window.to'],
      [{ call_window: { ...window, from: '18:00' } }, 'call_window.to'],
      [{ call_window: { ...window, zone: 'UTC' } }, 'call_window.zone'],
      [{ max_attempts: 0 }, 'max_attempts'],
      [{ min_retry_minutes: 1.5 }, 'min_retry_minutes'],
      [{ window }, 'window'],
    ] as const)
      assertInvalid(await call(body), field);
    assert.deepEqual(await scheduleOf(id), { campaign_id: id, ...empty });
    const active = (await makeActiveCampaign(service, api, 0)).id;
    const later = { starts_at: inSeconds(60) };
    const { message } = assertError(
      await api.call('PUT', `/campaigns/${active}/schedule`, later),
      409,
      'CONFLICT',
    );
    assert.match(message, /already active/);
    await api.request('PATCH', `/campaigns/${active}`, { status: 'finished' });
    assertError(await api.call('PUT', `/campaigns/${active}/schedule`, { max_attempts: 2 }), 409, 'CONFLICT');
  });

  test('If-Match protects the schedule of someone else', async () => {
    const id = await makeDraft();
    const path = `/campaigns/${id}/schedule`;
    const { headers } = await api.call('GET', path);
    const etag = String(headers.get('etag'));
    await put(id, { max_attempts: 2 });
    const stale = await api.call('PUT', path, { max_attempts: 4 }, { headers: { 'If-Match': etag } });
    assertError(stale, 412, 'PRECONDITION_FAILED');
    assert.equal((await scheduleOf(id)).max_attempts, 2);
  });

  test('A campaign starts and ends automatically, with audit entries and events of the schedule', async () => {
    const id = await makeDraft();
    await put(id, { starts_at: inSeconds(0.6), ends_at: inSeconds(3_600) });
    await waitFor(id, 'active');
    assert.equal((await scheduleOf(id)).start_status, 'started');
    await makeDue(id, 'ends_at', 'campaign.ending');
    await waitFor(id, 'finished');
    const entries = await service.database.query(
      "select actor, fields from audit_entries where subject = ? and action = 'campaign.updated' order by seq",
      id,
    );
    assert.deepEqual(
      entries.map(({ actor, fields }) => [actor === 'schedule', changedNames(fields)]),
      [
        [false, ['starts_at', 'ends_at']],
        [true, ['status']],
        [true, ['status']],
      ],
    );
    const events = await service.database.query(
      "select actor, changed from events where subject = ? and type = 'campaign.updated' order by at",
      id,
    );
    assert.deepEqual(
      events.map(({ changed }) => changed),
      ['["schedule"]', '["status"]', '["status"]'],
    );
    assert.deepEqual(await service.database.query('select kind from jobs where subject = ?', id), []);
  });

  test('Two instances and a restart start a campaign once', async () => {
    const id = await makeDraft();
    await put(id, { starts_at: inSeconds(0.8) });
    const second = await startTestService(service.database);
    try {
      await waitFor(id, 'active');
      await sleep(300);
      const [found] = await service.database.query(
        "select count(*) as count from audit_entries where subject = ? and actor = 'schedule'",
        id,
      );
      assert.equal(Number(found?.count), 1);
    } finally {
      await second.stop();
    }
  });

  test('A campaign whose agent has no deployed version does not start, and the schedule says why', async () => {
    const id = await makeDraft({ deployed: false });
    await put(id, { starts_at: inSeconds(0.3) });
    for (
      const until = Date.now() + 15_000;
      (await scheduleOf(id)).start_status === 'scheduled';
      await sleep(50)
    )
      assert.ok(Date.now() < until);
    assert.equal((await scheduleOf(id)).start_status, 'no_deployed_version');
    assert.equal((await campaignOf(id)).status, 'draft');
  });

  test('A changed start replaces the old one, and a removed start does not happen', async () => {
    const [moved, removed] = [await makeDraft(), await makeDraft()];
    for (const id of [moved, removed]) await put(id, { starts_at: inSeconds(0.5) });
    await put(moved, { starts_at: inSeconds(3_600) });
    await put(removed, {});
    const jobs = await service.database.query("select subject from jobs where kind = 'campaign.starting'");
    assert.ok(jobs.some(({ subject }) => subject === moved));
    assert.ok(!jobs.some(({ subject }) => subject === removed));
    await sleep(1_500);
    for (const id of [moved, removed]) assert.equal((await campaignOf(id)).status, 'draft');
  });

  test('A manual change of the status before the start is respected', async () => {
    const id = await makeDraft();
    await put(id, { starts_at: inSeconds(3_600) });
    await api.request('PATCH', `/campaigns/${id}`, { status: 'active' });
    await api.request('PATCH', `/campaigns/${id}`, { status: 'paused' });
    assert.equal((await scheduleOf(id)).start_status, 'changed_manually');
    assert.deepEqual(await service.database.query('select kind from jobs where subject = ?', id), []);
    await put(id, { starts_at: inSeconds(0.3) });
    await waitFor(id, 'active');
  });

  test('A paused campaign ends at its end, and a draft that never started stays a draft', async () => {
    const [paused, draft] = [await makeDraft(), await makeDraft()];
    await api.request('PATCH', `/campaigns/${paused}`, { status: 'active' });
    await api.request('PATCH', `/campaigns/${paused}`, { status: 'paused' });
    for (const id of [paused, draft]) {
      await put(id, { ends_at: inSeconds(3_600) });
      await makeDue(id, 'ends_at', 'campaign.ending');
    }
    await waitFor(paused, 'finished');
    for (const until = Date.now() + 10_000; ; await sleep(50)) {
      if ((await service.database.query('select kind from jobs where subject = ?', draft)).length === 0)
        break;
      assert.ok(Date.now() < until);
    }
    assert.equal((await campaignOf(draft)).status, 'draft');
    const contact_ids = [(await makeContact(service)).id];
    const enroll = (id: string) => api.call('POST', `/campaigns/${id}/enrollments`, { contact_ids });
    assertError(await enroll(paused), 409, 'CONFLICT');
    assert.equal((await enroll(draft)).status, 200);
    const start = () => api.call('PATCH', `/campaigns/${draft}`, { status: 'active' });
    assertError(await start(), 409, 'CONFLICT');
    await put(draft, {});
    assert.equal((await start()).status, 200);
  });

  test('A campaign whose end passes before its start could run does not start', async () => {
    const id = await makeDraft();
    await put(id, { starts_at: inSeconds(3_600), ends_at: inSeconds(7_200) });
    await service.database.query('update campaigns set ends_at = ? where id = ?', inSeconds(-1), id);
    await service.database.query("delete from jobs where kind = 'campaign.ending' and subject = ?", id);
    const long = inSeconds(-60);
    await service.database.query('update campaigns set starts_at = ? where id = ?', long, id);
    await service.database.query('update jobs set due_at = ? where subject = ?', long, id);
    for (const until = Date.now() + 10_000; (await scheduleOf(id)).start_status === 'scheduled'; ) {
      assert.ok(Date.now() < until);
      await sleep(50);
    }
    assert.equal((await scheduleOf(id)).start_status, 'end_passed');
    assert.equal((await campaignOf(id)).status, 'draft');
  });

  test('A schedule of another workspace is answered like one that does not exist', async () => {
    const { owner } = await makeOtherWorkspace(service);
    const scopes = ['campaigns:read', 'campaigns:write'];
    const { key } = await owner.request('POST', '/keys', { name: 'Dialer', scopes }, 201);
    const foreign = await campaignApi(service, key);
    const id = await makeDraft();
    const missing = 'campaign_01h455vb4pex5vsknk084sn02q';
    for (const method of ['GET', 'PUT']) {
      const body = method === 'PUT' ? { max_attempts: 1 } : undefined;
      assert.deepEqual(
        comparableReply(await foreign.call(method, `/campaigns/${id}/schedule`, body)),
        comparableReply(await foreign.call(method, `/campaigns/${missing}/schedule`, body)),
      );
    }
    assert.equal((await scheduleOf(id)).max_attempts, null);
    await assertConsistent(service.database);
  });
});
