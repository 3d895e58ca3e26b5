import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { startConversation } from '../kit/examples/livekit-console.ts';
import { deploy, makeChannel, signedInOwner } from '../kit/fixtures/agents.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { type Json, onSqlite } from '../kit/service/test-service.ts';

onSqlite('The example of a LiveKit worker', (service) => {
  const number = newPhone();
  let owner: CheckedUser;
  let agent: string;
  let environment: Record<string, string>;

  const newVersion = async (llm: unknown, instructions: string): Promise<string> => {
    const config = { llm, goals: ['booked'], dispositions: ['booked', 'no_interest'] };
    const path = `/agents/${agent}/versions`;
    const { id } = await owner.request('POST', path, { instructions, config }, 201);
    await deploy(owner, agent, id);
    return id;
  };

  before(async () => {
    owner = await signedInOwner(service);
    await owner.request('PUT', '/call-settings', {
      dispositions: [
        { key: 'booked', label: 'Booked' },
        { key: 'no_interest', label: 'No interest' },
      ],
      field_rules: [],
      transcript_days: null,
    });
    await owner.request(
      'POST',
      '/contacts',
      { phone_number: number, first_name: 'Ada', company: 'Engines' },
      201,
    );
    ({ id: agent } = await owner.request('POST', '/agents', { name: 'Reception', instructions: '' }, 201));
    const channel = await makeChannel(owner);
    await owner.request('PUT', `/channels/${channel.id}/agent`, { agent_id: agent });
    environment = {
      ROSTER_URL: service.url,
      CHANNEL: channel.id,
      CHANNEL_SECRET: channel.secret,
      CALLER_NUMBER: number,
    };
  });

  const lastCall = async (): Promise<Json> => (await owner.request('GET', '/calls?limit=1'))[0];

  test('It speaks as the version that was deployed when the call began, with the values of the caller, and reports goals', async () => {
    const first = await newVersion('first', 'Greet {{first_name|the caller}} of {{company}}.');
    const conversation = await startConversation(environment);
    assert.deepEqual(await conversation.say('Hello?'), ['first was told: Greet Ada of Engines.']);
    const second = await newVersion('second', 'Say goodbye to {{first_name|the caller}}.');
    assert.deepEqual(await conversation.say('And now?'), ['first was told: Greet Ada of Engines.']);
    await conversation.say('use record_goal {"goal":"booked","reached":true}');
    await conversation.say('use end_call {"summary":"Ada booked a slot.","disposition":"booked"}');
    await conversation.ended();

    const call = await lastCall();
    assert.equal(typeof call.seconds, 'number');
    const { status, number: caller, version_id, goals, disposition, summary, ended_by } = call;
    assert.deepEqual(
      { status, caller, version_id, goals, disposition, summary, ended_by },
      {
        status: 'completed',
        caller: number,
        version_id: first,
        goals: { booked: true },
        disposition: 'booked',
        summary: 'Ada booked a slot.',
        ended_by: 'agent',
      },
    );
    assert.match(call.session_id, /^session_/);
    const outcomes = await owner.request('GET', `/outcomes?version_id=${first}`);
    assert.deepEqual(
      [outcomes.goals, outcomes.dispositions],
      [{ booked: { reached: 1, missed: 0 } }, { booked: 1 }],
    );

    const next = await startConversation(environment);
    assert.deepEqual(await next.say('Hello?'), ['second was told: Say goodbye to Ada.']);
    next.hangUp();
    await next.ended();
    const other = await lastCall();
    assert.deepEqual(
      [other.status, other.version_id, other.ended_by, other.goals],
      ['completed', second, 'caller', {}],
    );

    await owner.request('POST', `/agents/${agent}/rollback`, {});
    const last = await startConversation(environment);
    assert.deepEqual(await last.say('Hello?'), ['first was told: Greet Ada of Engines.']);
    last.hangUp();
    await last.ended();
  });

  test('Without the service it speaks the fallback, and says which reports were lost', async () => {
    const conversation = await startConversation({ ...environment, ROSTER_URL: 'http://127.0.0.1:9' });
    const [answer] = await conversation.say('Hello?');
    assert.match(answer ?? '', /was told: Apologize: the system is not available\./);
    conversation.hangUp();
    const output = await conversation.ended();
    assert.match(output, /Not reported: \{"type":"call",/);
  });

  test('Without a session it speaks as the live version with its config, and a long summary is cut', async (test) => {
    await newVersion('third', 'Greet {{first_name|the caller}}.');
    const proxy = createServer(async (request, response) => {
      const isSession = request.url?.endsWith('/sessions');
      const { method = '', headers } = request;
      const body = await text(request);
      const answer = isSession
        ? Response.json({}, { status: 503 })
        : await fetch(`${service.url}${request.url}`, {
            method,
            headers: Object.entries(headers).filter(([name]) => !/^(?:host|connection)$/.test(name)) as [
              string,
              string,
            ][],
            ...(body && { body }),
          });
      const type = answer.headers.get('content-type') ?? 'application/json';
      response.writeHead(answer.status, { 'content-type': type }).end(await answer.text());
    }).listen(0, '127.0.0.1');
    test.after(() => void proxy.close());
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const conversation = await startConversation({
      ...environment,
      ROSTER_URL: `http://127.0.0.1:${port}`,
    });
    assert.deepEqual(await conversation.say('Hello?'), ['third was told: Greet the caller.']);
    await conversation.say(`use end_call {"summary":"${'😀'.repeat(2_500)}","disposition":"booked"}`);
    await conversation.ended();
    const { session_id, disposition, summary } = await lastCall();
    assert.deepEqual([session_id, disposition, summary], [null, 'booked', '😀'.repeat(2_000)]);
  });

  test('A config with values of another type is no reason to hang up: the defaults are used', async () => {
    await newVersion(5, 'Greet {{first_name|the caller}}.');
    const conversation = await startConversation(environment);
    assert.deepEqual(await conversation.say('Hello?'), ['openai/gpt-4.1-mini was told: Greet Ada.']);
    conversation.hangUp();
    assert.match(await conversation.ended(), /The config is wrong/);
  });

  test('The examples install the versions that are tested here', () => {
    const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
    const { dependencies } = read('examples/package.json');
    const { devDependencies } = read('package.json');
    for (const [name, version] of Object.entries(dependencies))
      assert.equal(version, devDependencies[name], name);
  });

  test('The examples have fewer than 120 lines', () => {
    for (const file of ['examples/livekit/agent.ts', 'examples/dialer/dialer.ts'])
      assert.ok(readFileSync(file, 'utf8').split('\n').length < 120, file);
  });
});
