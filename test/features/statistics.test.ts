import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openStorage } from '../../src/db/open/open.ts';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { makeDeployedAgent, makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { insertContacts, type NewFacts } from '../kit/fixtures/insert-contacts.ts';
import { assertInvalid } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import type { TestChannel } from '../kit/webhooks/channel-hooks.ts';

const NONE = { api: 0, import: 0, manual: 0, inbound: 0, webhook: 0 };
const dayAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

const factsOf = (phone_number: string): NewFacts => ({
  phone_number,
  phone_identity: phone_number,
  phone_conflict: 0,
  tags: [],
});

onEveryEngine('Statistics of the home page', (service) => {
  let owner: CheckedUser;
  let line: TestChannel;
  let agent: Json;
  const figures = () => owner.request('GET', '/figures');
  const day = async (ago = 0) => (await figures()).days.at(-1 - ago);
  before(async () => {
    ({ owner } = await makeOtherWorkspace(service));
    const { owner: other } = await makeOtherWorkspace(service);
    await other.request('POST', '/contacts', { phone_number: newPhone() }, 201);
    const elsewhere = await makePhoneChannel(other, await makeDeployedAgent(other));
    await recordCall(service, elsewhere, newPhone());
  });

  test('The statistics of an empty workspace are thirty days of zeros, ending today', async () => {
    const { days, ...rest } = await figures();
    const none = { contacts: NONE, calls: 0, statuses: {} };
    assert.deepEqual(rest, {
      time_zone: 'UTC',
      from: dayAgo(29).slice(0, 10),
      to: dayAgo(0).slice(0, 10),
      previous: { from: dayAgo(59).slice(0, 10), to: dayAgo(30).slice(0, 10), ...none },
      contacts: 0,
      calls: 0,
      agents: 0,
      active_agents: 0,
      channels: 0,
      connected_channels: 0,
      campaigns: 0,
      active_campaigns: 0,
      agents_by_calls: [],
      channels_by_calls: [],
    });
    assert.deepEqual(
      days,
      Array.from({ length: 30 }, (_, at) => ({
        day: dayAgo(29 - at).slice(0, 10),
        ...none,
      })),
    );
  });

  test('Contacts are counted by source, without deleted ones', async () => {
    const { key } = await owner.request('POST', '/keys', { name: 'K' }, 201);
    const integration = await owner.request('POST', '/integrations', { name: 'CRM' }, 201);
    line = await makePhoneChannel(owner);
    const made: string[] = [];
    for (let at = 0; at < 3; at++) {
      const reply = await service.post('/v1/contacts', { phone_number: newPhone(), tags: ['t'] }, { key });
      made.push(reply.body.data.id);
    }
    for (let at = 0; at < 2; at++)
      await owner.request('POST', '/contacts', { phone_number: newPhone() }, 201);
    const caller = newPhone();
    for (let at = 0; at < 2; at++) await recordCall(service, line, caller);
    const hooked = { phone_number: newPhone() };
    for (const status of [201, 200]) {
      const reply = await service.post(`/hooks/contacts/${integration.id}`, hooked, {
        key: integration.secret,
      });
      assert.equal(reply.status, status);
    }
    assert.deepEqual((await day()).contacts, { api: 3, import: 0, manual: 2, inbound: 1, webhook: 1 });
    assert.equal((await figures()).contacts, 7);
    assert.deepEqual((await day(1)).contacts, NONE);
    await owner.request('PATCH', `/contacts/${made[0]}`, { tags: [], first_name: 'Ada' });
    assert.equal((await day()).contacts.api, 3);
    for (const id of made.slice(1)) await owner.request('DELETE', `/contacts/${id}`);
    assert.deepEqual((await day()).contacts, { api: 1, import: 0, manual: 2, inbound: 1, webhook: 1 });
    assert.equal((await figures()).contacts, 5);
  });

  test('Calls and messages are counted once, on the day when they began', async () => {
    const number = newPhone();
    assert.equal((await day()).calls, 2);
    await recordCall(service, line, number, { type: 'message' });
    const call = { provider_id: 'long call', started_at: dayAgo(2) };
    await recordCall(service, line, number, call);
    await recordCall(service, line, number, { ...call, status: 'completed', seconds: 60 });
    await recordCall(service, line, number, { started_at: dayAgo(29) });
    await recordCall(service, line, number, { started_at: dayAgo(40) });
    const { days } = await figures();
    const calls = days.map((each: Json) => each.calls);
    assert.deepEqual([calls[29], calls[28], calls[27], calls[0]], [3, 0, 1, 1]);
    assert.equal(
      calls.reduce((sum: number, count: number) => sum + count),
      5,
    );
    const [contact] = await owner.request('GET', `/contacts?search=${encodeURIComponent(number)}`);
    await owner.request('DELETE', `/contacts/${contact.id}`);
    assert.equal((await day()).calls, 3, 'the calls of a deleted contact stay');
  });

  test('The figures have the statuses of calls, and the period before for comparison', async () => {
    const { days, previous } = await figures();
    assert.deepEqual(days[27].statuses, { completed: 1 });
    assert.deepEqual([previous.calls, previous.statuses], [1, { in_progress: 1 }]);
    assert.deepEqual(previous.contacts, NONE);
  });

  test('A period of chosen days counts contacts and calls in the time zone of the workspace', async () => {
    const { owner: user, workspace } = await makeOtherWorkspace(service);
    const storage = await openStorage(service.database.database, { onFault: () => {} });
    const create = (now: string, source: 'api' | 'import', facts: number) =>
      storage.run(
        insertContacts,
        { workspace, actor: 'test' },
        {
          facts: Array.from({ length: facts }, () => factsOf(newPhone())),
          source,
          now,
        },
      );
    // Berlin set its clocks forward on 30 March 2025, and back on 26 October.
    await create('2025-03-28T22:30:00.000Z', 'api', 1);
    await create('2025-03-29T22:59:59.999Z', 'api', 2);
    await create('2025-03-29T23:00:00.000Z', 'api', 4);
    await create('2025-03-30T21:59:59.999Z', 'import', 8);
    await create('2025-03-30T22:00:00.000Z', 'api', 16);
    await storage.close();
    const channel = await makePhoneChannel(user);
    for (const started_at of ['2025-10-24T21:59:59Z', '2025-10-25T22:00:00Z', '2025-10-26T22:59:59Z'])
      await recordCall(service, channel, newPhone(), { started_at, direction: 'outbound', status: 'busy' });
    const counted = async (zone: string, from: string, to: string) => {
      await user.request('PATCH', '/settings', { time_zone: zone });
      const found = await user.request('GET', `/figures?from=${from}&to=${to}`);
      assert.equal(found.time_zone, zone);
      return found;
    };
    const sums = ({ contacts }: Json) => [contacts.api, contacts.import];
    const utc = await counted('UTC', '2025-03-29', '2025-03-31');
    assert.deepEqual(utc.days.map(sums), [
      [6, 0],
      [16, 8],
      [0, 0],
    ]);
    assert.deepEqual(sums(utc.previous), [1, 0]);
    const berlin = await counted('Europe/Berlin', '2025-03-29', '2025-03-31');
    assert.deepEqual(berlin.days.map(sums), [
      [2, 0],
      [4, 8],
      [16, 0],
    ]);
    assert.deepEqual(sums(berlin.previous), [1, 0]);
    assert.deepEqual([berlin.previous.from, berlin.previous.to], ['2025-03-26', '2025-03-28']);
    const nepal = await counted('Asia/Kathmandu', '2025-03-29', '2025-03-31');
    assert.deepEqual(nepal.days.map(sums), [
      [1, 0],
      [6, 0],
      [16, 8],
    ]);
    const west = await counted('America/Los_Angeles', '2025-03-28', '2025-03-30');
    assert.deepEqual(west.days.map(sums), [
      [1, 0],
      [6, 0],
      [16, 8],
    ]);
    const autumn = await counted('Europe/Berlin', '2025-10-25', '2025-10-26');
    assert.deepEqual(
      autumn.days.map(({ calls, statuses }: Json) => [calls, statuses.busy]),
      [
        [0, undefined],
        [2, 2],
      ],
    );
    assert.equal(autumn.previous.calls, 1);
  });

  test('A calendar month is compared with the month before, this one with as many of its days', async () => {
    const { owner: user } = await makeOtherWorkspace(service);
    const channel = await makePhoneChannel(user);
    const now = new Date();
    const today = now.getUTCDate();
    /** A day of a month, counted from this one. */
    const dayOf = (month: number, day: number) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, day)).toISOString().slice(0, 10);
    const days = [dayOf(0, 1), dayOf(-1, 1), dayOf(0, 0), dayOf(-2, 1), dayOf(-1, 0)];
    for (const day of days)
      await recordCall(service, channel, newPhone(), {
        started_at: `${day}T00:00:00Z`,
        direction: 'outbound',
        status: 'busy',
      });
    const month = async (name: string) => {
      const { from, to, previous, days } = await user.request('GET', `/figures?month=${name}`);
      const calls = days.reduce((sum: number, day: Json) => sum + day.calls, 0);
      assert.deepEqual([days[0].day, days.at(-1).day], [from, to]);
      return [from, to, calls, previous.from, previous.to, previous.calls];
    };
    const lengthOfLast = Number(dayOf(0, 0).slice(8));
    const isWhole = today >= lengthOfLast;
    assert.deepEqual(await month('this'), [
      dayOf(0, 1),
      dayOf(0, today),
      1,
      dayOf(-1, 1),
      isWhole ? dayOf(0, 0) : dayOf(-1, today),
      isWhole ? 2 : 1,
    ]);
    assert.deepEqual(await month('last'), [dayOf(-1, 1), dayOf(0, 0), 2, dayOf(-2, 1), dayOf(-1, 0), 2]);
  });

  test('An invalid period is rejected with the field to correct', async () => {
    for (const [query, field] of [
      ['month=next', 'month'],
      ['month=last&days=7', 'month'],
      ['month=this&from=2025-01-01&to=2025-01-02', 'month'],
      ['from=2025-01-01', 'to'],
      ['to=2025-01-01', 'from'],
      ['from=2025-02-30&to=2025-03-01', 'from'],
      ['from=2025-01-02&to=2025-01-01', 'to'],
      ['from=2024-01-01&to=2025-01-01', 'to'],
      ['days=367', 'days'],
    ] as const)
      assertInvalid(await owner.call('GET', `/figures?${query}`), field);
  });

  test('Agents and channels are counted, and so are the connected ones', async () => {
    agent = await makeDeployedAgent(owner, 'One');
    const other = await makeDeployedAgent(owner, 'Two');
    await makePhoneChannel(owner, agent);
    const second = await makePhoneChannel(owner, other);
    const counted = async () => {
      const { agents, channels, connected_channels } = await figures();
      return { agents, channels, connected_channels };
    };
    assert.deepEqual(await counted(), { agents: 2, channels: 3, connected_channels: 2 });
    await owner.request('DELETE', `/agents/${other.id}`);
    assert.deepEqual(await counted(), { agents: 1, channels: 3, connected_channels: 1 });
    await owner.request('DELETE', `/channels/${second.id}`);
    assert.deepEqual(await counted(), { agents: 1, channels: 2, connected_channels: 1 });
  });
});
