import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ConflictError,
  ConnectionError,
  RateLimitedError,
  type Retry,
  Roster,
  RosterError,
  type RosterOptions,
  TimeoutError,
  UnavailableError,
} from '../../sdk/src/index.ts';
import { type ScriptedResponse, startScriptedServer } from '../kit/http/scripted-server.ts';

const agent = { success: true, data: { id: 'an id', name: 'Ada' } };
const ok: ScriptedResponse = { status: 200, body: agent };
const refusal = (status: number, code: string, retryAfter?: string): ScriptedResponse => ({
  status,
  headers: { 'x-request-id': 'req_1', ...(retryAfter !== undefined && { 'retry-after': retryAfter }) },
  body: { success: false, error: { code, message: 'No.', request_id: 'req_1' } },
});
const overloaded = refusal(503, 'UNAVAILABLE', '0');

const clientFor = (baseUrl: string, options: Partial<RosterOptions> = {}) =>
  new Roster({ baseUrl, apiKey: 'a key', ...options });

describe('Retries of the SDK', () => {
  it('A write is repeated after 503, 429 and a lost connection, with the same Idempotency-Key and body', async (test) => {
    const server = await startScriptedServer(
      test,
      overloaded,
      refusal(429, 'RATE_LIMITED', '0'),
      'close',
      ok,
    );
    const retries: Retry[] = [];
    const roster = clientFor(server.url, { onRetry: (retry) => retries.push(retry) });
    assert.equal((await roster.agents.create({ name: 'Ada', instructions: '' })).name, 'Ada');
    assert.equal(server.requests.length, 4);
    const keys = new Set(server.requests.map(({ headers }) => headers['idempotency-key']));
    assert.equal(keys.size, 1);
    assert.match([...keys][0] as string, /^[\da-f-]{36}$/);
    assert.deepEqual(new Set(server.requests.map(({ body }) => body)).size, 1);
    assert.deepEqual(
      retries.map(({ attempt, error }) => [attempt, error.constructor]),
      [
        [1, UnavailableError],
        [2, RateLimitedError],
        [3, ConnectionError],
      ],
    );
  });

  it('Every write has its own Idempotency-Key, unless the caller sets one', async (test) => {
    const server = await startScriptedServer(test, ok);
    const roster = clientFor(server.url);
    await roster.agents.create({ name: 'A', instructions: '' });
    await roster.agents.update('an id', {});
    await roster.agents.update('an id', {}, { idempotencyKey: 'mine', ifMatch: '"1"' });
    await roster.agents.get('an id');
    await roster.agents.delete('an id');
    const [first, second, third, ...others] = server.requests.map(
      ({ headers }) => headers['idempotency-key'],
    );
    assert.notEqual(first, second);
    assert.equal(third, 'mine');
    assert.deepEqual(others, [undefined, undefined]);
    assert.equal(server.requests[2]?.headers['if-match'], '"1"');
  });

  it('Retry-After is the shortest pause, and a random part is added', async (test) => {
    const server = await startScriptedServer(test, refusal(429, 'RATE_LIMITED', '1'), ok);
    const pauses: number[] = [];
    const roster = clientFor(server.url, { onRetry: ({ delayMs }) => pauses.push(delayMs) });
    const started = performance.now();
    await roster.agents.get('an id');
    assert.ok(performance.now() - started >= 995);
    assert.ok(pauses[0] !== undefined && pauses[0] >= 1000 && pauses[0] <= 1500, `${pauses}`);
  });

  it('A date in Retry-After is understood', async (test) => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    const server = await startScriptedServer(test, refusal(503, 'UNAVAILABLE', date));
    await assert.rejects(clientFor(server.url, { maxRetries: 0 }).agents.get('an id'), (error) => {
      assert.ok(error instanceof UnavailableError);
      assert.ok(error.retryAfter !== undefined && error.retryAfter > 55 && error.retryAfter <= 60);
      return true;
    });
  });

  it('A request whose key is still in use is repeated, and any other conflict is not', async (test) => {
    const running = await startScriptedServer(test, refusal(409, 'CONFLICT', '0'), ok);
    await clientFor(running.url).agents.update('an id', {});
    assert.equal(running.requests.length, 2);
    const conflict = await startScriptedServer(test, refusal(409, 'CONFLICT'));
    await assert.rejects(clientFor(conflict.url).agents.update('an id', {}), ConflictError);
    assert.equal(conflict.requests.length, 1);
  });

  it('Requests that the service refuses are not repeated', async (test) => {
    for (const [status, code] of [
      [400, 'VALIDATION_ERROR'],
      [401, 'UNAUTHORIZED'],
      [403, 'FORBIDDEN'],
      [404, 'NOT_FOUND'],
      [412, 'PRECONDITION_FAILED'],
      [422, 'IDEMPOTENCY_MISMATCH'],
    ] as const) {
      const server = await startScriptedServer(test, refusal(status, code));
      await assert.rejects(clientFor(server.url).agents.get('an id'), { code, status, requestId: 'req_1' });
      assert.equal(server.requests.length, 1, code);
    }
  });

  it('Reads, deletes and writes with a key are repeated after 500, and an upload is not', async (test) => {
    const failure = refusal(500, 'INTERNAL_ERROR');
    const fails = await startScriptedServer(test, failure, ok, failure, ok, failure, ok, failure);
    const { agents, imports } = clientFor(fails.url);
    assert.equal((await agents.get('an id')).name, 'Ada');
    assert.equal((await agents.update('an id', {})).name, 'Ada');
    await agents.delete('an id');
    await assert.rejects(imports.create('phone\n'), { code: 'INTERNAL_ERROR', status: 500 });
    const keys = fails.requests.map(({ method, headers }) => [method, headers['idempotency-key']]);
    assert.deepEqual(
      keys.map(([method]) => method),
      ['GET', 'GET', 'PATCH', 'PATCH', 'DELETE', 'DELETE', 'POST'],
    );
    assert.match(String(keys[2]?.[1]), /^[\da-f-]{36}$/);
    assert.equal(keys[2]?.[1], keys[3]?.[1]);
  });

  it('The URL and the key default to ROSTER_URL and ROSTER_KEY of the environment', async (test) => {
    const server = await startScriptedServer(test, ok);
    const { ROSTER_URL, ROSTER_KEY } = process.env;
    test.after(() => {
      for (const name of ['ROSTER_URL', 'ROSTER_KEY']) delete process.env[name];
      Object.assign(process.env, { ...(ROSTER_URL && { ROSTER_URL }), ...(ROSTER_KEY && { ROSTER_KEY }) });
    });
    Object.assign(process.env, { ROSTER_URL: server.url, ROSTER_KEY: 'their key' });
    await new Roster().agents.get('an id');
    await new Roster({ apiKey: 'my key' }).agents.get('an id');
    assert.deepEqual(
      server.requests.map(({ headers }) => headers.authorization),
      ['Bearer their key', 'Bearer my key'],
    );
    process.env.ROSTER_KEY = '';
    assert.throws(() => new Roster(), /^TypeError: Set apiKey, or ROSTER_KEY in the environment\.$/);
    delete process.env.ROSTER_URL;
    assert.throws(
      () => new Roster({ apiKey: 'my key' }),
      /^TypeError: baseUrl or ROSTER_URL must be a URL such as https:\/\/roster\.example\.com\.$/,
    );
  });

  it('A DELETE that gets 404 after a lost response counts as done, and any other 404 does not', async (test) => {
    const lost = await startScriptedServer(test, 'close', refusal(404, 'NOT_FOUND'));
    assert.deepEqual(await clientFor(lost.url).agents.delete('an id'), { deleted: true });
    const limited = await startScriptedServer(
      test,
      refusal(429, 'RATE_LIMITED', '0'),
      refusal(404, 'NOT_FOUND'),
    );
    await assert.rejects(clientFor(limited.url).agents.delete('an id'), { code: 'NOT_FOUND' });
  });

  it('After the last retry the last error is thrown', async (test) => {
    const server = await startScriptedServer(test, overloaded);
    await assert.rejects(clientFor(server.url, { maxRetries: 1 }).agents.get('an id'), UnavailableError);
    assert.equal(server.requests.length, 2);
    await assert.rejects(clientFor(server.url).agents.get('an id', { maxRetries: 0 }), {
      code: 'UNAVAILABLE',
      retryAfter: 0,
    });
    assert.equal(server.requests.length, 3);
  });

  it('An attempt that takes too long is ended and repeated', async (test) => {
    const server = await startScriptedServer(test, 'hang', ok);
    const roster = clientFor(server.url, { timeoutMs: 50 });
    assert.equal((await roster.agents.get('an id')).name, 'Ada');
    const silent = await startScriptedServer(test, 'hang');
    await assert.rejects(
      clientFor(silent.url).agents.get('an id', { timeoutMs: 20, maxRetries: 0 }),
      (error) =>
        error instanceof TimeoutError && error instanceof ConnectionError && error.code === 'TIMEOUT',
    );
  });

  it('The total time limits all attempts, and a pause that would exceed it is not started', async (test) => {
    const silent = await startScriptedServer(test, 'hang', ok);
    await assert.rejects(clientFor(silent.url, { totalTimeoutMs: 100 }).agents.get('an id'), TimeoutError);
    const busy = await startScriptedServer(test, refusal(429, 'RATE_LIMITED', '3600'), ok);
    await assert.rejects(clientFor(busy.url).agents.get('an id'), { code: 'RATE_LIMITED', retryAfter: 3600 });
    assert.deepEqual([silent.requests.length, busy.requests.length], [1, 1]);
  });

  it('A signal ends a request, a pause and a request that has not started', async (test) => {
    const silent = await startScriptedServer(test, 'hang');
    const reason = new Error('The user left.');
    const first = new AbortController();
    const running = clientFor(silent.url).agents.get('an id', { signal: first.signal });
    setTimeout(() => first.abort(reason), 20);
    await assert.rejects(running, reason);
    await assert.rejects(clientFor(silent.url).agents.get('an id', { signal: first.signal }), reason);

    const busy = await startScriptedServer(test, refusal(429, 'RATE_LIMITED', '60'));
    const second = new AbortController();
    const roster = clientFor(busy.url, { onRetry: () => setTimeout(() => second.abort(reason), 20) });
    await assert.rejects(roster.agents.get('an id', { signal: second.signal }), reason);
    assert.equal(busy.requests.length, 1);
  });

  it('A response that is not from Roster becomes an error that says so', async (test) => {
    const page = await startScriptedServer(test, { status: 200, body: '<html>' });
    await assert.rejects(clientFor(page.url).agents.get('an id'), { code: 'INVALID_RESPONSE', status: 200 });
    const proxy = await startScriptedServer(test, { status: 418, body: '<html>' });
    await assert.rejects(clientFor(proxy.url).agents.get('an id'), { code: 'HTTP_418', name: 'RosterError' });
  });

  it('Ids are encoded, and one that would change the path is refused before a request', async (test) => {
    const server = await startScriptedServer(test, ok);
    const roster = clientFor(`${server.url}/proxy/`);
    await roster.agents.get('a/b?c');
    assert.equal(server.requests[0]?.url, '/proxy/v1/agents/a%2Fb%3Fc');
    for (const id of ['', '.', '..']) assert.throws(() => roster.agents.delete(id), TypeError);
    assert.equal(server.requests.length, 1);
  });

  it('The client names itself, and sends the headers of its options', async (test) => {
    const server = await startScriptedServer(test, ok);
    const roster = clientFor(`${server.url}/v1`, { headers: { 'x-tenant': 'one' } });
    await roster.agents.get('an id', { headers: { 'x-trace': 'two' } });
    const headers = server.requests[0]?.headers ?? {};
    assert.match(headers['user-agent'] ?? '', /^roster-client\/\d+\.\d+\.\d+/);
    assert.deepEqual(
      [headers.authorization, headers['x-tenant'], headers['x-trace']],
      ['Bearer a key', 'one', 'two'],
    );
    assert.equal(server.requests[0]?.url, '/v1/agents/an%20id');
    assert.throws(() => clientFor('not a url'), TypeError);
    assert.throws(() => new Roster({ baseUrl: server.url, apiKey: '' }), TypeError);
    for (const baseUrl of ['127.0.0.1:3000', 'localhost:3000', ''])
      assert.throws(
        () => new Roster({ baseUrl, apiKey: 'a key' }),
        /^TypeError: baseUrl or ROSTER_URL must be a URL such as https:/,
      );
    assert.ok(new RosterError('', { code: '' }) instanceof Error);
  });
});
