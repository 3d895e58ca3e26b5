import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { expireOutcomes } from '../../src/features/calls/outcome.service.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { makeDeployedAgent, makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import type { TestChannel } from '../kit/webhooks/channel-hooks.ts';

const DAY = 86_400_000;
const dayOf = (ago: number) => new Date(Date.now() - ago * DAY).toISOString().slice(0, 10);

onEveryEngine('Outcomes', (service) => {
  let owner: CheckedUser;
  let agent: Json;
  let [line, other]: TestChannel[] = [];
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
    agent = await makeDeployedAgent(owner);
    await service.database.query(`update deploys set deployed_at = '2020-01-01T00:00:00.000Z'`);
    [line, other] = [await makePhoneChannel(owner, agent), await makePhoneChannel(owner)];
    const dispositions = ['booked', 'refused'].map((key) => ({ key, label: key }));
    await owner.request('PUT', '/call-settings', { dispositions, field_rules: [], transcript_days: null });
  });
  const get = (query = ''): Promise<Json> => owner.request('GET', `/outcomes?${query}`);
  const record = (channel: TestChannel | undefined, number: string, fields: Json) =>
    recordCall(service, channel as TestChannel, number, { provider_id: `of ${number}`, ...fields });
  const clear = async () => {
    await service.database.query(`delete from tallies where list like 'outcome@%'`);
    await service.database.query('delete from calls');
  };

  it('Dispositions and goals are counted by version, channel and day, and corrections move the counts', async () => {
    const [first, second, third] = [newPhone(), newPhone(), newPhone()];
    const yesterday = `${dayOf(1)}T12:00:00Z`;
    await record(line, first, { started_at: yesterday, disposition: 'booked', goals: { visit: true } });
    await record(line, second, { started_at: `${dayOf(2)}T00:30:00Z`, disposition: 'refused' });
    await record(other, third, {
      started_at: yesterday,
      disposition: 'booked',
      goals: { visit: false, constructor: true },
    });
    const both = {
      dispositions: { booked: 2, refused: 1 },
      goals: { constructor: { reached: 1, missed: 0 }, visit: { reached: 1, missed: 1 } },
    };
    const outcomes = await get();
    const { dispositions, goals, days, versions, channels } = outcomes;
    assert.deepEqual({ dispositions, goals }, both);
    assert.equal(days.length, 30);
    assert.deepEqual(
      days.slice(-3).map((each: Json) => [each.day, each.dispositions]),
      [
        [dayOf(2), { refused: 1 }],
        [dayOf(1), { booked: 2 }],
        [dayOf(0), {}],
      ],
    );
    const ofVersion = {
      dispositions: { booked: 1, refused: 1 },
      goals: { visit: { reached: 1, missed: 0 } },
    };
    assert.deepEqual(
      versions.toSorted((a: Json) => (a.version_id ? -1 : 1)),
      [
        { version_id: agent.version.id, version_label: 'v1', agent_id: agent.id, ...ofVersion },
        {
          version_id: null,
          version_label: null,
          agent_id: null,
          dispositions: { booked: 1 },
          goals: { constructor: { reached: 1, missed: 0 }, visit: { reached: 0, missed: 1 } },
        },
      ],
    );
    assert.deepEqual(
      channels.map(({ channel_id, channel_name }: Json) => [channel_id, channel_name]).sort(),
      [line, other].map((each) => [each?.id, 'Line']).sort(),
    );
    const own = await get(`version_id=${agent.version.id}`);
    assert.deepEqual([own.dispositions, own.goals], [ofVersion.dispositions, ofVersion.goals]);

    await record(line, first, { disposition: 'refused', goals: { visit: false, paid: true } });
    const corrected = await get(`version_id=${agent.version.id}`);
    assert.deepEqual(corrected.dispositions, { refused: 2 });
    assert.deepEqual(corrected.goals, { paid: { reached: 1, missed: 0 }, visit: { reached: 0, missed: 1 } });
  });

  it('Filters and periods limit what is counted', async () => {
    for (const [query, expected] of [
      [`agent_id=${agent.id}`, { refused: 2 }],
      [`channel_id=${other?.id}`, { booked: 1 }],
      [`version_id=${agent.version.id}&channel_id=${other?.id}`, {}],
      ['channel_id=%25', {}],
      [`since=${dayOf(1)}`, { booked: 1, refused: 1 }],
      [`before=${dayOf(1)}`, { refused: 1 }],
      [`since=${dayOf(365)}&before=`, { booked: 1, refused: 2 }],
    ] as const)
      assert.deepEqual((await get(query)).dispositions, expected, query);
    for (const [query, message] of [
      [`since=${dayOf(366)}`, /since: must be a day from .* outcomes are counted for 366 days/],
      [`since=${dayOf(-1)}`, /since: must be a day from/],
      [`since=${dayOf(1)}&before=${dayOf(1)}`, /before: must be after the first day/],
      ['since=2026-02-31', /must be a day, for example/],
    ] as const) {
      const reply = await owner.call('GET', `/outcomes?${query}`);
      assert.equal(reply.status, 400, reply.text);
      assert.match(reply.body.error.message, message);
    }
  });

  it('A day is that of the time zone of the workspace', async () => {
    await clear();
    await owner.request('PATCH', '/settings', { time_zone: 'Asia/Kolkata' });
    await record(line, newPhone(), { started_at: `${dayOf(3)}T20:00:00Z`, disposition: 'booked' });
    const { days, time_zone } = await get();
    assert.equal(time_zone, 'Asia/Kolkata');
    assert.deepEqual(days.find(({ day }: Json) => day === dayOf(2)).dispositions, { booked: 1 });
    await owner.request('PATCH', '/settings', { time_zone: 'UTC' });
  });

  it('Concurrent reports leave exact counts', async () => {
    await clear();
    const numbers = Array.from({ length: 6 }, newPhone);
    await Promise.all(numbers.map((number) => record(line, number, {})));
    const reports = numbers.flatMap((number) =>
      [
        { disposition: 'booked' },
        { disposition: 'refused' },
        { goals: { visit: true } },
        { goals: { visit: false } },
        { goals: { paid: true } },
      ].map((fields) => record(line, number, fields)),
    );
    await Promise.all(reports);
    const calls: Json[] = await owner.request('GET', '/calls?limit=100');
    const count = (is: (call: Json) => boolean) => calls.filter(is).length;
    const { dispositions, goals } = await get();
    const expected = {
      booked: count(({ disposition }) => disposition === 'booked'),
      refused: count(({ disposition }) => disposition === 'refused'),
    };
    assert.deepEqual({ booked: 0, refused: 0, ...dispositions }, expected);
    assert.equal(expected.booked + expected.refused, 6);
    assert.deepEqual(goals, {
      paid: { reached: 6, missed: 0 },
      visit: {
        reached: count((call) => call.goals.visit),
        missed: count((call) => call.goals.visit === false),
      },
    });
  });

  it('Counters of hours that no period can contain expire, and later corrections do not bring them back', async () => {
    await clear();
    const [old, recent] = [newPhone(), newPhone()];
    const at = (days: number) => new Date(Date.now() - days * DAY).toISOString();
    await record(line, recent, { started_at: at(300), disposition: 'booked' });
    await record(other, old, { started_at: at(367), disposition: 'booked' });
    await record(line, newPhone(), { started_at: at(400), disposition: 'booked' });
    const names = async () =>
      (await service.database.query(`select list from tallies where list like 'outcome@%'`)).length;
    assert.equal(await names(), 2);
    const storage = await openTestStorage(service.database);
    const [row] = await service.database.query(`select id from workspaces where name = 'default'`);
    const expiry = { workspace: Number(row?.id), before: at(366.5), ahead: '' };
    while ((await storage.run(expireOutcomes, null, expiry)) > 0);
    await storage.close();
    assert.equal(await names(), 1);
    assert.deepEqual((await get(`since=${dayOf(365)}`)).dispositions, { booked: 1 });
  });
});
