import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { assertTablesUnchanged, makeChannel } from '../kit/fixtures/agents.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import {
  askElevenLabs,
  initiation,
  initiationFailure,
  reportElevenLabs,
  transcription,
  WEBHOOK_SECRET,
} from '../kit/platforms/elevenlabs.ts';
import {
  assertMembers,
  notDegraded,
  openPlatformLines,
  type PlatformLines,
  PLATFORM_TABLES as TABLES,
} from '../kit/platforms/lines.ts';
import {
  ANALYSIS,
  API_KEY,
  callEvent,
  ENDED,
  inbound,
  retellSignature,
  sendRetell,
} from '../kit/platforms/retell.ts';
import {
  assistantRequest,
  endOfCallReport,
  sendVapi,
  speechUpdate,
  statusUpdate,
} from '../kit/platforms/vapi.ts';
import { type Json, onEveryEngine, type Reply } from '../kit/service/test-service.ts';
import { startSession, type TestChannel } from '../kit/webhooks/channel-hooks.ts';
import { eventually } from '../kit/webhooks/deliveries.ts';

const PLATFORM_SECRETS: Record<string, string> = { retell: API_KEY, elevenlabs: WEBHOOK_SECRET };

onEveryEngine('Voice platforms on channels', (service) => {
  let lines: PlatformLines;
  let owner: CheckedUser;
  let calls = 0;
  const newCall = () => `platform-call-${++calls}`;

  before(async () => {
    lines = await openPlatformLines(service);
    ({ owner } = lines);
  });

  const makeLine = (adapter: string, config: Json) =>
    lines.makeLine(adapter, config, PLATFORM_SECRETS[adapter] ?? null);
  const answered = async (send: () => Promise<Reply>): Promise<Json> => (await notDegraded(send)).body;

  test('Vapi gets a transient assistant with the instructions for the caller, and its report completes the call', async () => {
    const config = {
      model: { provider: 'anthropic', model: 'claude-sonnet-4-20250514', temperature: 0.2 },
      firstMessage: 'Hello.',
      metadata: { team: 'north' },
    };
    const { agent, channel } = await makeLine('vapi', config);
    const contact = await lines.ada();
    const id = newCall();
    const request = assistantRequest(id, contact.phone_number);
    const answer = await answered(() => sendVapi(service, channel, request));
    const { metadata } = answer.assistant;
    const expected = {
      assistant: {
        model: {
          provider: 'anthropic',
          model: 'claude-sonnet-4-20250514',
          temperature: 0.2,
          messages: [{ role: 'system', content: 'Hi Ada, gold.' }],
        },
        firstMessage: 'Hello.',
        metadata: { team: 'north', roster_session_id: metadata.roster_session_id },
      },
    };
    assert.deepEqual(answer, expected);
    const session = { provider_id: id, direction: 'inbound', number: contact.phone_number };
    const same = (await startSession(service, channel, session)).body.data;
    assert.equal(metadata.roster_session_id, same.session_id);

    await lines.deployOther(agent);
    for (const status of ['ringing', 'in-progress'] as const) {
      const update = await sendVapi(service, channel, statusUpdate(id, contact.phone_number, { status }));
      assert.deepEqual([update.status, update.text], [200, '{}']);
    }
    assert.equal((await lines.callOf(contact.id)).status, 'in_progress');
    const report = endOfCallReport(id, contact.phone_number, { assistant: { metadata } });
    assert.equal((await sendVapi(service, channel, report)).status, 200);
    const call = await lines.callOf(contact.id);
    const { version_id, version_label, session_id, ...rest } = call;
    assert.deepEqual(
      [version_id, session_id],
      [same.version.id, same.session_id],
      'the version of the start',
    );
    assert.equal(version_label, same.version.version_label);
    const result = {
      provider_id: id,
      direction: 'inbound',
      status: 'completed',
      started_at: '2026-01-05T10:00:00.000Z',
      ended_at: '2026-01-05T10:01:05.000Z',
      seconds: 65,
      ended_by: 'caller',
      disposition: 'booked',
      goals: { visit_booked: true },
      data: { disposition: 'booked', goals: { visit_booked: true }, budget: 1200 },
      summary: 'Wants a visit on Thursday.',
      recording_url: 'https://recordings.example/1.wav',
      cost: { amount: 0.0625, currency: 'USD' },
    };
    assertMembers(rest, result);
    assert.deepEqual(await lines.turnsOf(call.id), [
      { speaker: 'agent', text: 'Good morning.', at: '2026-01-05T10:00:01.000Z' },
      { speaker: 'caller', text: 'Thursday, please.', at: '2026-01-05T10:00:03.000Z' },
    ]);
    await assertTablesUnchanged(service, TABLES, () => sendVapi(service, channel, report));
    const ignored = await assertTablesUnchanged(service, TABLES, () =>
      sendVapi(service, channel, speechUpdate(id, contact.phone_number)),
    );
    assert.deepEqual([ignored.status, ignored.text], [200, '{}']);
  });

  test('Vapi gets a stored assistant with variables if the config names one', async () => {
    const { channel } = await makeLine('vapi', {
      assistantId: 'a1',
      assistantOverrides: { firstMessage: 'Hi.', variableValues: { plan: 'none' } },
    });
    const contact = await lines.ada();
    const request = assistantRequest(newCall(), contact.phone_number);
    const { assistantId, assistantOverrides } = await answered(() => sendVapi(service, channel, request));
    const { variableValues, metadata, ...overrides } = assistantOverrides;
    assert.deepEqual([assistantId, overrides], ['a1', { firstMessage: 'Hi.' }]);
    assert.match(metadata.roster_session_id, /^session_/);
    const { first_name, phone_number, plan, instructions } = variableValues;
    assert.deepEqual(
      { first_name, phone_number, plan, instructions },
      {
        first_name: 'Ada',
        phone_number: contact.phone_number,
        plan: 'none',
        instructions: 'Hi Ada, gold.',
      },
    );
  });

  test('Unanswered, failed and outbound calls of Vapi have their statuses', async () => {
    const { channel } = await makeLine('vapi', {});
    const rows = [
      ['customer-did-not-answer', 'no_answer', 'system'],
      ['customer-busy', 'busy', 'system'],
      ['manually-canceled', 'canceled', 'system'],
      ['assistant-ended-call', 'completed', 'agent'],
      ['call.ringing.sip-inbound-caller-hungup-before-call-connect', 'canceled', 'caller'],
      ['pipeline-error-microsoft-voice-request-canceled', 'failed', 'system'],
      ['silence-timed-out', 'completed', 'system'],
      ['pipeline-error-openai-voice-failed', 'failed', 'system'],
    ] as const;
    for (const [endedReason, status, ended_by] of rows) {
      const contact = await lines.ada();
      const report = endOfCallReport(newCall(), contact.phone_number, { endedReason });
      if (report.call) report.call.type = 'outboundPhoneCall';
      assert.equal((await sendVapi(service, channel, report)).status, 200);
      const call = await lines.callOf(contact.id);
      assert.deepEqual([call.status, call.ended_by, call.direction], [status, ended_by, 'outbound']);
    }
  });

  test('Retell gets dynamic variables for the caller, and its events complete the call with the version of the start', async () => {
    const { agent, channel } = await makeLine('retell', {
      override_agent_id: 'agent_2',
      metadata: { team: 'north' },
    });
    const contact = await lines.ada();
    const start = inbound(contact.phone_number, 1_767_607_200_000);
    const { call_inbound } = await answered(() => sendRetell(service, channel, start));
    const { dynamic_variables, metadata, override_agent_id } = call_inbound;
    assert.equal(override_agent_id, 'agent_2');
    assert.deepEqual(Object.keys(call_inbound).length, 3);
    assert.match(metadata.roster_session_id, /^session_/);
    assert.equal(metadata.team, 'north');
    assert.equal(dynamic_variables.instructions, 'Hi Ada, gold.');
    assert.equal(dynamic_variables.first_name, 'Ada');
    for (const value of Object.values(dynamic_variables)) assert.equal(typeof value, 'string');
    const names = [
      'company',
      'display_name',
      'first_name',
      'instructions',
      'last_name',
      'phone_number',
      'plan',
    ];
    assert.deepEqual(Object.keys(dynamic_variables).sort(), [...names, 'roster_session_id']);
    const repeated = await answered(() => sendRetell(service, channel, start));
    assert.deepEqual(repeated, { call_inbound }, 'a repeated request is the same call');
    const later = await answered(() => sendRetell(service, channel, inbound(contact.phone_number)));
    assert.notEqual(later.call_inbound.metadata.roster_session_id, metadata.roster_session_id);

    await lines.deployOther(agent);
    const id = newCall();
    const of = { metadata };
    const send = async (message: object) =>
      assert.equal((await sendRetell(service, channel, message)).text, '{}');
    await send(callEvent('call_started', id, contact.phone_number, of));
    assert.equal((await lines.callOf(contact.id)).status, 'in_progress');
    await send(callEvent('call_ended', id, contact.phone_number, { ...of, ...ENDED }));
    await send(callEvent('transcript_updated', id, contact.phone_number, of));
    const analyzed = { ...of, ...ENDED, call_analysis: ANALYSIS };
    await send(callEvent('call_analyzed', id, contact.phone_number, analyzed));
    const call = await lines.callOf(contact.id);
    const result = {
      provider_id: id,
      session_id: metadata.roster_session_id,
      version_label: 'v2',
      status: 'completed',
      started_at: '2026-01-05T10:00:00.000Z',
      ended_at: '2026-01-05T10:01:05.000Z',
      seconds: 65,
      ended_by: 'caller',
      disposition: 'booked',
      goals: { visit_booked: true },
      summary: 'Wants a visit on Thursday.',
      recording_url: 'https://recordings.example/2.wav',
      cost: { amount: 0.0625, currency: 'USD' },
    };
    assertMembers(call, result);
    assert.deepEqual(await lines.turnsOf(call.id), [
      { speaker: 'agent', text: 'Good morning.', at: '2026-01-05T10:00:01.000Z' },
      { speaker: 'caller', text: 'Thursday, please.', at: '2026-01-05T10:00:03.000Z' },
    ]);
  });

  test('ElevenLabs gets dynamic variables for the caller, and its webhook completes the call with the version of the start', async () => {
    const override = { agent: { language: 'de' } };
    const { agent, channel } = await makeLine('elevenlabs', {
      conversation_config_override: override,
      dynamic_variables: { office: 'Seattle' },
    });
    const contact = await lines.ada();
    const id = newCall();
    const start = initiation(id, contact.phone_number);
    const answer = await answered(() => askElevenLabs(service, channel, start));
    const { dynamic_variables: variables, ...rest } = answer;
    assert.deepEqual(rest, {
      type: 'conversation_initiation_client_data',
      conversation_config_override: override,
    });
    const { first_name, plan, office, instructions, roster_session_id } = variables;
    assert.deepEqual([first_name, plan, office, instructions], ['Ada', 'gold', 'Seattle', 'Hi Ada, gold.']);
    assert.match(roster_session_id, /^session_/);
    await lines.deployOther(agent);
    const report = transcription(id, contact.phone_number, variables);
    assert.deepEqual((await reportElevenLabs(service, channel, report)).text, '{}');
    const call = await lines.callOf(contact.id);
    const result = {
      provider_id: id,
      session_id: roster_session_id,
      version_label: 'v2',
      direction: 'inbound',
      status: 'completed',
      started_at: '2026-01-05T10:00:00.000Z',
      ended_at: '2026-01-05T10:01:05.000Z',
      seconds: 65,
      ended_by: 'caller',
      disposition: 'booked',
      goals: { visit_booked: true, upsold: false },
      data: { disposition: 'booked', budget: 1200 },
      summary: 'Wants a visit on Thursday.',
      cost: { amount: 0.0625, currency: 'USD' },
    };
    assertMembers(call, result);
    assert.deepEqual(await lines.turnsOf(call.id), [
      { speaker: 'agent', text: 'Good morning.', at: '2026-01-05T10:00:01.000Z' },
      { speaker: 'caller', text: 'Thursday, please.', at: '2026-01-05T10:00:03.000Z' },
    ]);
    const reasons = { busy: 'busy', 'no-answer': 'no_answer', unknown: 'failed' };
    for (const [reason, status] of Object.entries(reasons)) {
      const called = await lines.ada();
      const failed = initiationFailure(newCall(), called.phone_number, reason);
      assert.equal((await reportElevenLabs(service, channel, failed)).status, 200);
      const { status: seen, direction } = await lines.callOf(called.id);
      assert.deepEqual([seen, direction], [status, 'outbound']);
    }
    await assertTablesUnchanged(service, TABLES, async () => {
      const audio = { type: 'post_call_audio', data: { conversation_id: 'conv_1', full_audio: '' } };
      assert.equal((await reportElevenLabs(service, channel, audio)).text, '{}');
      const replies = [
        await reportElevenLabs(service, channel, report, { secret: channel.secret }),
        await reportElevenLabs(service, channel, report, { at: Date.now() - 3_600_000 }),
        await askElevenLabs(service, { ...channel, secret: WEBHOOK_SECRET }, start),
      ];
      for (const reply of replies) assertError(reply, 401, 'UNAUTHORIZED');
    });
  });

  test('A request that its platform has not signed is 401 and changes nothing', async () => {
    const { channel: vapi } = await makeLine('vapi', {});
    const { channel: retell } = await makeLine('retell', {});
    const native = (await makeChannel(owner)) as TestChannel & Json;
    const number = newPhone();
    const event = callEvent('call_ended', newCall(), number, ENDED);
    const raw = JSON.stringify(event);
    const signature = retellSignature(API_KEY, raw);
    const path = `/hooks/channels/${retell.id}/platform`;
    await assertTablesUnchanged(service, TABLES, async () => {
      const replies = [
        await sendVapi(service, { ...vapi, secret: 'whsec_wrong' }, assistantRequest(newCall(), number)),
        await sendVapi(service, { ...vapi, id: native.id }, assistantRequest(newCall(), number)),
        await sendVapi(service, native, assistantRequest(newCall(), number)),
        await sendVapi(service, retell, assistantRequest(newCall(), number)),
        await sendRetell(service, retell, event, { key: vapi.secret }),
        await sendRetell(service, retell, event, { key: retell.secret }),
        await sendRetell(service, vapi, event),
        await sendRetell(service, retell, event, {
          signature: signature.replace(/v=\d+/, `v=${Date.now() - 1}`),
        }),
        await sendRetell(service, retell, event, { signature: 'v=1,d=00' }),
        await sendRetell(service, { id: 'channel_01h455vb4pex5vsknk084sn02q' }, event),
        await service.call('POST', path, undefined, {
          raw: raw.replace('agent_1', 'agent_9'),
          headers: { authorization: null, 'x-retell-signature': signature },
        }),
      ];
      const messages = new Set<string>();
      for (const reply of replies) {
        assertError(reply, 401, 'UNAUTHORIZED');
        messages.add(reply.body.error.message);
      }
      const [bySecret = '', bySignature = '', ...others] = messages;
      assert.match(bySecret, /Vapi sends the secret of the channel/);
      assert.match(bySignature, /path on http:.*Retell signs the body/);
      assert.deepEqual(others, [], 'it depends only on what was sent');
    });
    const unsigned = { authorization: null };
    const withoutProof = await sendVapi(service, vapi, assistantRequest(newCall(), number), unsigned);
    assertError(withoutProof, 401, 'UNAUTHORIZED');
    assert.match(withoutProof.body.error.message, /no proof.*Vapi.*Retell.*Telnyx.*Twilio.*jambonz/);
    const bySecretHeader = { authorization: null, 'x-vapi-secret': vapi.secret };
    const accepted = await sendVapi(service, vapi, assistantRequest(newCall(), number), bySecretHeader);
    assert.equal(accepted.status, 200);
  });

  test('What does not fit the workspace is left out of a report, and the rest is recorded', async () => {
    const { channel } = await makeLine('vapi', {});
    const contact = await lines.ada();
    const metadata = { roster_session_id: 'session_01h455vb4pex5vsknk084sn02q' };
    const report = endOfCallReport(newCall(), contact.phone_number, {
      assistant: { metadata },
      analysis: {
        summary: 'a'.repeat(5_000),
        structuredData: { disposition: 'unknown', goals: { 'Not a key': true } },
      },
      artifact: { recordingUrl: 'not an address', messages: [] },
    });
    assert.equal((await sendVapi(service, channel, report)).status, 200);
    const call = await lines.callOf(contact.id);
    assert.deepEqual(
      [call.disposition, call.goals, call.recording_url, call.session_id, call.summary.length],
      [null, {}, null, null, 2_000],
    );
    assert.deepEqual(call.data, { disposition: 'unknown', goals: { 'Not a key': true } });
    const many = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`more_${at}`, true]));
    const id = newCall();
    for (const structuredData of [
      { goals: many },
      { goals: { a: true, b: true, c: true, d: true, e: true, f: true } },
    ]) {
      const full = endOfCallReport(id, contact.phone_number, {
        analysis: { summary: 'Last.', structuredData },
      });
      assert.equal((await sendVapi(service, channel, full)).status, 200);
    }
    const [last] = (await owner.call('GET', `/calls?contact_id=${contact.id}&limit=1`)).body.data;
    assert.deepEqual([last.summary, Object.keys(last.goals).length], ['Last.', 15]);
    const unended = statusUpdate(newCall(), newPhone(), { status: 'ended' });
    assert.equal((await sendVapi(service, channel, unended)).status, 200);
    const busy = { ...unended, endedReason: 'customer-busy' as const };
    assert.equal((await sendVapi(service, channel, busy)).status, 200);
    const [ended] = (await owner.call('GET', '/calls?limit=1&status=busy')).body.data;
    assert.equal(ended.provider_id, unended.call?.id, 'an end without a reason decides nothing');
    const nameless = await sendVapi(service, channel, { ...report, call: undefined });
    assertInvalid(nameless, 'provider_id');
  });

  test('A platform gets 404 without a deployed version, and an unknown caller becomes a contact', async () => {
    const bare = (await makeChannel(owner, { adapter: 'vapi' })) as TestChannel & Json;
    const number = newPhone();
    assertError(await sendVapi(service, bare, assistantRequest(newCall(), number)), 404, 'NOT_FOUND');
    const { channel } = await makeLine('vapi', {});
    const request = assistantRequest(newCall(), number);
    const { assistant } = await answered(() => sendVapi(service, channel, request));
    const model = { provider: 'openai', model: 'gpt-4o' };
    const messages = [{ role: 'system', content: 'Hi there, .' }];
    assert.deepEqual(assistant.model, { ...model, messages });
    const found = await service.get(`/v1/contacts/by-phone/${encodeURIComponent(number)}`);
    assert.equal(found.body.data.source, 'inbound');
  });

  test('The adapter of a channel is shown, can be changed, and is one of the known ones', async () => {
    const channel = await makeChannel(owner);
    const path = `/channels/${channel.id}`;
    assert.equal((await owner.request('GET', path)).adapter, 'native');
    assert.equal((await owner.request('PATCH', path, { adapter: 'retell' })).adapter, 'retell');
    const event = callEvent('call_ended', newCall(), newPhone(), ENDED);
    const status = async () => (await sendRetell(service, channel, event)).status;
    await owner.request('PATCH', path, { platform_secret: API_KEY });
    assert.equal(await status(), 200);
    const grace = { platform_secret: `${API_KEY}_new`, grace_hours: 5 };
    await owner.request('PATCH', path, { ...grace });
    assert.equal(await status(), 200, 'the old one is accepted');
    await owner.request('PATCH', path, { adapter: 'elevenlabs' });
    const shown = await owner.request('PATCH', path, { adapter: 'retell' });
    assert.equal(shown.old_platform_secret_expires_at, null);
    await eventually('another adapter forgets the secrets', async () => (await status()) === 401);
    assertInvalid(await owner.call('PATCH', path, { adapter: 'other' }), 'adapter');
  });
});
