import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import {
  assertTablesUnchanged,
  deploy,
  makeAgentWithVersions,
  makeChannel,
  makeChannelWithAgent,
  signedInOwner,
} from '../kit/fixtures/agents.ts';
import { makeAgent, newPhone } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid, TIMESTAMP } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { getAgentFromHook } from '../kit/webhooks/channel-hooks.ts';

const TABLES = ['channels', 'hooks'];

onEveryEngine('Channels', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
  });

  test('Channels of each kind can be created, read and listed, newest first', async () => {
    const made: Json[] = [];
    const addresses = { phone: newPhone(), sms: newPhone(), whatsapp: newPhone(), web_chat: 'shop.example' };
    for (const [kind, address] of Object.entries(addresses)) {
      const reply = await owner.call('POST', '/channels', { kind, name: `A ${kind}`, address });
      assert.equal(reply.status, 201, reply.text);
      const { secret, ...channel } = reply.body.data;
      const { id, created_at, ...rest } = channel;
      assert.match(id, /^channel_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
      assert.match(created_at, TIMESTAMP);
      const times = {
        old_secret_expires_at: null,
        old_platform_secret_expires_at: null,
        updated_at: created_at,
      };
      assert.deepEqual(rest, { kind, name: `A ${kind}`, address, adapter: 'native', agent: null, ...times });
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/, '32 bytes, as Standard Webhooks writes them');
      assert.equal(reply.headers.get('location'), `/v1/channels/${id}`);
      assert.deepEqual(await owner.request('GET', `/channels/${id}`), channel);
      made.unshift(channel);
    }
    assert.deepEqual((await owner.request('GET', '/channels')).slice(0, 4), made);
  });

  test('A phone channel requires an E.164 address, and other kinds accept any text', async () => {
    const bad = [
      'shop.example',
      '(415) 555-0100',
      '4155550100',
      '+1 415 555 0100',
      '+999123456',
      '+1',
      'whatsapp:+14155550100',
    ];
    await assertTablesUnchanged(service, TABLES, async () => {
      for (const kind of ['phone', 'sms', 'whatsapp']) {
        for (const address of bad) {
          assertInvalid(await owner.call('POST', '/channels', { kind, name: 'X', address }), 'address');
        }
      }
    });
    const chat = await makeChannel(owner, { kind: 'web_chat', address: '(415) 555-0100' });
    assert.equal(chat.address, '(415) 555-0100');
    const phone = await makeChannel(owner);
    const call = () => owner.call('PATCH', `/channels/${phone.id}`, { address: 'shop.example' });
    assertInvalid(await assertTablesUnchanged(service, TABLES, call), 'address');
    assert.equal((await owner.request('PATCH', `/channels/${chat.id}`, { address: 'new' })).address, 'new');
  });

  test('A channel with missing, invalid or unknown fields is rejected', async () => {
    const good = { kind: 'web_chat', name: 'Name', address: 'a' };
    const bad: [Json, ...string[]][] = [
      [{}, 'kind', 'name', 'address'],
      [{ ...good, kind: 'fax' }, 'kind'],
      [{ ...good, kind: null }, 'kind'],
      [{ ...good, name: '' }, 'name'],
      [{ ...good, name: 'n'.repeat(101) }, 'name'],
      [{ ...good, name: null }, 'name'],
      [{ ...good, address: '' }, 'address'],
      [{ ...good, address: 'a'.repeat(201) }, 'address'],
      [{ ...good, address: 'a\0' }, 'address'],
      [{ ...good, platform_secret: 'short' }, 'platform_secret'],
      [{ ...good, secret: 'whsec_mine' }, 'secret'],
      [{ ...good, agent_id: 'x' }, 'agent_id'],
    ];
    for (const [body, ...fields] of bad) {
      assertInvalid(
        await assertTablesUnchanged(service, TABLES, () => owner.call('POST', '/channels', body)),
        ...fields,
      );
    }
    const { id } = await makeChannel(owner);
    for (const [body, ...fields] of [
      [{ name: '' }, 'name'],
      [{ secret: 'x' }, 'secret'],
      [{ address: null }, 'address'],
    ] as [Json, string][]) {
      assertInvalid(
        await assertTablesUnchanged(service, TABLES, () => owner.call('PATCH', `/channels/${id}`, body)),
        ...fields,
      );
    }
  });

  test('A channel update keeps the kind, the agent and the secret', async () => {
    const { agent, channel } = await makeChannelWithAgent(service, owner);
    const before = await owner.request('GET', `/channels/${channel.id}`);
    const address = newPhone();
    const sent = { ...before, kind: 'sms', agent: null, name: 'Renamed', address };
    const after = await owner.request('PATCH', `/channels/${channel.id}`, sent);
    assert.ok(after.updated_at > before.updated_at);
    assert.deepEqual(after, { ...before, name: 'Renamed', address, updated_at: after.updated_at });
    assert.equal(after.agent.id, agent);
    assert.equal((await getAgentFromHook(service, channel)).status, 200, 'the secret is the same');
  });

  test('A channel has at most one agent, and an agent any number of channels', async () => {
    const one = await makeAgent(service, { name: 'One' });
    const two = await makeAgent(service, { name: 'Two' });
    const [a, b] = [await makeChannel(owner), await makeChannel(owner)];
    const connect = (channel: Json, agent: Json) =>
      owner.request('PUT', `/channels/${channel.id}/agent`, { agent_id: agent.id });
    assert.deepEqual((await connect(a, one)).agent, { id: one.id, name: 'One' });
    assert.deepEqual((await connect(b, one)).agent, { id: one.id, name: 'One' });
    assert.deepEqual((await connect(a, two)).agent, { id: two.id, name: 'Two' }, 'in place of the first');
    assert.deepEqual((await owner.request('GET', `/channels/${b.id}`)).agent, { id: one.id, name: 'One' });
    assert.equal((await owner.request('DELETE', `/channels/${a.id}/agent`)).agent, null);
    assert.equal((await owner.request('GET', `/channels/${a.id}`)).agent, null);
    assert.equal(
      (await owner.request('DELETE', `/channels/${a.id}/agent`)).agent,
      null,
      'once more is no error',
    );
    assert.deepEqual((await owner.request('GET', `/channels/${b.id}`)).agent, { id: one.id, name: 'One' });
    await service.patch(`/v1/agents/${one.id}`, { name: 'Renamed' });
    assert.equal((await owner.request('GET', `/channels/${b.id}`)).agent.name, 'Renamed');
  });

  test('Replacing the agent of a channel changes what the channel serves', async () => {
    const { channel } = await makeChannelWithAgent(service, owner, 'Old agent.');
    const { id, versions } = await makeAgentWithVersions(service, 'New agent.');
    await owner.request('PUT', `/channels/${channel.id}/agent`, { agent_id: id });
    assert.equal((await getAgentFromHook(service, channel)).status, 404, 'the new one is not deployed');
    await deploy(owner, id, versions[0] as string);
    assert.equal((await getAgentFromHook(service, channel)).body.data.instructions, 'New agent.');
    await owner.request('DELETE', `/channels/${channel.id}/agent`);
    assert.equal((await getAgentFromHook(service, channel)).status, 404);
  });

  test('A deleted channel is not found, and neither is its webhook', async () => {
    const { channel } = await makeChannelWithAgent(service, owner);
    assert.equal((await getAgentFromHook(service, channel)).status, 200);
    assert.deepEqual(await owner.request('DELETE', `/channels/${channel.id}`), { deleted: true });
    assertError(await owner.call('GET', `/channels/${channel.id}`), 404, 'NOT_FOUND');
    assertError(await owner.call('DELETE', `/channels/${channel.id}`), 404, 'NOT_FOUND');
    assertError(await getAgentFromHook(service, channel), 401, 'UNAUTHORIZED');
    const listed = await owner.request('GET', '/channels');
    assert.ok(!listed.some(({ id }: Json) => id === channel.id));
  });
});
