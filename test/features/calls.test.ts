import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import {
  deploy,
  makeAgentWithVersions,
  makeChannel,
  makeChannelWithAgent,
  signedInOwner,
  versionIds,
} from '../kit/fixtures/agents.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { deliverEvent, newCallEvent } from '../kit/webhooks/providers.ts';

const NONE = 'call_01h455vb4pex5vsknk084sn02q';

onEveryEngine('Call history', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
  });
  const recordEvent = async (channel: Json, fields: Json = {}): Promise<Json> => {
    const reply = await deliverEvent(service, channel, newCallEvent(fields));
    assert.equal(reply.status, 200, reply.text);
    return reply.body.data;
  };
  const callOf = (id: string) => owner.request('GET', `/calls/${id}`);

  test('Calls are listed newest first, in pages', async () => {
    const channel = await makeChannel(owner);
    const recorded: Json[] = [];
    for (let at = 0; at < 5; at++) recorded.unshift(await recordEvent(channel));
    const ids = recorded.map(({ id }) => id);
    const page = (await owner.call('GET', '/calls?limit=2&offset=1')).body;
    assert.deepEqual(page.data, [await callOf(ids[1]), await callOf(ids[2])]);
    assert.deepEqual(page.pagination, {
      total: 5,
      limit: 2,
      offset: 1,
      has_more: true,
      total_is_capped: false,
    });
    const all = (await owner.call('GET', '/calls')).body;
    assert.deepEqual(
      all.data.map(({ id }: Json) => id),
      ids,
    );
    assert.deepEqual(all.pagination, {
      total: 5,
      limit: 20,
      offset: 0,
      has_more: false,
      total_is_capped: false,
    });
    assert.deepEqual((await owner.call('GET', '/calls?offset=50')).body.data, []);
    for (const query of ['limit=0', 'limit=101', 'limit=x']) {
      assertInvalid(await owner.call('GET', `/calls?${query}`), 'limit');
    }
    assertInvalid(await owner.call('GET', '/calls?offset=-1'), 'offset');
    assertInvalid(await owner.call('GET', '/calls?contact=x'), 'contact');
  });

  test('Calls can be filtered by contact, by channel, or by both', async () => {
    const [a, b] = [await makeChannel(owner), await makeChannel(owner)];
    const number = '+12125550110';
    const first = await recordEvent(a, { number });
    const second = await recordEvent(b, { number });
    const third = await recordEvent(b);
    const listed = async (query: string) => {
      const { data, pagination } = (await owner.call('GET', `/calls?${query}`)).body;
      assert.equal(pagination.total, data.length);
      return data.map(({ id }: Json) => id);
    };
    assert.deepEqual(await listed(`contact_id=${first.contact_id}`), [second.id, first.id]);
    assert.deepEqual(await listed(`channel_id=${b.id}`), [third.id, second.id]);
    assert.deepEqual(await listed(`contact_id=${first.contact_id}&channel_id=${b.id}`), [second.id]);
    for (const query of ['contact_id=x', 'channel_id=x', 'contact_id=contact_01h455vb4pex5vsknk084sn02q']) {
      assert.deepEqual(await listed(query), []);
    }
    assertInvalid(await owner.call('GET', '/calls?contact_id=%00'), 'contact_id');
  });

  test('A call names the version that was active when it began', async () => {
    const { agent, version: first, channel } = await makeChannelWithAgent(service, owner, 'One.');
    const before = await recordEvent(channel);
    await sleep(5);
    const between = new Date().toISOString();
    await sleep(5);
    await service.patch(`/v1/agents/${agent}`, { instructions: 'Two.' });
    const drafted = await recordEvent(channel);
    const [, second] = (await versionIds(service, agent)) as [string, string];
    const { deployed_at } = await deploy(owner, agent, second);
    const after = await recordEvent(channel);
    const late = await recordEvent(channel, { started_at: between });
    const ended = await recordEvent(channel, { ended_at: between, status: 'completed' });
    const exactly = await recordEvent(channel, { started_at: deployed_at });
    const early = await recordEvent(channel, { started_at: '2020-01-01T00:00:00Z' });
    const versionOfCall = async ({ id }: Json) => {
      const { agent_id, version_id, version_label } = await callOf(id);
      return [agent_id, version_id, version_label];
    };
    assert.deepEqual(await versionOfCall(before), [agent, first, 'v1']);
    assert.deepEqual(await versionOfCall(drafted), [agent, first, 'v1'], 'a draft does not speak');
    assert.deepEqual(await versionOfCall(after), [agent, second, 'v2']);
    assert.deepEqual(await versionOfCall(late), [agent, first, 'v1'], 'reported late');
    assert.deepEqual(await versionOfCall(ended), [agent, first, 'v1'], 'reported only at its end');
    assert.deepEqual(await versionOfCall(exactly), [agent, second, 'v2']);
    assert.deepEqual(await versionOfCall(early), [null, null, null], 'before the first deploy');
  });

  test('A call keeps its version through later deploys and deletions', async () => {
    const { agent, version, channel } = await makeChannelWithAgent(service, owner, 'One.');
    const event = newCallEvent({ status: 'ringing' });
    const { id } = (await deliverEvent(service, channel, event)).body.data;
    const known = await callOf(id);
    assert.deepEqual([known.agent_id, known.version_id], [agent, version]);
    await service.patch(`/v1/agents/${agent}`, { instructions: 'Two.' });
    const [, second] = (await versionIds(service, agent)) as [string, string];
    await deploy(owner, agent, second);
    await deliverEvent(service, channel, { ...event, status: 'completed' });
    assert.deepEqual(await callOf(id), { ...known, status: 'completed' });
    await service.delete(`/v1/agents/${agent}`);
    await owner.request('DELETE', `/channels/${channel.id}`);
    assert.deepEqual(await callOf(id), {
      ...known,
      status: 'completed',
      agent_deleted: true,
      channel_name: null,
      channel_kind: null,
    });
  });

  test('A call names no agent where none was connected or deployed', async () => {
    const channel = await makeChannel(owner);
    const alone = await callOf((await recordEvent(channel)).id);
    const { id: agent_id } = await makeAgentWithVersions(service, 'Draft.');
    await owner.request('PUT', `/channels/${channel.id}/agent`, { agent_id });
    const drafted = await callOf((await recordEvent(channel)).id);
    for (const call of [alone, drafted]) {
      assert.deepEqual([call.agent_id, call.version_id, call.version_label], [null, null, null]);
    }
  });

  test('Calls of two channels with the same provider id are distinct', async () => {
    const [a, b] = [await makeChannel(owner), await makeChannel(owner)];
    const provider_id = 'the same';
    const [one, two] = [await recordEvent(a, { provider_id }), await recordEvent(b, { provider_id })];
    assert.deepEqual([one.effect, two.effect], ['recorded', 'recorded']);
    assert.notEqual(one.id, two.id);
  });

  test('Unknown calls and calls of another workspace get 404', async () => {
    const channel = await makeChannel(owner);
    const { id, contact_id } = await recordEvent(channel);
    for (const garbage of [NONE, 'x', '%00', 'a'.repeat(300)]) {
      assertError(await owner.call('GET', `/calls/${garbage}`), 404, 'NOT_FOUND');
    }
    const { owner: otherOwner } = await makeOtherWorkspace(service);
    assertError(await otherOwner.call('GET', `/calls/${id}`), 404, 'NOT_FOUND');
    assert.deepEqual(await otherOwner.request('GET', '/calls'), []);
    assert.deepEqual(await otherOwner.request('GET', `/calls?contact_id=${contact_id}`), []);
    assert.deepEqual(await otherOwner.request('GET', `/calls?channel_id=${channel.id}`), []);
    assertError(await service.get(`/v1/calls/${id}`), 403, 'FORBIDDEN');
  });
});
