import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { makeDeployedAgent, makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import type { TestChannel } from '../kit/webhooks/channel-hooks.ts';

const NONE = { api: 0, import: 0, manual: 0, inbound: 0, webhook: 0 };
const dayAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

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
    assert.deepEqual(rest, {
      contacts: 0,
      calls: 0,
      agents: 0,
      active_agents: 0,
      channels: 0,
      connected_channels: 0,
      campaigns: 0,
      active_campaigns: 0,
      recent_deploys: [],
      recent_imports: [],
    });
    assert.deepEqual(
      days,
      Array.from({ length: 30 }, (_, at) => ({
        day: dayAgo(29 - at).slice(0, 10),
        contacts: NONE,
        calls: 0,
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

  test('The last ten deploys are shown newest first with version, user, time and note', async () => {
    const who = await owner.request('GET', '/session');
    for (let at = 0; at < 12; at++) {
      await owner.request('PATCH', `/agents/${agent.id}`, { instructions: `Words ${at}.` });
      const [version] = (await owner.request('GET', `/agents/${agent.id}`)).versions;
      await owner.request(
        'POST',
        `/agents/${agent.id}/versions/${version.id}/deploy`,
        at % 2 ? { note: `${at}` } : {},
      );
    }
    const { recent_deploys } = await figures();
    const deploys = await owner.request('GET', `/agents/${agent.id}/deploys`);
    assert.deepEqual(
      recent_deploys,
      deploys.slice(0, 10).map((deploy: Json) => ({
        agent_id: agent.id,
        agent_name: 'One',
        agent_deleted: false,
        version_id: deploy.version_id,
        version_label: deploy.version_label,
        previous_version_label: deploy.previous_version_label,
        deployed_at: deploy.deployed_at,
        deployed_by: who.id,
        deployed_by_email: who.email,
        note: deploy.note,
      })),
    );
    assert.deepEqual(
      recent_deploys.map((deploy: Json) => [deploy.version_label, deploy.note]),
      Array.from({ length: 10 }, (_, at) => [`v${13 - at}`, at % 2 ? null : `${11 - at}`]),
    );
  });
});
