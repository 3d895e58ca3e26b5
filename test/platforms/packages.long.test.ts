import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ElevenLabsClient } from '@elevenlabs/elevenlabs-js';
// @ts-expect-error It has no types.
import schema from '@jambonz/schema';
import { WebhookResponse } from '@jambonz/sdk/webhook';
import type { Vapi } from '@vapi-ai/server-sdk';
import Retell from 'retell-sdk';
import Telnyx from 'telnyx';
import twilio from 'twilio';
import type { Adapter, PlatformRequest, PlatformSession } from '../../src/features/adapters/adapter.ts';
import { adapters } from '../../src/features/adapters/platform.routes.ts';
import * as relay from '../kit/platforms/conversation-relay.ts';
import * as elevenlabs from '../kit/platforms/elevenlabs.ts';
import * as jambonz from '../kit/platforms/jambonz.ts';
import * as retell from '../kit/platforms/retell.ts';
import * as telnyx from '../kit/platforms/telnyx.ts';
import * as vapi from '../kit/platforms/vapi.ts';

const NUMBER = '+14155550123';
const HOOK = '/hooks/channels/channel_1/platform?roster_session_id=session_1&provider_id=1';

const session = (config: object): PlatformSession => ({
  session_id: 'session_1',
  contact: { first_name: 'Ada', email: 'ada@example.com', fields: { plan: 'gold' } },
  instructions: 'Hi <Ada> & "co".\nBye.',
  variables: { office: 'Seattle' },
  config: { ...config },
});

const accepts = (adapter: Adapter, request: Partial<PlatformRequest>, secret: string): boolean =>
  adapter.isAuthentic({ headers: {}, body: '', url: '', query: new URLSearchParams(), ...request }, secret);

test("Vapi's types describe the fixtures and the answers", () => {
  const messages: readonly Vapi.ServerMessageMessage[] = [
    vapi.assistantRequest('1', NUMBER),
    vapi.statusUpdate('1', NUMBER, {}),
    vapi.speechUpdate('1', NUMBER),
    vapi.endOfCallReport('1', NUMBER),
  ];
  assert.equal(messages.length, 4);
  const metadata = { roster_session_id: 'session_1' };
  const transient: Vapi.ServerMessageResponseAssistantRequest = {
    assistant: {
      model: {
        provider: 'openai',
        model: 'gpt-4o',
        messages: [{ role: 'system', content: session({}).instructions }],
      },
      firstMessage: 'Hello.',
      metadata,
    },
  };
  assert.deepEqual(adapters.vapi.answer(session({ firstMessage: 'Hello.' }), HOOK), transient);
  const stored: Vapi.ServerMessageResponseAssistantRequest = {
    assistantId: 'a1',
    assistantOverrides: {
      variableValues: {
        first_name: 'Ada',
        plan: 'gold',
        office: 'Seattle',
        instructions: session({}).instructions,
        ...metadata,
      },
      metadata,
    },
  };
  assert.deepEqual(adapters.vapi.answer(session({ assistantId: 'a1' }), HOOK), stored);
});

test("Retell's types describe the fixtures, and its package signs and verifies as Roster does", async () => {
  const call: Retell.PhoneCallResponse = {
    ...retell.callEvent('call_analyzed', '1', NUMBER).call,
    ...retell.ENDED,
    call_analysis: retell.ANALYSIS,
  };
  const body = JSON.stringify({ event: 'call_analyzed', call });
  const signature = await Retell.sign(body, retell.API_KEY);
  const headers = { 'x-retell-signature': signature };
  assert.equal(accepts(adapters.retell, { headers, body }, retell.API_KEY), true);
  assert.equal(accepts(adapters.retell, { headers, body: `${body} ` }, retell.API_KEY), false);
  const ours = retell.retellSignature(retell.API_KEY, body);
  assert.equal(await Retell.verify(body, retell.API_KEY, ours), true);
  assert.equal(await Retell.verify(`${body} `, retell.API_KEY, ours), false);
});

test('The package of ElevenLabs accepts the signatures of the tests, and no others', async () => {
  const { webhooks } = new ElevenLabsClient({ apiKey: 'key' });
  const body = JSON.stringify(elevenlabs.transcription('1', NUMBER));
  const signature = elevenlabs.elevenLabsSignature(elevenlabs.WEBHOOK_SECRET, body);
  assert.deepEqual(
    await webhooks.constructEvent(body, signature, elevenlabs.WEBHOOK_SECRET),
    JSON.parse(body),
  );
  await assert.rejects(webhooks.constructEvent(`${body} `, signature, elevenlabs.WEBHOOK_SECRET));
  const headers = { 'elevenlabs-signature': signature };
  assert.equal(accepts(adapters.elevenlabs, { headers, body }, elevenlabs.WEBHOOK_SECRET), true);
});

test("Telnyx's package reads the fixtures with their signatures", async () => {
  const { publicKey, privateKey } = telnyx.newKeys();
  const client = new Telnyx({ apiKey: 'key', publicKey });
  for (const event of [
    telnyx.initiated('1', NUMBER),
    telnyx.answeredCall('1', NUMBER),
    telnyx.conversationEnded('1', NUMBER),
    telnyx.hangup('1', NUMBER),
    telnyx.insights('1', 'A summary.'),
  ]) {
    const body = JSON.stringify(event);
    const headers = telnyx.telnyxSignature(privateKey, body);
    const read = await client.webhooks.unwrap(body, { headers, key: publicKey });
    assert.deepEqual(read, event);
    await assert.rejects(async () => client.webhooks.unwrap(`${body} `, { headers, key: publicKey }));
    assert.equal(accepts(adapters.telnyx, { headers, body }, publicKey), true);
  }
});

test("Twilio's package signs and verifies as Roster does, and writes the same TwiML", () => {
  const url = `https://roster.example${HOOK}`;
  const form = relay.sessionEnd('CA1', NUMBER, { summary: 'Wants a visit.' });
  const fields = Object.fromEntries(form);
  const ours = relay.twilioSignature(relay.AUTH_TOKEN, url, form);
  assert.equal(twilio.validateRequest(relay.AUTH_TOKEN, ours, url, fields), true);
  assert.equal(twilio.validateRequest(relay.AUTH_TOKEN, ours, `${url}1`, fields), false);
  const headers = { 'x-twilio-signature': ours };
  const request = { headers, url, body: form.toString() };
  assert.equal(accepts(adapters.twilio_conversationrelay, request, relay.AUTH_TOKEN), true);

  const config = { url: 'wss://relay.example', dtmfDetection: true, languages: [{ code: 'de-DE' }] };
  const response = new twilio.twiml.VoiceResponse();
  const noun = response.connect({ action: HOOK }).conversationRelay({ url: config.url, dtmfDetection: true });
  noun.language({ code: 'de-DE' });
  const { instructions } = session({});
  const values = { first_name: 'Ada', plan: 'gold', office: 'Seattle', roster_session_id: 'session_1' };
  for (const [name, value] of Object.entries({ ...values, instructions })) noun.parameter({ name, value });
  const plain = (xml: string) =>
    xml
      .replaceAll('&#xA;', '&#10;')
      .replaceAll('&gt;', '>')
      .replace(/<(\w+)([^<]*)><\/\1>/g, '<$1$2/>');
  const answer = adapters.twilio_conversationrelay.answer(session(config), HOOK);
  assert.equal(plain(String(answer)), plain(response.toString()));
});

test("jambonz' schemas describe the answers, and its package verifies the signatures of the tests", () => {
  const agent = {
    stt: { vendor: 'deepgram', language: 'en-US' },
    tts: { vendor: 'cartesia', voice: 'sonic-english' },
    llm: { vendor: 'openai', model: 'gpt-4o', llmOptions: { temperature: 0.3 } },
  };
  const llm = { verb: 'llm', vendor: 'openai', llmOptions: { messages: [] } };
  for (const config of [agent, llm])
    assert.deepEqual(schema.validateApp(adapters.jambonz.answer(session(config), HOOK)), {
      valid: true,
      errors: [],
    });
  const wrong = adapters.jambonz.answer(session({ ...agent, greeting: 'yes' }), HOOK);
  assert.equal(schema.validateApp(wrong).valid, false);

  const body = JSON.stringify(jambonz.callStatus('1', NUMBER, 'completed', { duration: 5 }));
  const headers = { 'jambonz-signature': jambonz.jambonzSignature(jambonz.WEBHOOK_SECRET, body) };
  const verified = (raw: string): boolean => {
    let failure: unknown;
    const check = WebhookResponse.verifySignature(jambonz.WEBHOOK_SECRET);
    check({ headers, body: raw } as never, {} as never, (error) => {
      failure = error;
    });
    return failure === undefined;
  };
  assert.deepEqual([verified(body), verified(`${body} `)], [true, false]);
  assert.equal(accepts(adapters.jambonz, { headers, body }, jambonz.WEBHOOK_SECRET), true);
});
