import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { type CallEvent, Channel, type ChannelOptions, RosterError } from '../../sdk/src/runtime.ts';
import {
  type ReceivedRequest,
  type ScriptedResponse,
  startScriptedServer,
} from '../kit/http/scripted-server.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const ok = (data: object, headers?: Record<string, string>): ScriptedResponse => ({
  status: 200,
  ...(headers && { headers }),
  body: { success: true, data },
});
const refusal = (status: number, code: string): ScriptedResponse => ({
  status,
  body: { success: false, error: { code, message: 'No.', request_id: 'req_1' } },
});
const down = refusal(503, 'UNAVAILABLE');
const recorded = ok({ id: 'call_1', contact_id: null, effect: 'recorded' });
const agentOf = (rendered: string) => ({
  version_label: rendered,
  instructions: rendered,
  rendered,
  contact: null,
});

const channelAt = (baseUrl: string, options: Partial<ChannelOptions> = {}) =>
  new Channel({ baseUrl, id: 'channel_1', secret, ...options });

const event = (provider_id: string, fields: Partial<CallEvent> = {}): CallEvent => ({
  type: 'call',
  provider_id,
  direction: 'inbound',
  number: '+14155550100',
  ...fields,
});
const bodiesOf = (requests: readonly ReceivedRequest[]) => requests.map(({ body }) => JSON.parse(body));
const callsOf = (requests: readonly ReceivedRequest[]) =>
  bodiesOf(requests).map(({ provider_id }) => provider_id);

/** A closed port: requests fail immediately. */
const NOWHERE = 'http://127.0.0.1:9';
/** Makes the pauses between attempts short. */
const withShortPauses = (test: TestContext) => test.mock.method(Math, 'random', () => -1 + 0.02);

describe('A channel of the SDK', () => {
  it('A session is started with the secret of the channel and repeated after a failure', async (test) => {
    const server = await startScriptedServer(
      test,
      'close',
      down,
      ok({ session_id: 'session_1', degraded: false }),
    );
    const started = await channelAt(server.url).session({
      provider_id: 'call-1',
      direction: 'inbound',
      number: '+14155550100',
    });
    assert.equal(started.session_id, 'session_1');
    assert.equal(server.requests.length, 3);
    for (const { method, url, headers, body } of server.requests) {
      assert.deepEqual([method, url], ['POST', '/hooks/channels/channel_1/sessions']);
      assert.equal(headers.authorization, `Bearer ${secret}`);
      assert.equal('idempotency-key' in headers, false);
      assert.deepEqual(JSON.parse(body), {
        provider_id: 'call-1',
        direction: 'inbound',
        number: '+14155550100',
      });
    }
  });

  it('A session gives up within the time that a person waits', async (test) => {
    const server = await startScriptedServer(test, 'hang');
    const started = performance.now();
    const session = channelAt(server.url, { timeoutMs: 50, totalTimeoutMs: 200 }).session({
      provider_id: 'call-1',
      direction: 'inbound',
    });
    await assert.rejects(session, { name: 'TimeoutError' });
    assert.ok(performance.now() - started < 1_000);
  });

  it('A limit that is undefined is the default one', async (test) => {
    test.mock.timers.enable({ apis: ['setTimeout'] });
    const hang: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(new Error())));
    const options = { fetch: hang, maxRetries: 0, timeoutMs: undefined, totalTimeoutMs: undefined };
    const session = channelAt(NOWHERE, options).session({ provider_id: 'call-1', direction: 'inbound' });
    const refused = assert.rejects(session, { message: 'No complete response within 2000 ms.' });
    await new Promise((resolve) => setImmediate(resolve));
    test.mock.timers.tick(2_000);
    await refused;
  });

  it('The agent is answered from the cache while the next one is requested', async (test) => {
    const server = await startScriptedServer(
      test,
      ok(agentOf('one'), { etag: '"1"' }),
      { status: 304 },
      ok(agentOf('two'), { etag: '"2"' }),
    );
    const channel = channelAt(server.url);
    const said: string[] = [];
    for (let at = 0; at < 4; at++) {
      const { source, rendered } = await channel.agent();
      said.push(`${source} ${rendered}`);
      while (server.requests.length < Math.min(at + 1, 3))
        await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.deepEqual(said, ['service one', 'cache one', 'cache one', 'cache two']);
    const [first, second, third] = server.requests;
    assert.equal(first?.url, '/hooks/channels/channel_1/agent?number=anonymous');
    assert.equal(first?.headers['if-none-match'], undefined);
    assert.deepEqual([second?.headers['if-none-match'], third?.headers['if-none-match']], ['"1"', '"1"']);
  });

  it('With a number the service is asked, and without an answer the last known text has no contact', async (test) => {
    const server = await startScriptedServer(
      test,
      ok({ ...agentOf('Hello Ada'), contact: { first_name: 'Ada' } }),
      ok(agentOf('Hello')),
      'close',
    );
    const channel = channelAt(server.url, { maxRetries: 0 });
    const known = await channel.agent({ number: '+1 (415) 555-0100' });
    assert.deepEqual(
      [known.source, known.rendered, known.contact],
      ['service', 'Hello Ada', { first_name: 'Ada' }],
    );
    while (server.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const unanswered = await channel.agent({ number: '+14155550100' });
    assert.deepEqual([unanswered.source, unanswered.rendered, unanswered.contact], ['cache', 'Hello', null]);
    assert.deepEqual(
      server.requests.map(({ url }) => new URL(url, NOWHERE).searchParams.get('number')),
      ['+1 (415) 555-0100', 'anonymous', '+14155550100'],
    );
  });

  it('The fallback is used only if nothing was fetched and the service does not respond', async (test) => {
    const options = { fallback: 'Take a message.', maxRetries: 0 };
    const unreachable = channelAt(NOWHERE, options);
    assert.deepEqual(await unreachable.agent(), {
      source: 'fallback',
      rendered: 'Take a message.',
      contact: null,
      config: {},
    });
    await assert.rejects(channelAt(NOWHERE, { maxRetries: 0 }).agent(), { code: 'CONNECTION_ERROR' });
    const page = await startScriptedServer(test, { status: 404, body: '<html>' });
    assert.equal((await channelAt(page.url, options).agent({ number: '1' })).source, 'fallback');
    const without = await startScriptedServer(test, refusal(404, 'NOT_FOUND'));
    await assert.rejects(channelAt(without.url, options).agent(), { code: 'NOT_FOUND' });
  });

  it('A 404 for a number also ends the cached agent', async (test) => {
    const gone = refusal(404, 'NOT_FOUND');
    const server = await startScriptedServer(test, ok(agentOf('one')), gone, 'close');
    const channel = channelAt(server.url, { fallback: 'Take a message.', maxRetries: 0 });
    await channel.agent();
    await assert.rejects(channel.agent({ number: '+14155550100' }), { code: 'NOT_FOUND' });
    assert.equal((await channel.agent({ number: '+14155550100' })).source, 'fallback');
  });

  it('The cached agent stops answering when the channel no longer has one', async (test) => {
    const server = await startScriptedServer(test, ok(agentOf('one')), refusal(404, 'NOT_FOUND'));
    const channel = channelAt(server.url, { fallback: 'Take a message.' });
    await channel.agent();
    assert.equal((await channel.agent()).source, 'cache');
    while (server.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 20));
    await assert.rejects(channel.agent(), { code: 'NOT_FOUND' });
  });

  it('Options that cannot work are refused', () => {
    for (const wrong of ['rk_1', 'whsec_', 'whsec_not*base64', 'whsec_é'])
      assert.throws(() => channelAt(NOWHERE, { secret: wrong }), TypeError, wrong);
    assert.throws(() => channelAt(NOWHERE, { id: '..' }), TypeError);
    assert.throws(() => channelAt('127.0.0.1:3000'), TypeError);
  });
});

describe('Reports of the SDK', () => {
  it('A report is signed as Standard Webhooks says, without the secret, and returns the recorded call', async (test) => {
    const server = await startScriptedServer(test, recorded);
    const channel = channelAt(server.url);
    const call = await channel.report(event('call-1', { status: 'ringing' }));
    assert.deepEqual(call, { id: 'call_1', contact_id: null, effect: 'recorded' });
    const [request] = server.requests as [ReceivedRequest];
    assert.deepEqual([request.method, request.url], ['POST', '/hooks/channels/channel_1/events']);
    assert.deepEqual(
      new Webhook(secret).verify(request.body, request.headers as never),
      JSON.parse(request.body),
    );
    assert.deepEqual(JSON.parse(request.body), event('call-1', { status: 'ringing' }));
    assert.equal(request.headers.authorization, undefined);
    assert.equal(channel.pending, 0);
  });

  it('A report is sent until the service has it, with the same id and another time', async (test) => {
    withShortPauses(test);
    const server = await startScriptedServer(test, 'close', down, refusal(500, 'INTERNAL_ERROR'), recorded);
    const channel = channelAt(server.url);
    void channel.report(event('call-1'));
    assert.equal(channel.pending, 1);
    await channel.flush();
    assert.equal(server.requests.length, 4);
    assert.equal(new Set(server.requests.map(({ headers }) => headers['webhook-id'])).size, 1);
    for (const { body, headers } of server.requests)
      assert.ok(new Webhook(secret).verify(body, headers as never));
  });

  it('Reports are sent although those of many other calls fail again and again', async (test) => {
    withShortPauses(test);
    const attempts: Record<string, number> = {};
    const failing: typeof fetch = async (_, init) => {
      const { provider_id } = JSON.parse(String(init?.body));
      attempts[provider_id] = (attempts[provider_id] ?? 0) + 1;
      const isGood = provider_id.startsWith('good');
      const body = isGood ? { data: { id: provider_id } } : { error: { code: 'INTERNAL_ERROR' } };
      return Response.json(body, { status: isGood ? 200 : 500 });
    };
    const channel = channelAt(NOWHERE, { fetch: failing });
    for (let at = 0; at < 10; at++) void channel.report(event(`bad ${at}`));
    const good = await Promise.all([1, 2, 3].map((at) => channel.report(event(`good ${at}`))));
    assert.deepEqual(
      good.map((call) => call?.id),
      ['good 1', 'good 2', 'good 3'],
    );
    while (!Array.from({ length: 10 }, (_, at) => attempts[`bad ${at}`] ?? 0).every((count) => count > 1))
      await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal((await channel.close({ timeoutMs: 0 })).length, 10);
  });

  it('Reports of one call keep their order, and do not wait for another call whose report fails', async (test) => {
    withShortPauses(test);
    const poison = refusal(500, 'INTERNAL_ERROR');
    const server = await startScriptedServer(test, poison, poison, recorded);
    const channel = channelAt(server.url);
    void channel.report(event('a', { status: 'ringing' }));
    void channel.report(event('a', { status: 'completed' }));
    for (const call of ['b', 'c', 'd', 'e', 'f']) void channel.report(event(call));
    await channel.flush();
    const statuses = bodiesOf(server.requests)
      .filter(({ provider_id }) => provider_id === 'a')
      .map(({ status }) => status);
    assert.equal(statuses.at(-1), 'completed');
    assert.equal(statuses.indexOf('completed'), statuses.length - 1);
    assert.deepEqual([...new Set(callsOf(server.requests))].sort(), ['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('A report that the service refuses is dropped with its error, and the others are sent', async (test) => {
    const server = await startScriptedServer(test, refusal(400, 'VALIDATION_ERROR'), recorded);
    const dropped: unknown[] = [];
    const onDrop: ChannelOptions['onDrop'] = ({ provider_id }, reason) =>
      dropped.push([provider_id, reason instanceof RosterError && reason.code]);
    const channel = channelAt(server.url, { onDrop });
    assert.equal(await channel.report(event('a')), undefined);
    assert.equal((await channel.report(event('b')))?.id, 'call_1');
    assert.deepEqual(dropped, [['a', 'VALIDATION_ERROR']]);
  });

  it('In an outage the oldest reports are dropped above the limits of count and bytes', async () => {
    const dropped: [string, unknown][] = [];
    const onDrop: ChannelOptions['onDrop'] = ({ provider_id }, reason) => dropped.push([provider_id, reason]);
    const unreachable: typeof fetch = () => Promise.reject(new TypeError('No network.'));
    const few = channelAt(NOWHERE, { fetch: unreachable, maxReports: 6, onDrop });
    // Four are being sent.
    for (let at = 0; at < 10; at++) void few.report(event(`call-${at}`));
    assert.deepEqual(
      dropped,
      ['call-4', 'call-5', 'call-6', 'call-7'].map((call) => [call, 'overflow']),
    );
    assert.equal(few.pending, 6);
    dropped.length = 0;
    const bytes = JSON.stringify(event('call-0', { summary: 'é'.repeat(500) })).length + 500;
    const small = channelAt(NOWHERE, { fetch: unreachable, maxReportBytes: bytes * 6, onDrop });
    for (let at = 0; at < 8; at++) void small.report(event(`call-${at}`, { summary: 'é'.repeat(500) }));
    assert.deepEqual(
      dropped.map(([call]) => call),
      ['call-4', 'call-5'],
    );
    for (const channel of [few, small]) assert.equal((await channel.close({ timeoutMs: 0 })).length, 6);
  });

  it('A report that was delayed says when it happened', async (test) => {
    withShortPauses(test);
    const server = await startScriptedServer(test, down, down, recorded);
    const channel = channelAt(server.url);
    const reported = Date.now();
    const now = test.mock.method(Date, 'now', () => reported);
    void channel.report(event('a', { status: 'in_progress' }));
    void channel.report(event('b', { status: 'completed', seconds: 3 }));
    now.mock.mockImplementation(() => reported + 60_000);
    await channel.flush();
    const time = new Date(reported).toISOString();
    const late = bodiesOf(server.requests).filter((body) => 'started_at' in body || 'ended_at' in body);
    assert.deepEqual(
      late.find(({ provider_id }) => provider_id === 'a'),
      { started_at: time, ...event('a', { status: 'in_progress' }) },
    );
    assert.deepEqual(
      late.find(({ provider_id }) => provider_id === 'b'),
      { ended_at: time, ...event('b', { status: 'completed', seconds: 3 }) },
    );
  });

  it('A report that says when it ended is sent as it is, however late, because its start is before that', async (test) => {
    withShortPauses(test);
    const server = await startScriptedServer(test, down, down, down, recorded);
    const channel = channelAt(server.url);
    const reported = Date.now();
    const now = test.mock.method(Date, 'now', () => reported);
    const ended_at = new Date(reported - 5_000).toISOString();
    const events = [
      event('a', { ended_at, seconds: 3 }),
      event('b', { ended_at, status: 'completed' }),
      event('c', { type: 'message', ended_at, status: 'completed' }),
    ];
    for (const each of events) void channel.report(each);
    now.mock.mockImplementation(() => reported + 60_000);
    await channel.flush();
    const sent = bodiesOf(server.requests).slice(-3);
    assert.deepEqual(
      sent.sort((one, other) => one.provider_id.localeCompare(other.provider_id)),
      events,
    );
  });

  it('A report that cannot be signed is dropped with the error, because another attempt would not help', async (test) => {
    const server = await startScriptedServer(test, recorded);
    const dropped: unknown[] = [];
    const channel = channelAt(server.url, { onDrop: (_, reason) => dropped.push(reason) });
    const problem = new TypeError('No cryptography.');
    const sign = test.mock.method(crypto.subtle, 'sign', () => Promise.reject(problem));
    assert.equal(await channel.report(event('a')), undefined);
    assert.deepEqual(dropped, [problem]);
    sign.mock.restore();
    assert.equal((await channel.report(event('b')))?.id, 'call_1');
  });

  it('A callback for dropped reports that fails does not stop the others', async (test) => {
    const failing: NonNullable<ChannelOptions['onDrop']>[] = [
      () => {
        throw new Error('Thrown before a promise.');
      },
      () => Promise.reject(new Error('Later.')),
    ];
    for (const onDrop of failing) {
      const server = await startScriptedServer(test, refusal(400, 'VALIDATION_ERROR'), recorded);
      const channel = channelAt(server.url, { onDrop });
      assert.equal(await channel.report(event('a')), undefined);
      assert.equal((await channel.report(event('b')))?.id, 'call_1');
      await channel.close();
      assert.equal(await channel.report(event('c')), undefined);
    }
  });

  it('Closing waits for the reports, returns those that were not sent and drops later ones', async (test) => {
    const server = await startScriptedServer(test, recorded, 'hang');
    const reasons: unknown[] = [];
    const channel = channelAt(server.url, { onDrop: (_, reason) => reasons.push(reason) });
    await channel.report(event('a'));
    const lost = channel.report(event('b'));
    while (server.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(await channel.close({ timeoutMs: 50 }), [event('b')]);
    assert.equal(await lost, undefined);
    assert.equal(await channel.report(event('c')), undefined);
    assert.deepEqual(reasons, ['closed', 'closed']);
    assert.deepEqual(callsOf(server.requests), ['a', 'b']);
    assert.deepEqual(await channel.close(), []);
  });
});
