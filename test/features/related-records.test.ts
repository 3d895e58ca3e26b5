import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { makeDeployedAgent, makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { enrollmentCounts } from '../kit/fixtures/enrollment-counts.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { assertInvalid } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import type { TestChannel } from '../kit/webhooks/channel-hooks.ts';

onEveryEngine('Related records', (service) => {
  let owner: CheckedUser;
  let agents: Json[];
  let lines: TestChannel[];
  let contacts: Json[];
  const page = async (path: string) => (await owner.call('GET', path)).body;
  const make = (fields: object) =>
    owner.request('POST', '/contacts', { phone_number: newPhone(), ...fields }, 201);
  before(async () => {
    ({ owner } = await makeOtherWorkspace(service));
    agents = [await makeDeployedAgent(owner, 'Desk'), await makeDeployedAgent(owner, 'Repairs')];
    lines = [
      await makePhoneChannel(owner, agents[0]),
      await makePhoneChannel(owner, agents[1]),
      await makePhoneChannel(owner),
    ];
    contacts = [
      await make({ first_name: 'Ada', last_name: 'L', display_name: 'Countess' }),
      await make({ first_name: 'Zoë', last_name: 'Quispe', display_name: '' }),
      await make({ last_name: 'Sato' }),
      await make({ company: 'Nameless' }),
    ];
  });

  test('A call names its channel, its agent, its version and its contact', async () => {
    for (const { phone_number } of contacts) await recordCall(service, lines[0] as TestChannel, phone_number);
    await recordCall(service, lines[2] as TestChannel, 'anonymous');
    const { data } = await page('/calls');
    assert.deepEqual(
      data.map((call: Json) => [call.contact_name, call.agent_name, call.version_label, call.channel_name]),
      [
        [null, null, null, 'Line'],
        [null, 'Desk', 'v1', 'Line'],
        ['Sato', 'Desk', 'v1', 'Line'],
        ['Zoë Quispe', 'Desk', 'v1', 'Line'],
        ['Countess', 'Desk', 'v1', 'Line'],
      ],
    );
    for (const call of data) {
      assert.equal(call.channel_kind, 'phone');
      assert.equal(call.agent_deleted, false);
      assert.deepEqual(await owner.request('GET', `/calls/${call.id}`), call);
    }
  });

  test('Calls can be filtered by every combination of filters', async () => {
    const outbound = { direction: 'outbound' };
    await recordCall(service, lines[0] as TestChannel, contacts[0].phone_number, outbound);
    await recordCall(service, lines[1] as TestChannel, contacts[0].phone_number);
    await recordCall(service, lines[1] as TestChannel, contacts[1].phone_number, outbound);
    const all = (await page('/calls?limit=100')).data;
    assert.equal(all.length, 8);
    const choices: Record<string, string[]> = {
      contact_id: ['', contacts[0].id, contacts[1].id, 'nothing'],
      channel_id: ['', lines[0]?.id ?? '', lines[1]?.id ?? ''],
      agent_id: ['', agents[0].id, agents[1].id.toUpperCase()],
      direction: ['', 'inbound', 'outbound'],
    };
    let queries: Record<string, string>[] = [{}];
    for (const [name, values] of Object.entries(choices)) {
      queries = queries.flatMap((query) =>
        values.map((value) => (value === '' ? query : { ...query, [name]: value })),
      );
    }
    for (const query of queries) {
      const { data, pagination } = await page(`/calls?limit=100&${new URLSearchParams(query)}`);
      const expected = all.filter((call: Json) =>
        Object.entries(query).every(
          ([name, value]) => call[name] === value.replace(/^.{36}$/, value.toLowerCase()),
        ),
      );
      assert.deepEqual(data, expected, JSON.stringify(query));
      assert.equal(pagination.total, expected.length);
    }
    for (const query of ['direction=sideways', 'agent=x', 'agent_id=%00']) {
      assertInvalid(await owner.call('GET', `/calls?${query}`), query.split('=')[0] as string);
    }
  });

  test('Channels are paginated and can be filtered by agent', async () => {
    const { data, pagination } = await page('/channels?limit=2');
    assert.deepEqual(pagination, { total: 3, limit: 2, offset: 0, has_more: true });
    assert.deepEqual(
      data.map(({ id, agent }: Json) => [id, agent?.name]),
      [
        [lines[2]?.id, undefined],
        [lines[1]?.id, 'Repairs'],
      ],
    );
    assert.deepEqual((await page('/channels?limit=2&offset=2')).data[0].id, lines[0]?.id);
    const desk = await page(`/channels?agent_id=${agents[0].id.toUpperCase()}`);
    assert.deepEqual([desk.data.map(({ id }: Json) => id), desk.pagination.total], [[lines[0]?.id], 1]);
    assert.deepEqual((await page('/channels?agent_id=nothing')).data, []);
    assertInvalid(await owner.call('GET', '/channels?limit=0'), 'limit');
  });

  test('A campaign has the correct number of enrollments after every change', async () => {
    const campaign = await owner.request('POST', '/campaigns', { name: 'C', agent_id: agents[0].id }, 201);
    const enrolled = async () => {
      const [listed] = (await page('/campaigns')).data;
      assert.deepEqual(await owner.request('GET', `/campaigns/${campaign.id}`), listed);
      const statuses = await service.database.query(
        'select status, count(*) as count from enrollments where campaign_id = ? group by status',
        campaign.id,
      );
      const counted = Object.fromEntries(statuses.map(({ status, count }) => [status, Number(count)]));
      assert.deepEqual(listed.enrolled, enrollmentCounts(counted));
      return listed.enrolled;
    };
    const path = `/campaigns/${campaign.id}/enrollments`;
    const set = (contact: Json, status: string) =>
      owner.request('PATCH', `${path}/${contact.id}`, { status });
    assert.deepEqual(await enrolled(), enrollmentCounts());
    const extra = await make({ tags: ['extra'] });
    await owner.request('POST', path, { contact_ids: contacts.map(({ id }) => id) });
    await owner.request('POST', path, { tag: 'extra' });
    await owner.request('POST', path, { contact_ids: [extra.id, 'nobody'] });
    assert.deepEqual(await enrolled(), enrollmentCounts({ pending: 5 }));
    await set(contacts[0], 'completed');
    await set(contacts[0], 'completed');
    await set(contacts[1], 'in_progress');
    await set(contacts[2], 'failed');
    assert.deepEqual(
      await enrolled(),
      enrollmentCounts({ pending: 2, in_progress: 1, completed: 1, failed: 1 }),
    );
    await Promise.all(contacts.map((contact, at) => set(contact, at % 2 ? 'completed' : 'pending')));
    assert.deepEqual(await enrolled(), enrollmentCounts({ pending: 3, completed: 2 }));

    const { data } = await page(path);
    assert.deepEqual(
      data.map(({ contact_name, contact_phone_number }: Json) => [contact_name, contact_phone_number]),
      [extra, ...contacts.toReversed()].map((contact, at) => [
        [null, null, 'Sato', 'Zoë Quispe', 'Countess'][at],
        contact.phone_number,
      ]),
    );
    const done = await page(`${path}?status=completed&limit=1`);
    assert.deepEqual(done.pagination, { total: 2, limit: 1, offset: 0, has_more: true });
    assert.equal(done.data[0].contact_id, contacts[3].id);
    assert.deepEqual((await page(`${path}?status=failed`)).pagination.total, 0);
    assertInvalid(await owner.call('GET', `${path}?status=gone`), 'status');

    await owner.request('DELETE', `${path}/${contacts[3].id}`);
    await owner.request('DELETE', `/contacts/${extra.id}`);
    assert.deepEqual(await enrolled(), enrollmentCounts({ pending: 2, completed: 1 }));
  });

  test('Statistics cover the requested number of days and have correct counts', async () => {
    const figures = await owner.request('GET', '/figures?days=90');
    assert.equal(figures.days.length, 90);
    assert.deepEqual(
      [figures.calls, figures.active_agents, figures.campaigns, figures.active_campaigns],
      [8, 2, 1, 0],
    );
    assert.equal(figures.days.at(-1).calls, 8);
    assert.equal((await owner.request('GET', '/figures?days=1')).days.length, 1);
    for (const days of ['0', '367', 'x'])
      assertInvalid(await owner.call('GET', `/figures?days=${days}`), 'days');
  });
});
