import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { makeDeployedAgent, makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { assertInvalid } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

/** Berlin set its clocks forward on 30 March 2025, at 01:00 UTC, and back on 26 October 2025. */
const CALLS = [
  { name: 'old', started_at: '2025-03-28T18:15:00.000Z', status: 'completed', seconds: 10 },
  { name: 'before midnight', started_at: '2025-03-29T22:59:59.999Z', status: 'failed' },
  { name: 'midnight', started_at: '2025-03-29T23:00:00.000Z', status: 'completed', seconds: 59 },
  { name: 'summer', started_at: '2025-03-30T21:59:59.999Z', status: 'busy', direction: 'outbound' },
  { name: 'next day', started_at: '2025-03-30T22:00:00.000Z', status: 'completed', seconds: 900 },
  { name: 'text', started_at: '2025-03-31T10:00:00.000Z', type: 'message' },
] as const;

onEveryEngine('Lists of calls', (service) => {
  let owner: CheckedUser;
  let other: CheckedUser;
  let agent: Json;
  const names = new Map<string, string>();
  const ids = new Map<string, string>();
  before(async () => {
    ({ owner } = await makeOtherWorkspace(service));
    ({ owner: other } = await makeOtherWorkspace(service));
    agent = await makeDeployedAgent(owner);
    const line = await makePhoneChannel(owner, agent);
    // Recorded in another order than they started.
    for (const { name, ...fields } of CALLS.toReversed()) {
      const { id } = await recordCall(service, line, newPhone(), fields);
      names.set(id, name);
      ids.set(name, id);
    }
    const live = await recordCall(service, line, newPhone(), { status: 'completed', seconds: 30 });
    names.set(live.id, 'live');
    const elsewhere = await makePhoneChannel(other, await makeDeployedAgent(other));
    await recordCall(service, elsewhere, newPhone(), {
      started_at: CALLS[2].started_at,
      status: 'completed',
    });
  });
  const list = async (query: string) => (await owner.call('GET', `/calls?${query}`)).body;
  const listed = async (query: string) =>
    (await list(query)).data.map(({ id }: Json) => names.get(id) ?? 'unknown');
  const march = 'started_since=2025-03-01T00:00:00Z&started_before=2025-04-01T00:00:00Z';

  test('Calls are sorted by their start in both directions, in pages', async () => {
    const all = CALLS.map(({ name }) => name);
    assert.deepEqual(await listed('sort=started_at'), [...all, 'live']);
    assert.deepEqual(await listed('sort=-started_at'), ['live', ...all.toReversed()]);
    assert.deepEqual(await listed('sort=started_at&limit=2&offset=2'), all.slice(2, 4));
    const { pagination } = await list('sort=started_at&limit=2&offset=2');
    assert.deepEqual(pagination, { total: 7, limit: 2, offset: 2, has_more: true, total_is_capped: false });
    assert.deepEqual(await listed(''), ['live', ...all], 'newest first is the order of recording');
  });

  test('Calls are filtered by time, status, type, direction and version, alone and together', async () => {
    assert.equal((await list(march)).pagination.total, 6);
    assert.deepEqual(await listed('started_since=2025-03-29T23:00:00Z&started_before=2025-03-30T22:00:00Z'), [
      'summer',
      'midnight',
    ]);
    assert.deepEqual(await listed('started_since=2025-03-30T01:00:00%2B02:00&status=completed'), [
      'live',
      'text',
      'next day',
      'midnight',
    ]);
    assert.deepEqual(await listed('status=failed'), ['before midnight']);
    assert.deepEqual(await listed('type=message'), ['text']);
    assert.deepEqual(await listed(`type=call&direction=outbound&${march}`), ['summer']);
    const { version_id, contact_id, channel_id } = (
      await owner.call('GET', `/calls?status=completed&type=call&limit=1`)
    ).body.data[0];
    assert.equal(version_id, agent.version.id);
    assert.deepEqual(await listed(`version_id=${version_id}`), ['live'], 'others began before the deploy');
    assert.deepEqual(await listed(`version_id=${version_id}&status=failed`), []);
    assert.deepEqual(await listed(`contact_id=${contact_id}&sort=started_at`), ['live']);
    assert.equal(
      (await list(`channel_id=${channel_id}&sort=started_at&status=completed`)).pagination.total,
      5,
    );
    assert.deepEqual(await listed(`agent_id=${agent.id}&sort=-started_at`), ['live']);
    assert.equal((await list('status=&type=&started_since=&sort=')).pagination.total, 7);
  });

  test('Invalid filters of calls are rejected with the name of the field', async () => {
    for (const query of [
      'status=done',
      'type=fax',
      'sort=seconds',
      'started_since=2025-03-01',
      'started_before=x',
    ]) {
      const field = query.split('=')[0] as string;
      for (const path of ['/calls', '/calls/export', '/calls/statistics']) {
        if (field === 'sort' && path !== '/calls') continue;
        assertInvalid(await owner.call('GET', `${path}?${query}`), field);
      }
    }
    assertInvalid(await owner.call('GET', '/calls/statistics?limit=1'), 'limit');
  });

  test('The export has all matching calls, latest first, with numbers that no spreadsheet changes', async () => {
    const { text, headers } = await owner.call('GET', `/calls/export?${march}&status=completed`);
    assert.match(String(headers.get('content-disposition')), /filename="calls\.csv"/);
    const [header, ...rows] = text.trim().split('\r\n');
    assert.match(String(header), /id,type,direction,status,started_at,/);
    assert.deepEqual(
      rows.map((row: string) => names.get(row.split(',')[0] as string)),
      ['text', 'next day', 'midnight', 'old'],
    );
    assert.match(rows[1] as string, /,900,'\+\d+,/);
    const all = (await owner.call('GET', '/calls/export')).text.trim().split('\r\n');
    assert.equal(all.length, 8);
  });

  test('Statistics count days in the time zone of the workspace, also when clocks change', async () => {
    const statistics = async (query: string) => owner.request('GET', `/calls/statistics?${query}`);
    const days = ({ days }: Json) =>
      days.filter(({ calls }: Json) => calls > 0).map(({ day, calls }: Json) => [day, calls]);
    assert.deepEqual(days(await statistics(march)), [
      ['2025-03-28', 1],
      ['2025-03-29', 2],
      ['2025-03-30', 2],
      ['2025-03-31', 1],
    ]);
    await owner.request('PATCH', '/settings', { time_zone: 'Europe/Berlin' });
    const berlin = await statistics('started_since=2025-02-28T23:00:00Z&started_before=2025-03-31T22:00:00Z');
    assert.deepEqual(days(berlin), [
      ['2025-03-28', 1],
      ['2025-03-29', 1],
      ['2025-03-30', 2],
      ['2025-03-31', 2],
    ]);
    assert.equal(berlin.days.length, 31);
    assert.deepEqual(
      [berlin.time_zone, berlin.calls, berlin.timed_calls, berlin.seconds, berlin.is_complete],
      ['Europe/Berlin', 6, 3, 969, true],
    );
    assert.deepEqual(berlin.statuses, { completed: 4, failed: 1, busy: 1 });
    assert.deepEqual(
      berlin.durations.filter(({ calls }: Json) => calls > 0),
      [
        { from: 0, below: 15, calls: 1 },
        { from: 30, below: 60, calls: 1 },
        { from: 600, below: null, calls: 1 },
      ],
    );
    // 18:15 in UTC is midnight in Nepal, and a quarter of an hour before it in India.
    for (const [zone, calls] of [
      ['Asia/Kathmandu', 0],
      ['Asia/Kolkata', 1],
    ] as const) {
      await owner.request('PATCH', '/settings', { time_zone: zone });
      const { days: found } = await statistics(march);
      assert.equal(found.find(({ day }: Json) => day === '2025-03-28').calls, calls, zone);
    }
    await owner.request('PATCH', '/settings', { time_zone: 'UTC' });
  });

  test('Statistics cover the last thirty days by default, with the calls of each version', async () => {
    const now = await owner.request('GET', '/calls/statistics');
    assert.equal(now.days.length, 30);
    assert.equal(now.days.at(-1).calls, 1);
    const [version] = now.versions;
    assert.deepEqual(
      [version.version_id, version.version_label, version.agent_name, version.calls, version.seconds],
      [agent.version.id, 'v1', 'Speaker', 1, 30],
    );
    const longest = await owner.request('GET', '/calls/statistics?started_since=2001-01-01T00:00:00Z');
    assert.equal(longest.days.length, 366);
    assert.equal((await owner.request('GET', '/calls/statistics?status=failed')).calls, 0);
    assert.equal((await other.request('GET', `/calls/statistics?version_id=${agent.version.id}`)).calls, 0);
  });
});
