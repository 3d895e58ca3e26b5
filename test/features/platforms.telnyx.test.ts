import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertTablesUnchanged, makeChannel } from '../kit/fixtures/agents.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import {
  assertMembers,
  notDegraded,
  openPlatformLines,
  type PlatformLines,
  PLATFORM_TABLES as TABLES,
} from '../kit/platforms/lines.ts';
import * as telnyx from '../kit/platforms/telnyx.ts';
import { sendVapi } from '../kit/platforms/vapi.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { startSession, type TestChannel } from '../kit/webhooks/channel-hooks.ts';

onEveryEngine('Telnyx on a channel', (service) => {
  const { publicKey, privateKey } = telnyx.newKeys();
  let lines: PlatformLines;
  let calls = 0;
  const newCall = () => `v3:telnyx-call-${++calls}`;

  before(async () => {
    lines = await openPlatformLines(service);
  });

  const makeLine = (config: Json = {}, secret: string | null = publicKey) =>
    lines.makeLine('telnyx', config, secret);
  const report = async (channel: TestChannel, message: object) => {
    const { status, text } = await telnyx.sendTelnyx(service, channel, privateKey, message);
    assert.deepEqual([status, text], [200, '{}']);
  };
  const answered = async (channel: TestChannel, message: object): Promise<Json> =>
    (await notDegraded(() => telnyx.sendTelnyx(service, channel, privateKey, message))).body;

  test('Telnyx gets dynamic variables for the caller, and its events complete the call with the version of the start', async () => {
    const memory = { conversation_query: 'metadata->team=eq.north&limit=5' };
    const { agent, channel } = await makeLine({
      dynamic_variables: { office: 'Seattle' },
      memory,
      conversation: { metadata: { team: 'north' } },
      model: 'unused',
    });
    const contact = await lines.ada();
    const id = newCall();
    const number = contact.phone_number;
    const answer = await answered(channel, telnyx.initialization(id, number));
    const { dynamic_variables, ...rest } = answer;
    const roster_session_id = rest.conversation.metadata.roster_session_id;
    assert.match(roster_session_id, /^session_/);
    assert.deepEqual(rest, { memory, conversation: { metadata: { team: 'north', roster_session_id } } });
    const { first_name, plan, office, instructions } = dynamic_variables;
    assert.deepEqual(
      { first_name, plan, office, instructions },
      { first_name: 'Ada', plan: 'gold', office: 'Seattle', instructions: 'Hi Ada, gold.' },
    );
    for (const value of Object.values(dynamic_variables)) assert.equal(typeof value, 'string');
    const same = (await startSession(service, channel, { provider_id: id, direction: 'inbound', number }))
      .body;
    assert.equal(same.data.session_id, roster_session_id, 'the session has the id of the call');

    await lines.deployOther(agent);
    await report(channel, telnyx.initiated(id, number));
    assert.equal((await lines.callOf(contact.id)).status, 'ringing');
    await report(channel, telnyx.answeredCall(id, number));
    assert.equal((await lines.callOf(contact.id)).status, 'in_progress');
    await report(channel, telnyx.messageHistory(id, number));
    await report(channel, telnyx.conversationEnded(id, number));
    await report(channel, telnyx.hangup(id, number));
    const found = { disposition: 'booked', goals: { visit_booked: true } };
    await report(channel, telnyx.insights(id, found, 'Wants a visit on Thursday.', { budget: 1200 }));
    const call = await lines.callOf(contact.id);
    const result = {
      provider_id: id,
      session_id: roster_session_id,
      version_id: same.data.version.id,
      direction: 'inbound',
      number,
      status: 'completed',
      started_at: '2026-01-05T10:00:00.000Z',
      ended_at: '2026-01-05T10:01:05.817Z',
      seconds: 65,
      ...found,
      data: { ...found, budget: 1200 },
      summary: 'Wants a visit on Thursday.',
    };
    assertMembers(call, result);
    assert.deepEqual(
      (await lines.turnsOf(call.id)).map(({ speaker, text }: Json) => [speaker, text]),
      [
        ['agent', 'Good morning.'],
        ['caller', 'Thursday, please.'],
      ],
    );
    for (const message of [telnyx.conversationEnded(id, number), telnyx.playbackStarted(id), {}])
      await assertTablesUnchanged(service, TABLES, () => report(channel, message));
  });

  test('Unanswered, failed and outgoing calls of Telnyx have their statuses', async () => {
    const { channel } = await makeLine();
    const rows = [
      ['user_busy', 'busy'],
      ['call_rejected', 'busy'],
      ['no_answer', 'no_answer'],
      ['timeout', 'no_answer'],
      ['originator_cancel', 'canceled'],
      ['not_found', 'failed'],
      ['time_limit', 'completed'],
    ] as const;
    for (const [cause, status] of rows) {
      const contact = await lines.ada();
      const id = newCall();
      await report(channel, telnyx.initiated(id, contact.phone_number, 'outgoing'));
      await report(channel, telnyx.hangup(id, contact.phone_number, cause));
      const call = await lines.callOf(contact.id);
      assert.deepEqual(
        [call.status, call.direction, call.number, call.ended_at],
        [status, 'outbound', contact.phone_number, '2026-01-05T10:01:06.000Z'],
        cause,
      );
    }
  });

  test('Status callbacks of a TeXML application complete the call of a session', async () => {
    const { agent, channel } = await makeLine();
    const contact = await lines.ada();
    const number = contact.phone_number;
    const id = newCall();
    const { conversation } = await answered(channel, telnyx.initialization(id, number));
    await lines.deployOther(agent);
    const send = (changes: Record<string, string>) =>
      report(channel, telnyx.statusCallback(id, number, changes));
    for (const [CallStatus = '', status] of [
      ['initiated', 'queued'],
      ['ringing', 'ringing'],
      ['in-progress', 'in_progress'],
    ]) {
      await send({ CallStatus });
      assert.equal((await lines.callOf(contact.id)).status, status);
    }
    await send(telnyx.COMPLETED);
    const call = await lines.callOf(contact.id);
    const result = {
      provider_id: id,
      session_id: conversation.metadata.roster_session_id,
      version_label: 'v2',
      status: 'completed',
      started_at: '2026-01-05T10:00:00.028Z',
      ended_at: '2026-01-05T10:01:05.000Z',
      seconds: 65,
      recording_url: telnyx.COMPLETED.RecordingUrl,
    };
    assertMembers(call, result);
    for (const changes of [
      { ...telnyx.COMPLETED, CallStatus: 'analyzed' },
      { CallbackSource: 'call-cost-events', CallStatus: 'completed', CallDuration: '99' },
      telnyx.COMPLETED,
    ])
      await assertTablesUnchanged(service, TABLES, () => send(changes));
    for (const [CallStatus = '', status] of [
      ['busy', 'busy'],
      ['no-answer', 'no_answer'],
      ['canceled', 'canceled'],
      ['failed', 'failed'],
    ]) {
      const other = await lines.ada();
      await report(channel, telnyx.statusCallback(newCall(), other.phone_number, { CallStatus }));
      assert.equal((await lines.callOf(other.id)).status, status);
    }
  });

  test('A conversation without a call gets the instructions, and an event without a call is refused', async () => {
    const { channel } = await makeLine();
    const { phone_number } = await lines.ada();
    const { dynamic_variables } = await answered(channel, telnyx.initialization(undefined, phone_number));
    assert.equal(dynamic_variables.instructions, 'Hi Ada, gold.');
    const { data } = telnyx.hangup(newCall(), phone_number);
    const nameless = { data: { ...data, payload: { ...data.payload, call_control_id: null } } };
    assertInvalid(await telnyx.sendTelnyx(service, channel, privateKey, nameless), 'provider_id');
    const form = telnyx.statusCallback('', phone_number, telnyx.COMPLETED);
    assertInvalid(await telnyx.sendTelnyx(service, channel, privateKey, form), 'provider_id');
  });

  test('A request that Telnyx has not signed is 401 and changes nothing', async () => {
    const { channel } = await makeLine();
    const malformed = [
      'not a key of any kind',
      `${publicKey}=`,
      publicKey.slice(0, -1),
      Buffer.from(publicKey, 'base64').toString('hex'),
    ];
    const broken = await Promise.all(malformed.map(async (key) => (await makeLine({}, key)).channel));
    const keyless = (await makeLine({}, null)).channel;
    const vapi = (await makeChannel(lines.owner, {
      adapter: 'vapi',
      platform_secret: publicKey,
    })) as TestChannel & Json;
    const message = telnyx.hangup(newCall(), newPhone());
    const raw = JSON.stringify(message);
    const at = (time: number) => telnyx.telnyxSignature(privateKey, raw, time);
    const now = at(Date.now());
    const send = (to: { id: string }, headers = {}, body: object = message, key = privateKey) =>
      telnyx.sendTelnyx(service, to, key, body, headers);
    await assertTablesUnchanged(service, TABLES, async () => {
      const replies = [
        await send(channel, now, telnyx.hangup(newCall(), newPhone())),
        await send(channel, {}, message, telnyx.newKeys().privateKey),
        await send(channel, now, telnyx.statusCallback(newCall(), newPhone(), telnyx.COMPLETED)),
        await send(channel, at(Date.now() - 310_000)),
        await send(channel, at(Date.now() + 310_000)),
        await send(channel, { 'telnyx-timestamp': String(Number(now['telnyx-timestamp']) - 1) }),
        await send(channel, { 'telnyx-timestamp': 'now' }),
        await send(channel, { 'telnyx-signature-ed25519': 'AAAA' }),
        await send(channel, { 'telnyx-signature-ed25519': '' }),
        ...(await Promise.all([...broken, keyless, vapi].map((each) => send(each)))),
        await send({ id: 'channel_01h455vb4pex5vsknk084sn02q' }),
      ];
      for (const reply of replies) {
        assertError(reply, 401, 'UNAUTHORIZED');
        assert.equal(reply.body.error.message, replies[0]?.body.error.message);
      }
      const other = { type: 'speech-update', status: 'started', role: 'user' } as const;
      assertError(await sendVapi(service, channel, other), 401, 'UNAUTHORIZED');
    });
    await report(channel, message);
  });
});
