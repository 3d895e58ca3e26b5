import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertTablesUnchanged } from '../kit/fixtures/agents.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { assertError } from '../kit/http/assertions.ts';
import * as relay from '../kit/platforms/conversation-relay.ts';
import {
  assertMembers,
  notDegraded,
  openPlatformLines,
  type PlatformLines,
  PLATFORM_TABLES as TABLES,
} from '../kit/platforms/lines.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { startSession, type TestChannel } from '../kit/webhooks/channel-hooks.ts';

const SERVER = { url: 'wss://relay.example/calls' };
const NOTHING = '<?xml version="1.0" encoding="UTF-8"?><Response/>';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** The elements of a document with their attributes. */
const elementsOf = (xml: string): (readonly [string, Record<string, string>])[] =>
  [...xml.matchAll(/<([A-Za-z]+)((?: \w+="[^"<>]*")*)>/g)].map(([, name = '', attributes = '']) => [
    name,
    Object.fromEntries(
      [...attributes.matchAll(/(\w+)="([^"]*)"/g)].map(([, each = '', value = '']) => [
        each,
        value.replace(/&(?:#(\d+)|(\w+));/g, (_, code, entity) =>
          code ? String.fromCodePoint(Number(code)) : (ENTITIES[entity] ?? '?'),
        ),
      ]),
    ),
  ]);

const parametersOf = (xml: string): Record<string, string> =>
  Object.fromEntries(
    elementsOf(xml)
      .filter(([name]) => name === 'Parameter')
      .map(([, { name = '', value = '' }]) => [name, value]),
  );

onEveryEngine('ConversationRelay of Twilio on a channel', (service) => {
  let lines: PlatformLines;
  let calls = 0;
  const newCall = () => `CA${String(++calls).padStart(32, '0')}`;

  before(async () => {
    lines = await openPlatformLines(service);
  });

  const makeLine = (config: Json = SERVER) =>
    lines.makeLine('twilio_conversationrelay', config, relay.AUTH_TOKEN);
  const started = async (channel: TestChannel, form: URLSearchParams): Promise<string> =>
    (await notDegraded(() => relay.sendConversationRelay(service, channel, form))).text;
  const report = async (channel: TestChannel, form: URLSearchParams, query = '') => {
    const { status, text, headers } = await relay.sendConversationRelay(service, channel, form, { query });
    assert.deepEqual([status, text], [200, NOTHING]);
    assert.match(headers.get('content-type') ?? '', /^text\/xml/);
  };

  test('Twilio gets TwiML with the instructions for the caller, and its reports complete the call with the version of the start', async () => {
    const { agent, channel } = await makeLine({
      ...SERVER,
      welcomeGreeting: 'Smith & Sons, "hello" <there>',
      dtmfDetection: true,
      languages: [{ code: 'en-US', ttsProvider: 'ElevenLabs' }, { code: 'de-DE' }],
      parameters: { office: 'Seattle' },
      'no attribute': 'x',
      nested: { a: 1 },
    });
    const contact = await lines.ada();
    const number = contact.phone_number;
    const id = newCall();
    const twiml = await started(channel, relay.voiceRequest(id, number));
    const [[, ofResponse], [, ofConnect], [, ofRelay], ...inner] = elementsOf(twiml) as [
      [string, Json],
      [string, Json],
      [string, Json],
    ];
    assert.deepEqual(ofResponse, {});
    assert.deepEqual(ofRelay, {
      ...SERVER,
      welcomeGreeting: 'Smith & Sons, "hello" <there>',
      dtmfDetection: 'true',
    });
    assert.deepEqual(inner.slice(0, 2), [
      ['Language', { code: 'en-US', ttsProvider: 'ElevenLabs' }],
      ['Language', { code: 'de-DE' }],
    ]);
    const parameters = parametersOf(twiml);
    assert.deepEqual(
      [parameters.first_name, parameters.plan, parameters.office, parameters.instructions],
      ['Ada', 'gold', 'Seattle', 'Hi Ada, gold.'],
    );
    const same = (await startSession(service, channel, { provider_id: id, direction: 'inbound', number }))
      .body.data;
    assert.equal(parameters.roster_session_id, same.session_id, 'the session has the id of the call');

    await lines.deployOther(agent);
    const action = new URL(ofConnect.action, service.url);
    assert.equal(action.pathname, `/hooks/channels/${channel.id}/platform`);
    const handoff = {
      summary: 'Wants a visit on Thursday.',
      disposition: 'booked',
      goals: { visit_booked: true },
      budget: 1200,
      transcript: [
        { speaker: 'agent', text: 'Good morning.' },
        { speaker: 'caller', text: 'Thursday, please.' },
        { speaker: 'tool', text: '{}' },
      ],
    };
    const ended = relay.sessionEnd(id, number, handoff);
    await report(channel, relay.statusCallback(id, number, { CallStatus: 'in-progress' }));
    await report(channel, ended, action.search);
    await report(channel, relay.statusCallback(id, number));
    const call = await lines.callOf(contact.id);
    assertMembers(call, {
      provider_id: id,
      session_id: same.session_id,
      version_id: same.version.id,
      direction: 'inbound',
      status: 'completed',
      seconds: 65,
      ended_by: 'agent',
      disposition: 'booked',
      goals: { visit_booked: true },
      data: { disposition: 'booked', goals: { visit_booked: true }, budget: 1200 },
      summary: 'Wants a visit on Thursday.',
    });
    const said = (await lines.turnsOf(call.id)).map(({ speaker, text }) => [speaker, text]);
    assert.deepEqual(said, [
      ['agent', 'Good morning.'],
      ['caller', 'Thursday, please.'],
    ]);
    for (const [form, query] of [
      [ended, action.search],
      [relay.statusCallback(id, number), ''],
    ] as const)
      await assertTablesUnchanged(service, TABLES, () => report(channel, form, query));
  });

  test('An outbound call gets TwiML when it is answered, and the end of a session tells who ended it', async () => {
    const { channel } = await makeLine();
    const rows = [
      ['ended', 'completed', 'agent'],
      ['completed', 'completed', 'caller'],
      ['failed', 'failed', 'system'],
    ] as const;
    for (const [session, status, ended_by] of rows) {
      const contact = await lines.ada();
      const id = newCall();
      const outbound = {
        Direction: 'outbound-api',
        From: '+14155550199',
        To: contact.phone_number,
        CallStatus: 'in-progress',
      };
      const twiml = await started(channel, relay.voiceRequest(id, '', outbound));
      assert.equal(parametersOf(twiml).instructions, 'Hi Ada, gold.');
      const form = relay.sessionEnd(id, '', undefined, session);
      for (const [name, value] of Object.entries(outbound)) if (name !== 'CallStatus') form.set(name, value);
      await report(channel, form);
      assertMembers(await lines.callOf(contact.id), { status, ended_by, direction: 'outbound', data: {} });
    }
  });

  test('A call whose first report is the end of its session has the start of the session', async () => {
    const { channel } = await makeLine();
    for (const status of ['ended', 'completed', 'failed']) {
      const { id: contact, phone_number } = await lines.ada();
      const id = newCall();
      await report(channel, relay.sessionEnd(id, phone_number, undefined, status));
      const Timestamp = new Date().toUTCString().replace('GMT', '+0000');
      await report(channel, relay.statusCallback(id, phone_number, { Timestamp }));
      const { started_at, ended_at, seconds } = await lines.callOf(contact);
      const took = Date.parse(ended_at) - Date.parse(started_at);
      assert.ok(took > 60_000 && took < 120_000, `${status}: ${started_at} to ${ended_at}`);
      assert.equal(seconds, 65);
    }
  });

  test('A call from a long SIP address, or from none, is answered', async () => {
    const { channel } = await makeLine();
    const sip = `sip:+14155550100@${'trunk.'.repeat(10)}example;user=phone`;
    for (const from of [sip, '', 'a\0b']) {
      const { instructions } = parametersOf(await started(channel, relay.voiceRequest(newCall(), from)));
      assert.equal(instructions, 'Hi there, .');
    }
  });

  test('A long text is left out of TwiML, and the server can fetch the session with the id of the call', async () => {
    const { agent, channel } = await makeLine();
    await service.patch(`/v1/agents/${agent}`, { instructions: 'ä&<"\n'.repeat(5_000) });
    await lines.deployNewest(agent);
    const { phone_number } = await lines.ada();
    const id = newCall();
    const twiml = await started(channel, relay.voiceRequest(id, phone_number));
    assert.ok(twiml.length < 64_000);
    const { instructions, first_name, roster_session_id } = parametersOf(twiml);
    assert.deepEqual([instructions, first_name], [undefined, 'Ada']);
    const session = { provider_id: id, direction: 'inbound', number: phone_number };
    const { data } = (await startSession(service, channel, session)).body;
    assert.equal(data.session_id, roster_session_id);
    assert.equal(data.instructions.length, 25_000);
  });

  test('Control characters, markup and quotes of a contact reach the server as they are', async () => {
    const { channel } = await makeLine({ ...SERVER, action: 'https://pbx.example/next?a=1&b=2' });
    const contact = await lines.ada();
    const name = '"><Say>&amp;\u{1F600}\'';
    await service.patch(`/v1/contacts/${contact.id}`, { first_name: name, fields: { plan: 'a\tb\nc' } });
    const twiml = await started(channel, relay.voiceRequest(newCall(), contact.phone_number));
    const { first_name, plan } = parametersOf(twiml);
    assert.deepEqual([first_name, plan], [name, 'a\tb\nc']);
    const [, { action } = {}] = elementsOf(twiml)[1] ?? [];
    assert.equal(action, 'https://pbx.example/next?a=1&b=2');
  });

  test('A config without a url is 409, so that Twilio uses its fallback', async () => {
    const { channel } = await makeLine({ voice: 'en-US-Journey-O' });
    const form = relay.voiceRequest(newCall(), newPhone());
    const reply = await relay.sendConversationRelay(service, channel, form);
    assertError(reply, 409, 'CONFLICT');
    assert.match(reply.body.error.message, /wss:\/\//);
  });

  test('A form that Twilio has not signed for this URL is 401 and changes nothing', async () => {
    const { channel } = await makeLine();
    const { channel: vapi } = await lines.makeLine('vapi', {}, relay.AUTH_TOKEN);
    const form = relay.statusCallback(newCall(), newPhone());
    const send = (to: { id: string }, options = {}) =>
      relay.sendConversationRelay(service, to, form, options);
    await assertTablesUnchanged(service, TABLES, async () => {
      const replies = [
        await send(channel, { token: `${relay.AUTH_TOKEN}0` }),
        await send(channel, { token: channel.secret }),
        await send(channel, { signed: relay.statusCallback(newCall(), newPhone()) }),
        await send(vapi),
        await send({ id: 'channel_01h455vb4pex5vsknk084sn02q' }),
        await relay.sendConversationRelay(service, channel, new URLSearchParams('a=1&'.repeat(600)), {
          signed: form,
        }),
        await service.call('POST', `/hooks/channels/${channel.id}/platform?a=1`, undefined, {
          raw: form.toString(),
          headers: {
            authorization: null,
            'content-type': 'application/x-www-form-urlencoded',
            'x-twilio-signature': relay.twilioSignature(
              relay.AUTH_TOKEN,
              `${service.url}/hooks/channels/${channel.id}/platform`,
              form,
            ),
          },
        }),
      ];
      for (const reply of replies) {
        assertError(reply, 401, 'UNAUTHORIZED');
        assert.match(reply.body.error.message, /on http:\/\/127\.0\.0\.1:\d+,.*TRUST_PROXY/);
      }
    });
    await report(channel, form);
    const recording = new URLSearchParams({
      CallSid: 'CA1',
      RecordingSid: 'RE1',
      RecordingStatus: 'completed',
    });
    await assertTablesUnchanged(service, TABLES, () => report(channel, recording));
  });
});
