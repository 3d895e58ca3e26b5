import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CallEvent, Channel, type Session, type SessionInput } from '../../sdk/src/runtime.ts';
import { deploy, makeAgentWithVersions, makeChannel, signedInOwner } from '../kit/fixtures/agents.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { type Json, onEveryEngine, startTestService } from '../kit/service/test-service.ts';

/** On a busy machine, the service may not wait for the database. */
const startedIn = async (channel: Channel, input: SessionInput): Promise<Session> => {
  const session = await channel.session(input);
  return session.degraded ? startedIn(channel, input) : session;
};

onEveryEngine('The runtime side of the SDK', (service) => {
  const start = async () => {
    const owner = await signedInOwner(service);
    const { id: agent, versions } = await makeAgentWithVersions(
      service,
      'Greet {{first_name|the caller}}.',
      'Two.',
    );
    await deploy(owner, agent, versions[0] as string);
    const { id, secret } = await makeChannel(owner);
    await owner.request('PUT', `/channels/${id}/agent`, { agent_id: agent });
    const dropped: unknown[] = [];
    const options = { baseUrl: service.url, id, secret, fallback: 'Take a message.' };
    const channel = new Channel({
      ...options,
      onDrop: ({ provider_id }, reason) => dropped.push([provider_id, reason]),
    });
    return { owner, agent, versions, channel, dropped, id };
  };
  const eventOf = (provider_id: string, number: string, fields: Partial<CallEvent> = {}): CallEvent => ({
    type: 'call',
    provider_id,
    direction: 'inbound',
    number,
    ...fields,
  });

  test('A conversation has its contact, its version and its result', async () => {
    const { owner, agent, versions, channel, dropped } = await start();
    const number = newPhone();
    await owner.request('POST', '/contacts', { phone_number: number, first_name: 'Ada' }, 201);
    const input = { provider_id: 'one', direction: 'inbound', number } as const;
    const session = await startedIn(channel, input);
    assert.deepEqual(
      [session.contact?.first_name, session.instructions, session.version.id, session.degraded],
      ['Ada', 'Greet Ada.', versions[0], false],
    );
    await deploy(owner, agent, versions[1] as string);
    assert.equal((await startedIn(channel, input)).session_id, session.session_id);
    const { session_id } = session;
    void channel.report(eventOf('one', number, { session_id, instructions_sha256: session.sha256 }));
    const call = await channel.report(
      eventOf('one', number, { session_id, status: 'completed', seconds: 9, goals: { booked: true } }),
    );
    assert.equal(call?.effect, 'updated');
    const recorded = await owner.request('GET', `/calls/${call?.id}?include=instructions`);
    assert.deepEqual(
      [recorded.version_id, recorded.goals, recorded.session_id, recorded.instructions.text],
      [versions[0], { booked: true }, session_id, 'Greet Ada.'],
    );
    assert.equal(await channel.report(eventOf('one', number, { disposition: 'Not a key' })), undefined);
    assert.deepEqual(
      dropped.map((each) => [(each as Json)[0], (each as Json)[1].code]),
      [['one', 'VALIDATION_ERROR']],
    );
    await channel.close();
  });

  test('The live agent follows deploys, and ends with its channel', async () => {
    const { owner, agent, versions, channel, id } = await start();
    const number = newPhone();
    await owner.request('POST', '/contacts', { phone_number: number, first_name: 'Ada' }, 201);
    assert.deepEqual(
      [await channel.agent(), await channel.agent({ number })].map((each) => [each.source, each.rendered]),
      [
        ['service', 'Greet the caller.'],
        ['service', 'Greet Ada.'],
      ],
    );
    await deploy(owner, agent, versions[1] as string);
    assert.equal((await channel.agent({ number })).rendered, 'Two.');
    const latest = async () => {
      const { source, rendered } = await channel.agent();
      return `${source} ${rendered}`;
    };
    while ((await latest()) !== 'cache Two.') await new Promise((resolve) => setTimeout(resolve, 10));
    await owner.request('DELETE', `/channels/${id}/agent`);
    await assert.rejects(channel.agent({ number }), { code: 'NOT_FOUND' });
  });

  test('Reports of an outage arrive once, with their times, when the service is back', async () => {
    const { owner, channel, dropped, id } = await start();
    const { port } = new URL(service.url);
    const number = newPhone();
    assert.equal((await channel.report(eventOf('before', number)))?.effect, 'recorded');
    await service.stop();
    const began = Date.now();
    for (let at = 0; at < 20; at++) {
      void channel.report(eventOf(`call ${at}`, number, { status: 'ringing' }));
      void channel.report(eventOf(`call ${at}`, number, { status: 'completed' }));
    }
    const endedAt = new Date(began - 60_000).toISOString();
    for (const type of ['call', 'message'] as const)
      void channel.report(eventOf(`ended ${type}`, number, { type, ended_at: endedAt }));
    const ended = Date.now();
    await assert.rejects(channel.session({ provider_id: 'new', direction: 'inbound' }, { maxRetries: 0 }));
    assert.equal((await channel.agent({ number, maxRetries: 0 })).source, 'fallback');
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    assert.equal(channel.pending, 42);
    Object.assign(service, await startTestService(service.database, { port: Number(port) }));
    await channel.flush();
    assert.deepEqual(dropped, []);
    const calls: Json[] = await owner.request('GET', `/calls?channel_id=${id}&limit=100`);
    assert.equal(calls.length, 23);
    for (const { provider_id, status, started_at, ended_at } of calls) {
      if (provider_id === 'before') continue;
      if (provider_id.startsWith('ended')) {
        assert.deepEqual([started_at, ended_at], [endedAt, endedAt]);
        continue;
      }
      assert.equal(status, 'completed', provider_id);
      for (const time of [started_at, ended_at])
        assert.ok(Date.parse(time) >= began && Date.parse(time) <= ended, `${provider_id}: ${time}`);
    }
  });
});
