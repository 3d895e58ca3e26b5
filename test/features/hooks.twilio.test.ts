import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import {
  assertTablesUnchanged,
  makeChannel,
  makeChannelWithAgent,
  signedInOwner,
} from '../kit/fixtures/agents.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { getAgentFromHook } from '../kit/webhooks/channel-hooks.ts';
import {
  deliverEvent,
  deliverTwilio,
  newCallEvent,
  type TwilioFields,
  voiceFields,
} from '../kit/webhooks/providers.ts';

const TABLES = ['calls', 'contacts', 'tallies'];
const TOKEN = '0123456789abcdef0123456789abcdef';

/** The fields of a status callback. Its time is in RFC 2822 format, without milliseconds. */
const statusFields = (CallStatus: string, at: Date, more: TwilioFields = {}): TwilioFields => ({
  CallStatus,
  Timestamp: at.toUTCString().replace('GMT', '+0000'),
  SequenceNumber: '2',
  CallbackSource: 'call-progress-events',
  ...more,
});

onEveryEngine('Calls of Twilio callbacks', (service) => {
  let owner: CheckedUser;
  let channel: Json;
  before(async () => {
    owner = await signedInOwner(service);
    channel = await makeChannel(owner);
  });
  const historyOf = async (fields: TwilioFields): Promise<Json> => {
    const all = await owner.request('GET', '/calls?limit=100');
    const found = all.filter((each: Json) => each.provider_id === fields.CallSid);
    assert.equal(found.length, 1, `calls of ${fields.CallSid}`);
    return found[0];
  };

  test('A Twilio callback is recorded as a call and answered with empty TwiML', async () => {
    const channelWithAgent = await makeChannelWithAgent(service, owner);
    const fields = voiceFields();
    const began = new Date().toISOString();
    const reply = await deliverTwilio(service, channelWithAgent.channel, fields);
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.headers.get('content-type'), 'text/xml; charset=utf-8');
    assert.equal(reply.text, '<?xml version="1.0" encoding="UTF-8"?><Response/>');
    const { id, contact_id, started_at, ...rest } = await historyOf(fields);
    assert.match(id, /^call_/);
    assert.ok(started_at >= began && started_at <= new Date().toISOString());
    assert.deepEqual(rest, {
      channel_id: channelWithAgent.channel.id,
      channel_name: 'Line',
      channel_kind: 'phone',
      contact_name: null,
      agent_id: channelWithAgent.agent,
      agent_name: 'Agent',
      agent_deleted: false,
      version_id: channelWithAgent.version,
      version_label: 'v1',
      type: 'call',
      direction: 'inbound',
      status: 'ringing',
      number: fields.From,
      provider_id: fields.CallSid,
      ended_at: null,
      seconds: null,
      session_id: null,
      disposition: null,
      goals: {},
      ended_by: null,
      cost: null,
      recording_url: null,
      note: null,
      tags: [],
      summary: null,
      text: null,
      data: {},
    });
    const contact = (await service.get(`/v1/contacts/${contact_id}`)).body.data;
    assert.deepEqual(
      [contact.source, contact.phone_number, contact.first_contact_at, contact.last_contact_at],
      ['inbound', fields.From, started_at, started_at],
    );
  });

  test('A Twilio call goes from ringing to its end and stays ended', async () => {
    const fields = voiceFields();
    const send = async (more: TwilioFields) => {
      assert.equal((await deliverTwilio(service, channel, { ...fields, ...more })).status, 200);
      const { status, ended_at, seconds } = await historyOf(fields);
      return [status, ended_at, seconds];
    };
    assert.deepEqual(await send({}), ['ringing', null, null]);
    const { started_at } = await historyOf(fields);
    const answered = new Date(Math.ceil(Date.now() / 1000) * 1000);
    assert.deepEqual(await send(statusFields('in-progress', answered)), ['in_progress', null, null]);
    assert.deepEqual(
      await send({ CallStatus: 'ringing' }),
      ['in_progress', null, null],
      'a late callback changes nothing',
    );
    const ended = new Date(answered.getTime() + 75_000);
    const end = statusFields('completed', ended, { CallDuration: '75', Duration: '2' });
    const over = ['completed', ended.toISOString(), 75];
    assert.deepEqual(await send(end), over);
    assert.deepEqual(await send(end), over, 'once more');
    assert.deepEqual(await send({ CallStatus: 'ringing' }), over);
    assert.deepEqual(await send(statusFields('failed', answered, { CallDuration: '3' })), over);
    assert.equal((await historyOf(fields)).started_at, started_at);
  });

  test('A Twilio call first reported at its end began its duration earlier', async () => {
    const at = new Date('2026-03-01T10:00:42Z');
    const fields = voiceFields(statusFields('completed', at, { CallDuration: '42' }));
    await deliverTwilio(service, channel, fields);
    const { started_at, ended_at, seconds, contact_id } = await historyOf(fields);
    assert.deepEqual(
      [started_at, ended_at, seconds],
      ['2026-03-01T10:00:00.000Z', '2026-03-01T10:00:42.000Z', 42],
    );
    const contact = (await service.get(`/v1/contacts/${contact_id}`)).body.data;
    assert.deepEqual([contact.first_contact_at, contact.last_contact_at], [started_at, started_at]);
  });

  test('A Twilio call also ends when it is not answered', async () => {
    const at = new Date(Math.ceil(Date.now() / 1000) * 1000 + 60_000);
    const words = { busy: 'busy', 'no-answer': 'no_answer', canceled: 'canceled', failed: 'failed' };
    for (const [word, expected] of Object.entries(words)) {
      const fields = voiceFields({ Direction: 'outbound-api', To: newPhone(), From: '+14155550199' });
      await deliverTwilio(service, channel, { ...fields, CallStatus: 'initiated' });
      assert.equal((await historyOf(fields)).status, 'queued');
      await deliverTwilio(service, channel, { ...fields, ...statusFields(word, at, { CallDuration: '0' }) });
      const { status, direction, number, ended_at, seconds } = await historyOf(fields);
      assert.deepEqual([status, direction, number], [expected, 'outbound', fields.To]);
      assert.deepEqual([ended_at, seconds], [at.toISOString(), 0]);
    }
  });

  test('A call never ends before it starts, although Twilio reports whole seconds', async () => {
    const fields = voiceFields();
    await deliverTwilio(service, channel, fields);
    const { started_at } = await historyOf(fields);
    const sameSecond = new Date(Math.floor(Date.parse(started_at) / 1000) * 1000 - 1000);
    await deliverTwilio(service, channel, {
      ...fields,
      ...statusFields('completed', sameSecond, { CallDuration: '0' }),
    });
    const ended = await historyOf(fields);
    assert.deepEqual([ended.status, ended.started_at, ended.ended_at], ['completed', started_at, started_at]);
  });

  test('The end of a call follows from its start and its duration, and its start from its end', async () => {
    const send = async (event: Json): Promise<Json> => {
      const reply = await deliverEvent(service, channel, event);
      assert.equal(reply.status, 200, reply.text);
      return owner.request('GET', `/calls/${reply.body.data.id}`);
    };
    const times = ({ started_at, ended_at, seconds }: Json) => [started_at, ended_at, seconds];
    const lengthOf = ({ started_at, ended_at }: Json) => Date.parse(ended_at) - Date.parse(started_at);
    const at = '2026-03-01T10:00:00.500Z';
    const end = '2026-03-01T10:01:30.500Z';
    const known = newCallEvent({ started_at: at });
    assert.deepEqual(times(await send(known)), [at, null, null]);
    assert.deepEqual(times(await send({ ...known, status: 'completed', seconds: 90 })), [at, end, 90]);
    assert.deepEqual(times(await send(newCallEvent({ started_at: at, status: 'completed', seconds: 90 }))), [
      at,
      end,
      90,
    ]);
    assert.deepEqual(times(await send(newCallEvent({ ended_at: end, status: 'completed', seconds: 90 }))), [
      at,
      end,
      90,
    ]);
    assert.deepEqual(times(await send(newCallEvent({ ended_at: end, status: 'completed' }))), [
      end,
      end,
      null,
    ]);
    const before = new Date().toISOString();
    const only = await send(newCallEvent({ status: 'completed', seconds: 90 }));
    assert.equal(lengthOf(only), 90_000);
    assert.ok(only.ended_at >= before && only.ended_at <= new Date().toISOString());
    const justStarted = newCallEvent();
    await send(justStarted);
    const rounded = await send({ ...justStarted, status: 'completed', seconds: 90 });
    assert.ok(rounded.ended_at <= new Date().toISOString(), 'no call ends in the future');
    for (const event of [{ seconds: 90 }, { status: 'completed' }, { type: 'message', seconds: 90 }])
      assert.equal((await send(newCallEvent(event))).ended_at, null, JSON.stringify(event));
  });

  test('A caller whose clock is up to five minutes behind can end a call', async () => {
    const { started_at, ...event } = newCallEvent({ started_at: '2026-03-01T10:00:00.500Z' });
    await deliverEvent(service, channel, { ...event, started_at });
    const end = (ended_at: string) =>
      deliverEvent(service, channel, { ...event, status: 'no_answer', ended_at });
    const refused = await end('2026-03-01T09:55:00.499Z');
    assert.equal(refused.status, 400, refused.text);
    assert.match(refused.body.error.message, /ended_at: .*2026-03-01T10:00:00.500Z/);
    const { id } = (await end('2026-03-01T09:55:00.500Z')).body.data;
    const call = await owner.request('GET', `/calls/${id}`);
    assert.deepEqual([call.status, call.started_at, call.ended_at], ['no_answer', started_at, started_at]);
  });

  test('Repeated and concurrent callbacks record a Twilio call once', async () => {
    const fields = voiceFields();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => deliverTwilio(service, channel, fields)),
    );
    for (const { status, text } of replies) assert.equal(status, 200, text);
    await historyOf(fields);
    const found = await service.get(`/v1/contacts?search=${String(fields.From).slice(1)}`);
    assert.equal(found.body.pagination.total, 1);
    await assertTablesUnchanged(service, TABLES, () => deliverTwilio(service, channel, fields));
  });

  test('The Twilio signature covers the query, repeated fields and any text', async () => {
    const odd = { SpeechResult: "It's 100% + more & más = 👋", Empty: '', Digits: ['2', '1', '2'] };
    for (const query of ['?', '?source=a&b=%20x', '?q=two+words&q=%C3%A9']) {
      const fields = voiceFields(odd);
      assert.equal((await deliverTwilio(service, channel, fields, { query })).status, 200, query);
      await historyOf(fields);
      const other = () =>
        deliverTwilio(service, channel, voiceFields(), { query, url: `${service.url}/hooks` });
      assert.equal((await assertTablesUnchanged(service, TABLES, other)).status, 401);
    }
    const path = `/hooks/channels/${channel.id}/events`;
    const moved = () =>
      deliverTwilio(service, channel, voiceFields(), { query: '?a=1', url: service.url + path });
    assert.equal(
      (await assertTablesUnchanged(service, TABLES, moved)).status,
      401,
      'a query that was not signed',
    );
    const { hostname } = new URL(service.url);
    const portless = await deliverTwilio(service, channel, voiceFields(), {
      url: `http://${hostname}${path}`,
    });
    assert.equal(portless.status, 200, 'some products of Twilio leave the port out');
  });

  test('A Twilio callback is verified with the auth token of the channel where it has one', async () => {
    const { channel: own } = await makeChannelWithAgent(service, owner);
    const withToken = (secret: string) => deliverTwilio(service, own, voiceFields(), { secret });
    assert.equal((await withToken(own.secret)).status, 200);
    assert.equal((await assertTablesUnchanged(service, TABLES, () => withToken(TOKEN))).status, 401);
    await owner.request('PATCH', `/channels/${own.id}`, { platform_secret: TOKEN });
    assert.equal((await withToken(TOKEN)).status, 200);
    assert.equal((await assertTablesUnchanged(service, TABLES, () => withToken(own.secret))).status, 401);
    assert.equal(
      (await deliverEvent(service, own, newCallEvent())).status,
      200,
      'other senders use the secret',
    );
    const secret = `whsec_${Buffer.from(TOKEN).toString('base64')}`;
    assert.equal((await deliverEvent(service, own, newCallEvent(), { secret })).status, 401);
    assert.equal((await getAgentFromHook(service, own)).status, 200, 'and so does the runtime');
    assert.equal((await getAgentFromHook(service, { id: own.id, secret: TOKEN })).status, 401);
    await owner.request('PATCH', `/channels/${own.id}`, { name: 'Renamed' });
    assert.equal((await withToken(TOKEN)).status, 200, 'an update without it keeps it');
    await owner.request('PATCH', `/channels/${own.id}`, { platform_secret: null });
    assert.equal((await withToken(own.secret)).status, 200);
    assert.equal((await withToken(TOKEN)).status, 401);
    const made = await makeChannel(owner, { platform_secret: TOKEN });
    assert.equal((await deliverTwilio(service, made, voiceFields(), { secret: TOKEN })).status, 200);
  });
});
