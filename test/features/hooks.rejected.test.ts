import assert from 'node:assert/strict';
import { request } from 'node:http';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { assertTablesUnchanged, makeChannel, signedInOwner } from '../kit/fixtures/agents.ts';
import { assertError, comparableReply } from '../kit/http/assertions.ts';
import { type Json, KEY, onSqlite, type Reply } from '../kit/service/test-service.ts';
import {
  deliverEvent,
  deliverTwilio,
  messageFields,
  newCallEvent,
  voiceFields,
} from '../kit/webhooks/providers.ts';

const TABLES = ['calls', 'contacts', 'contact_tags', 'tallies', 'channels', 'hooks'];
const NONE = 'channel_01h455vb4pex5vsknk084sn02q';
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

onSqlite('Rejected channel events', (service) => {
  let owner: CheckedUser;
  let channel: Json;
  let other: Json;
  before(async () => {
    owner = await signedInOwner(service);
    [channel, other] = [await makeChannel(owner), await makeChannel(owner)];
    assert.equal(
      (await deliverEvent(service, channel, newCallEvent())).status,
      200,
      'what is right is taken',
    );
    assert.equal((await deliverTwilio(service, channel, voiceFields())).status, 200);
  });
  const assertRejected = (status: number, code: string, calls: (() => Promise<Reply>)[]) =>
    assertTablesUnchanged(service, TABLES, async () => {
      const answers = [];
      for (const call of calls) {
        const reply = await call();
        assertError(reply, status, code);
        // An unsigned body is not read: whether the connection stays open depends on how much of it has arrived.
        const { headers, ...answer } = comparableReply(reply);
        answers.push({ ...answer, headers: { ...headers, connection: '', 'keep-alive': '' } });
      }
      return answers;
    });

  test('An event that cannot be authenticated gets the same answer for every reason', async () => {
    const without = (name: string) => () =>
      deliverEvent(service, channel, newCallEvent(), { headers: { [name]: null } });
    const withHeader = (name: string, value: string) => () =>
      deliverEvent(service, channel, newCallEvent(), { headers: { [name]: value } });
    const now = Math.floor(Date.now() / 1000);
    const to = (id: string) => ({ id, secret: channel.secret });
    const reasons: (() => Promise<Reply>)[] = [
      without('webhook-id'),
      without('webhook-timestamp'),
      without('webhook-signature'),
      withHeader('webhook-id', 'msg_other'),
      withHeader('webhook-timestamp', String(now - 1)),
      withHeader('webhook-timestamp', 'now'),
      withHeader('webhook-timestamp', '9'.repeat(30)),
      withHeader('webhook-timestamp', `${now}.5`),
      withHeader('webhook-timestamp', `-${now}`),
      withHeader('webhook-signature', 'v1,'),
      withHeader('webhook-signature', 'v1'),
      withHeader('webhook-signature', `v1,${'A'.repeat(43)}=`),
      withHeader('webhook-signature', 'v1,é'),
      () => deliverEvent(service, channel, newCallEvent(), { secret: other.secret }),
      () => deliverEvent(service, channel, newCallEvent(), { sent: JSON.stringify(newCallEvent()) }),
      () =>
        deliverEvent(service, channel, JSON.stringify(newCallEvent()), {
          sent: `${JSON.stringify(newCallEvent())} `,
        }),
      () => deliverEvent(service, channel, newCallEvent(), { at: new Date(Date.now() - 301_000) }),
      () => deliverEvent(service, channel, newCallEvent(), { at: new Date(Date.now() + 302_000) }),
      () => deliverEvent(service, to(NONE), newCallEvent()),
      () => deliverEvent(service, to('x'), newCallEvent()),
      () => deliverEvent(service, to('%00'), newCallEvent()),
      () => deliverEvent(service, to('a'.repeat(300)), newCallEvent()),
      () => deliverTwilio(service, to(NONE), voiceFields()),
      () => deliverTwilio(service, to('%00'), voiceFields()),
      () => deliverTwilio(service, channel, voiceFields(), { secret: other.secret }),
      () => deliverTwilio(service, channel, voiceFields(), { headers: { 'x-twilio-signature': null } }),
      () => deliverTwilio(service, channel, voiceFields(), { headers: { 'x-twilio-signature': '' } }),
      () =>
        deliverTwilio(service, channel, voiceFields(), { headers: { 'x-twilio-signature': 'A'.repeat(27) } }),
      () => deliverTwilio(service, channel, voiceFields(), { sent: 'CallSid=CA1&From=%2B14155550100' }),
      () => deliverTwilio(service, channel, voiceFields(), { sent: '' }),
      () => deliverTwilio(service, channel, voiceFields(), { sent: '%%%=%zz&&&=' }),
      () => deliverTwilio(service, channel, voiceFields(), { url: `https://attacker.example/hooks` }),
      () => deliverEvent(service, channel, newCallEvent(), { headers: { 'content-type': FORM_TYPE } }),
      () => deliverTwilio(service, channel, voiceFields(), { headers: { 'content-type': JSON_TYPE } }),
      () => service.post(`/hooks/channels/${channel.id}/events`, newCallEvent()),
      () => service.post(`/hooks/channels/${channel.id}/events`, newCallEvent(), { key: channel.secret }),
      () => service.post(`/hooks/channels/${channel.id}/events`, newCallEvent(), { key: KEY }),
      () => deliverEvent(service, channel, 'not json', { secret: other.secret }),
    ];
    const answers = await assertRejected(401, 'UNAUTHORIZED', reasons);
    const ofForms = answers.filter(({ text }) => text.includes('The Twilio signature'));
    const others = answers.filter((answer) => !ofForms.includes(answer));
    for (const group of [ofForms, others]) {
      for (const answer of group) assert.deepEqual(answer, group[0]);
      assert.doesNotMatch(group[0]?.text ?? '', /whsec|channel_|details/);
    }
    assert.match(others[0]?.text ?? '', /webhook-signature/);
    assert.ok(ofForms[0]?.text.includes(`for this path on ${service.url},`), JSON.stringify(ofForms[0]));
    assert.match(ofForms[0]?.text ?? '', /TRUST_PROXY .*X-Forwarded-Proto/);
  });

  test('An event of a deleted channel is rejected', async () => {
    const gone = await makeChannel(owner);
    assert.equal((await deliverEvent(service, gone, newCallEvent())).status, 200);
    await owner.request('DELETE', `/channels/${gone.id}`);
    await assertRejected(401, 'UNAUTHORIZED', [
      () => deliverEvent(service, gone, newCallEvent()),
      () => deliverTwilio(service, gone, voiceFields()),
    ]);
  });

  test('An event of a content type other than JSON or a form is rejected', async () => {
    const types = [
      'text/plain',
      'application/xml',
      'multipart/form-data; boundary=x',
      'application/json-patch+json',
      'application/jsonp',
      'application/x-www-form-urlencoded-more',
      'x',
    ];
    const calls = types.flatMap((type) => {
      const headers = { 'content-type': type };
      return [
        () => deliverEvent(service, channel, newCallEvent(), { headers }),
        () => deliverTwilio(service, channel, voiceFields(), { headers }),
      ];
    });
    await assertRejected(415, 'UNSUPPORTED_MEDIA_TYPE', calls);
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json ;x=y']) {
      const headers = { 'content-type': type };
      assert.equal((await deliverEvent(service, channel, newCallEvent(), { headers })).status, 200, type);
    }
  });

  test('A signed event that is too large is rejected', async () => {
    const huge = JSON.stringify({ ...newCallEvent(), number: '1'.repeat(65_536) });
    const fields = messageFields({ Body: 'x'.repeat(65_536) });
    await assertRejected(413, 'PAYLOAD_TOO_LARGE', [
      () => deliverEvent(service, channel, huge),
      () => deliverTwilio(service, channel, fields),
    ]);
  });

  test('An invalid event gets the same answer for a known and an unknown channel', async () => {
    const unsigned = { 'x-twilio-signature': null, 'webhook-signature': null };
    const wrong = { 'x-twilio-signature': 'A'.repeat(27) };
    const xml = { 'content-type': 'application/xml' };
    const form = (count: number) => 'a&'.repeat(count);
    const latin1 = Buffer.from('a=\xff', 'latin1');
    type Send = (to: Json) => Promise<Reply>;
    const cases: [status: number, code: string, send: Send][] = [
      [
        401,
        'UNAUTHORIZED',
        (to) => deliverTwilio(service, to, {}, { headers: unsigned, sent: form(524_287) }),
      ],
      [401, 'UNAUTHORIZED', (to) => deliverTwilio(service, to, {}, { headers: unsigned, sent: latin1 })],
      [
        401,
        'UNAUTHORIZED',
        (to) => deliverEvent(service, to, 'no JSON', { headers: { ...unsigned, ...xml } }),
      ],
      [401, 'UNAUTHORIZED', (to) => deliverTwilio(service, to, {}, { headers: wrong, sent: form(499) })],
      [401, 'UNAUTHORIZED', (to) => deliverEvent(service, to, 'no JSON', { secret: other.secret })],
      [413, 'PAYLOAD_TOO_LARGE', (to) => deliverTwilio(service, to, {}, { headers: wrong, sent: form(500) })],
      [
        413,
        'PAYLOAD_TOO_LARGE',
        (to) => deliverTwilio(service, to, {}, { headers: wrong, sent: form(32_769) }),
      ],
      [
        413,
        'PAYLOAD_TOO_LARGE',
        (to) => deliverEvent(service, to, 'x'.repeat(65_537), { secret: other.secret }),
      ],
      [415, 'UNSUPPORTED_MEDIA_TYPE', (to) => deliverEvent(service, to, newCallEvent(), { headers: xml })],
      [400, 'VALIDATION_ERROR', (to) => deliverTwilio(service, to, {}, { headers: wrong, sent: latin1 })],
    ];
    for (const [status, code, send] of cases) {
      const [known, unknown] = await assertRejected(status, code, [
        () => send(channel),
        () => send({ id: NONE, secret: channel.secret }),
      ]);
      assert.deepEqual(known, unknown);
    }
  });

  test('A signed event that is not a JSON object is rejected', async () => {
    const deep = `${'['.repeat(50)}${']'.repeat(50)}`;
    const bodies = ['', '{', 'null', '[]', '"text"', '5', '{"type":}', deep];
    const sent = Buffer.from('{"type":"\xff"}', 'latin1');
    await assertRejected(400, 'VALIDATION_ERROR', [
      ...bodies.map((body) => () => deliverEvent(service, channel, body)),
      () => deliverEvent(service, channel, newCallEvent(), { sent }),
    ]);
  });

  test('A signed form that describes no call is rejected', async () => {
    const { CallSid: _, ...sidless } = voiceFields();
    const { From: __, ...withoutCaller } = voiceFields();
    const forms = [
      {},
      sidless,
      withoutCaller,
      voiceFields({ CallSid: '' }),
      voiceFields({ CallSid: 'C'.repeat(256) }),
      voiceFields({ CallSid: 'CA\0' }),
      voiceFields({ From: '' }),
      voiceFields({ From: '\0' }),
      voiceFields({ From: '1'.repeat(65) }),
      voiceFields({ From: 'whatsapp:' }),
      voiceFields({ Direction: 'outbound-api', To: '' }),
      messageFields({ MessageSid: '' }),
      ...['-5', '1.5', '1e3', '99999999999999999999', 'long', '0x10', ' '].map((CallDuration) =>
        voiceFields({ CallStatus: 'completed', CallDuration }),
      ),
    ];
    const calls = forms.map((fields) => () => deliverTwilio(service, channel, fields));
    await assertRejected(400, 'VALIDATION_ERROR', calls);
  });

  test('An event with an invalid Host header is rejected', async () => {
    const { hostname, port } = new URL(service.url);
    const callWithHost = (host: string) =>
      new Promise<number>((resolve, reject) => {
        const headers = { host, 'content-type': FORM_TYPE, 'x-twilio-signature': 'A'.repeat(27) };
        const path = `/hooks/channels/${channel.id}/events`;
        const sent = request({ hostname, port, path, method: 'POST', headers }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode ?? 0));
        });
        sent.on('error', reject).end('CallSid=CA1&From=%2B14155550100');
      });
    for (const host of ['[', 'a b', '%', ':', '?', '#', 'x:99999', '', '[::1']) {
      assert.equal(await callWithHost(host), 401, host);
    }
  });

  test('A Twilio event with unknown values is accepted with defaults', async () => {
    for (const CallStatus of ['constructor', '__proto__', 'toString', 'answered', '']) {
      const fields = voiceFields({ CallStatus });
      const reply = await deliverTwilio(service, channel, fields);
      assert.equal(reply.status, 200, reply.text);
      const [latest] = await owner.request('GET', '/calls?limit=1');
      assert.deepEqual([latest.provider_id, latest.status], [fields.CallSid, 'in_progress']);
    }
    for (const Timestamp of ['yesterday', '', 'Fri, 31 Dec 99999 23:59:59 +0000', '-1']) {
      const began = new Date().toISOString();
      const fields = voiceFields({ CallStatus: 'completed', CallDuration: '', Timestamp });
      assert.equal((await deliverTwilio(service, channel, fields)).status, 200);
      const [latest] = await owner.request('GET', '/calls?limit=1');
      assert.ok(latest.ended_at >= began && latest.ended_at <= new Date().toISOString(), Timestamp);
      assert.equal(latest.started_at, latest.ended_at);
    }
  });
});
