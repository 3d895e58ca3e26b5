import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertTablesUnchanged } from '../kit/fixtures/agents.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { assertError } from '../kit/http/assertions.ts';
import * as jambonz from '../kit/platforms/jambonz.ts';
import {
  assertMembers,
  notDegraded,
  openPlatformLines,
  type PlatformLines,
  PLATFORM_TABLES as TABLES,
} from '../kit/platforms/lines.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { startSession, type TestChannel } from '../kit/webhooks/channel-hooks.ts';

const AGENT = {
  stt: { vendor: 'deepgram', language: 'en-US' },
  tts: { vendor: 'cartesia', voice: 'sonic-english' },
  llm: { vendor: 'openai', model: 'gpt-4o', llmOptions: { temperature: 0.3 } },
};

onEveryEngine('jambonz on a channel', (service) => {
  let lines: PlatformLines;
  let calls = 0;
  const newCall = () => `jambonz-call-${++calls}`;

  before(async () => {
    lines = await openPlatformLines(service);
  });

  const makeLine = (config: Json = AGENT) => lines.makeLine('jambonz', config, jambonz.WEBHOOK_SECRET);
  const started = async (channel: TestChannel, message: object): Promise<Json> => {
    const { body } = await notDegraded(() => jambonz.sendJambonz(service, channel, message));
    assert.equal(body.length, 1);
    return body[0];
  };
  const report = async (channel: TestChannel, message: object, options = {}) => {
    const { status, text } = await jambonz.sendJambonz(service, channel, message, options);
    assert.deepEqual([status, text], [200, '{}']);
  };

  test('jambonz gets an agent with the instructions for the caller, and its hooks complete the call with the version of the start', async () => {
    const { agent, channel } = await makeLine();
    const contact = await lines.ada();
    const number = contact.phone_number;
    const id = newCall();
    const { actionHook, eventHook, ...verb } = await started(channel, jambonz.newCall(id, number));
    const llmOptions = { systemPrompt: 'Hi Ada, gold.', temperature: 0.3 };
    assert.deepEqual(verb, { verb: 'agent', ...AGENT, llm: { ...AGENT.llm, llmOptions } });
    assert.equal(actionHook, eventHook);
    const same = (await startSession(service, channel, { provider_id: id, direction: 'inbound', number }))
      .body.data;

    await lines.deployOther(agent);
    const now = Math.floor(Date.now() / 1_000) * 1_000;
    const [rang, greeted, replied, ended] = [now - 70_000, now - 40_000, now - 20_000, now - 5_000];
    await report(channel, jambonz.callStatus(id, number, 'trying', { sip_status: 100 }), { at: rang });
    assert.equal((await lines.callOf(contact.id)).status, 'ringing');
    await report(channel, jambonz.callStatus(id, number, 'in-progress'));
    assert.equal((await lines.callOf(contact.id)).status, 'in_progress');
    await report(channel, jambonz.turnEnd('', 'Good morning.'), { hook: eventHook, at: greeted });
    const turn = jambonz.turnEnd('Thursday, please.', 'Booked.');
    await report(channel, turn, { hook: eventHook, at: replied });
    await report(channel, jambonz.agentEnd(id, number), { hook: actionHook });
    const found = { disposition: 'booked', goals: { visit_booked: true }, budget: 1200 };
    const end = { duration: 65, call_termination_by: 'caller', customerData: found };
    await report(channel, jambonz.callStatus(id, number, 'completed', end), { at: ended });
    const call = await lines.callOf(contact.id);
    assertMembers(call, {
      provider_id: id,
      session_id: same.session_id,
      version_id: same.version.id,
      direction: 'inbound',
      number,
      status: 'completed',
      started_at: new Date(rang).toISOString(),
      ended_at: new Date(ended).toISOString(),
      seconds: 65,
      ended_by: 'caller',
      disposition: 'booked',
      goals: { visit_booked: true },
      data: found,
    });
    const at = (ms: number) => new Date(ms).toISOString();
    assert.deepEqual(await lines.turnsOf(call.id), [
      { speaker: 'agent', text: 'Good morning.', at: at(greeted) },
      { speaker: 'caller', text: 'Thursday, please.', at: at(replied) },
      { speaker: 'agent', text: 'Booked.', at: at(replied) },
    ]);
    await assertTablesUnchanged(service, TABLES, async () => {
      await report(channel, turn, { hook: eventHook, at: replied });
      await report(channel, jambonz.callStatus(id, number, 'completed', end), { at: ended });
      await report(channel, { type: 'user_interruption' }, { hook: eventHook });
    });
  });

  test('Turns that arrive at the same time are all kept', async () => {
    const { channel } = await makeLine();
    const contact = await lines.ada();
    const id = newCall();
    const { eventHook } = await started(channel, jambonz.newCall(id, contact.phone_number));
    const texts = Array.from({ length: 8 }, (_, turn) => `Turn ${turn}.`);
    const replies = await Promise.all(
      texts.map((text) =>
        jambonz.sendJambonz(service, channel, jambonz.turnEnd(text, ''), { hook: eventHook }),
      ),
    );
    assert.deepEqual(
      replies.map(({ status }) => status),
      texts.map(() => 200),
    );
    const call = await lines.callOf(contact.id);
    const said = (await lines.turnsOf(call.id)).map(({ text }) => text);
    assert.deepEqual(said.toSorted(), texts);
    const { body } = await lines.owner.call('GET', `/audit?subject=${call.id}`);
    const actions = body.data.map(({ action }: Json) => action);
    assert.deepEqual(actions, ['call.updated', 'call.recorded'], 'only the first turn is announced');
  });

  test('A call whose first report is a turn has the parties of its session', async () => {
    const { channel } = await makeLine();
    const { id: contact, phone_number } = await lines.ada();
    const { eventHook } = await started(channel, jambonz.newCall(newCall(), phone_number, 'outbound'));
    await report(channel, jambonz.turnEnd('Hello?', 'Good morning.'), { hook: eventHook });
    assertMembers(await lines.callOf(contact), { direction: 'outbound', number: phone_number });
  });

  test('Another verb gets the values where its config asks for them', async () => {
    const { channel } = await makeLine({
      verb: 'llm',
      vendor: 'openai',
      eventHook: '/own-events',
      llmOptions: {
        response_create: { instructions: 'Be brief. {{instructions}}' },
        tools: [{ name: 'book', description: 'For {{ first_name }}, {{unknown}}.' }],
      },
    });
    const { phone_number } = await lines.ada();
    const outbound = jambonz.newCall(newCall(), phone_number, 'outbound');
    const { actionHook, ...verb } = await started(channel, outbound);
    assert.match(actionHook, /^\/hooks\/channels\/channel_/);
    assert.deepEqual(verb, {
      verb: 'llm',
      vendor: 'openai',
      eventHook: '/own-events',
      llmOptions: {
        response_create: { instructions: 'Be brief. Hi Ada, gold.' },
        tools: [{ name: 'book', description: 'For Ada, {{unknown}}.' }],
      },
    });
  });

  test('A config that asks for too many values is 409', async () => {
    const repeated = (times: number) => makeLine({ ...AGENT, greeting: '{{instructions}}'.repeat(times) });
    const { agent, channel } = await repeated(1_000);
    await service.patch(`/v1/agents/${agent}`, { instructions: 'x'.repeat(1_049) });
    await lines.deployNewest(agent);
    const reply = await jambonz.sendJambonz(service, channel, jambonz.newCall(newCall(), newPhone()));
    assertError(reply, 409, 'CONFLICT');
    assert.match(reply.body.error.message, /fewer times/);
    const { channel: other } = await repeated(900);
    assert.match(
      (await started(other, jambonz.newCall(newCall(), newPhone()))).greeting,
      /^(Hi there, \.)+$/,
    );
  });

  test('A call that the agent dials is not a call of its own', async () => {
    const { channel } = await makeLine();
    const { phone_number } = await lines.ada();
    const id = newCall();
    await started(channel, jambonz.newCall(id, phone_number));
    const leg = jambonz.callStatus(`${id}-b`, newPhone(), 'in-progress', {
      direction: 'outbound',
      parent_call_sid: id,
    });
    await assertTablesUnchanged(service, TABLES, () => report(channel, leg));
  });

  test('Unanswered and failed calls of jambonz have their statuses', async () => {
    const { channel } = await makeLine();
    const rows = [
      ['busy', 'busy'],
      ['no-answer', 'no_answer'],
      ['failed', 'failed'],
      ['early-media', 'ringing'],
    ] as const;
    for (const [word, status] of rows) {
      const contact = await lines.ada();
      await report(channel, jambonz.callStatus(newCall(), contact.phone_number, word));
      assertMembers(await lines.callOf(contact.id), { status, seconds: null });
    }
  });

  test('A request that jambonz has not signed, or signed long ago, is 401 and changes nothing', async () => {
    const { channel } = await makeLine();
    const { channel: retell } = await lines.makeLine('retell', {}, jambonz.WEBHOOK_SECRET);
    const message = jambonz.callStatus(newCall(), newPhone(), 'completed', { duration: 5 });
    const path = `/hooks/channels/${channel.id}/platform`;
    const raw = JSON.stringify(message);
    const withSignature = (signature: string) =>
      service.call('POST', path, undefined, {
        raw,
        headers: { authorization: null, 'jambonz-signature': signature },
      });
    const valid = jambonz.jambonzSignature(jambonz.WEBHOOK_SECRET, raw);
    await assertTablesUnchanged(service, TABLES, async () => {
      const replies = [
        await jambonz.sendJambonz(service, channel, message, { secret: channel.secret }),
        await jambonz.sendJambonz(service, channel, message, { at: Date.now() - 310_000 }),
        await jambonz.sendJambonz(service, channel, message, { at: Date.now() + 310_000 }),
        await jambonz.sendJambonz(service, retell, message),
        await jambonz.sendJambonz(service, { id: 'channel_01h455vb4pex5vsknk084sn02q' }, message),
        await withSignature(valid.replace(/t=\d/, 't=9')),
        await withSignature(valid.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))),
        await withSignature('t=1'),
      ];
      for (const reply of replies) assertError(reply, 401, 'UNAUTHORIZED');
    });
    assert.equal((await withSignature(valid)).status, 200);
  });
});
