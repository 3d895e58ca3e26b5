import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ALWAYS_ANSWERED } from '../../src/http/pipeline/load-shedding.ts';
import { createLog } from '../../src/lib/log.ts';
import { startService } from '../../src/wiring/service.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { engines } from '../kit/database/engines.ts';
import { makeWorkspace, openTestStorage } from '../kit/database/workspaces.ts';
import { makeAgent, makeContact } from '../kit/fixtures/factories.ts';
import { assertError, TIMESTAMP } from '../kit/http/assertions.ts';
import { requestBytes, sendBytes } from '../kit/http/raw-connection.ts';
import { logLines } from '../kit/service/health.ts';
import { KEY, onEveryEngine, testConfig } from '../kit/service/test-service.ts';

/** Secrets that must not get into a log. */
const SECRETS = {
  phone: '+12025550147',
  digits: '2025550147',
  name: 'Canaryname',
  email: 'canary@example.com',
  note: 'canary-note',
  tag: 'canary-tag',
  instructions: 'canary-instructions',
  field: 'canary_field',
  path: 'canary-path',
  header: 'canary-header',
  key: 'rk_1_canarycanarycanarycanarycanaryca',
  garbage: 'canary-garbage',
};

onEveryEngine('Request log', (service) => {
  const flushed = async () => {
    await sleep(20);
    return logLines(service);
  };

  it('Successful probes and scrapes are logged only at the level debug', async () => {
    const replies = await Promise.all([...ALWAYS_ANSWERED].map((path) => service.get(path)));
    const other = await service.get('/v1/nowhere');
    const lines = await flushed();
    const levelOf = (reply: typeof other) =>
      lines.find((line) => line.request_id === reply.headers.get('x-request-id'))?.level;
    assert.deepEqual([...replies, other].map(levelOf), [...replies.map(() => 'debug'), 'info']);
  });

  it('The log has one JSON line for each request with its id, method, route and status', async () => {
    const { id } = await makeAgent(service);
    const sent = [
      [await service.get(`/v1/agents/${id}`), 'GET', '/v1/agents/:id'],
      [await service.get('/api/v1/agents?limit=1'), 'GET', '/api/v1/agents'],
      [await service.patch(`/v1/agents/${id}`, {}), 'PATCH', '/v1/agents/:id'],
      [await service.get('/v1/agents/no-uuid'), 'GET', '/v1/agents/:id'],
      [await service.get('/v1/agents', { key: 'wrong' }), 'GET', '/v1/agents'],
      [await service.get('/nowhere'), 'GET', 'unknown'],
      [await service.call('PUT', '/v1/agents'), 'PUT', 'unknown'],
    ] as const;
    const lines = await flushed();
    for (const [reply, method, route] of sent) {
      const of = lines.filter((line) => line.request_id === reply.headers.get('x-request-id'));
      assert.equal(of.length, 1, `${method} ${route}`);
      const { time, ms, ...line } = of[0];
      assert.match(time, TIMESTAMP);
      assert.ok(ms >= 0 && ms < 10_000);
      assert.deepEqual(line, {
        level: 'info',
        message: 'request',
        request_id: reply.headers.get('x-request-id'),
        method,
        route,
        status: reply.status,
      });
    }
  });

  it('The log has the trace id of a valid traceparent, and ignores an invalid one', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traceIdFor = async (traceparent: string) => {
      const reply = await service.get('/v1/agents', { headers: { traceparent } });
      assert.equal(reply.status, 200);
      const lines = await flushed();
      return lines.find((line) => line.request_id === reply.headers.get('x-request-id'))?.trace_id;
    };
    assert.equal(await traceIdFor(`00-${trace}-00f067aa0ba902b7-01`), trace);
    assert.equal(await traceIdFor(`00-${trace}-0000000000000000-01`), undefined);
    assert.equal(await traceIdFor('canary-header'), undefined);
  });

  it('The log never contains a key, a phone number, a name or other input', async () => {
    const { phone, name, email, note, tag, instructions, field, path, header, key, garbage } = SECRETS;
    const storage = await openTestStorage(service.database);
    const other = await makeWorkspace(storage);
    await storage.close();
    const headers = {
      'x-request-id': header,
      'user-agent': header,
      referer: header,
      cookie: header,
      traceparent: header,
      tracestate: header,
      'x-forwarded-for': header,
    };
    const fields = {
      phone_number: phone,
      first_name: name,
      last_name: name,
      display_name: name,
      company: name,
      email,
      notes: note,
      tags: [tag],
    };
    const { id } = await makeContact(service, fields);
    const agent = await makeAgent(service, { name, description: note, instructions });
    await service.post('/v1/contacts', fields, { headers });
    await service.post('/v1/contacts', { ...fields, [field]: note });
    await service.post('/v1/contacts', { phone_number: `${phone}x`, email: note, tags: [tag.repeat(99)] });
    await service.post('/v1/contacts', undefined, { raw: `{"phone_number":"${phone}",${garbage}` });
    await service.post('/v1/contacts', undefined, { raw: garbage, headers: { 'content-type': garbage } });
    await service.patch(`/v1/contacts/${id}`, { first_name: name, notes: note });
    await service.patch(`/v1/agents/${agent.id}`, { instructions, name });
    await service.get(`/v1/contacts/${path}`);
    await service.get(`/v1/agents/${path}`);
    await service.get(`/${path}/${encodeURIComponent(phone)}`);
    for (const text of [phone, SECRETS.digits, name, email]) {
      assert.equal((await service.get(`/v1/contacts?search=${encodeURIComponent(text)}`)).status, 200);
    }
    await service.get(`/v1/contacts?tag=${tag}&${field}=${note}`);
    await service.get(`/v1/contacts?search=${name}&offset=5000`);
    await service.get('/v1/contacts', { key });
    await service.get('/v1/contacts', { key: other.key });
    await service.get('/v1/contacts', { headers: { authorization: `Basic ${key}` } });
    await sendBytes(service.url, `${garbage}\r\n\r\n`);
    await sendBytes(
      service.url,
      requestBytes('GET', `/v1/contacts?search=${garbage}`, { headers: { host: null } }),
    );
    await sendBytes(service.url, `GET /${path} HTTP/1.1\r\n${garbage}\r\n\r\n`);
    await service.delete(`/v1/contacts/${id}`);
    await flushed();
    const text = service.log.join('');
    for (const [what, secret] of Object.entries({ ...SECRETS, own: KEY, other: other.key })) {
      assert.equal(text.includes(secret), false, `${what} is in the log`);
    }
    assert.equal(text.includes(id), false, 'an id in a path names a person too');
    assert.doesNotMatch(text, /canary/i);
  });

  it('The log reports a truncated response to GET, but not to HEAD', async () => {
    const owner = await signedInUser(service);
    const requestExport = (method: string) => owner.call(method, '/contacts/export').catch(() => undefined);
    await service.database.query('alter table contacts rename to elsewhere');
    const [whole, head] = [await requestExport('GET'), await requestExport('HEAD')];
    await service.database.query('alter table elsewhere rename to contacts');
    assert.deepEqual([whole, head?.status], [undefined, 200]);
    const lines = (await flushed()).filter(
      ({ message, route }) => message === 'response aborted' || route?.endsWith('/export'),
    );
    assert.deepEqual(
      lines.map(({ level, message, method }) => [level, message, method]),
      [
        ['info', 'request', 'GET'],
        ['error', 'response aborted', undefined],
        ['info', 'request', 'HEAD'],
      ],
    );
    assert.match(lines[1].stack, /contacts/);
    assert.equal(lines[1].request_id, lines[0].request_id);
  });

  it('The log names the cause of an internal error; neither log nor response has the input', async () => {
    await service.database.query('alter table contacts rename to elsewhere');
    const phone = '+12025550148';
    const reply = await service.post('/v1/contacts', { phone_number: phone, first_name: SECRETS.name });
    const error = assertError(reply, 500, 'INTERNAL_ERROR');
    assert.equal('details' in error, false);
    assertError(await service.get(`/v1/contacts?search=${SECRETS.name}`), 500, 'INTERNAL_ERROR');
    assertError(await service.get('/v1/contacts'), 500, 'INTERNAL_ERROR');
    const lines = await flushed();
    const logged = lines.filter((line) => line.request_id === error.request_id);
    assert.deepEqual(
      logged.map((line) => [line.level, line.message, line.status]),
      [
        ['error', 'request failed', undefined],
        ['info', 'request', 500],
      ],
    );
    assert.match(logged[0].stack, /contacts/);
    const text = service.log.join('');
    assert.equal(text.includes(phone), false);
    assert.equal(text.includes(SECRETS.name), false);
  });
});

describe('Request log behind a proxy', () => {
  it('The request id of a trusted proxy is used if it is valid, and no other', async () => {
    const database = await engines.sqlite();
    const lines: string[] = [];
    const service = await startService(
      testConfig(database, { logLevel: 'info', logClientAddress: true, trustProxy: 1 }),
      createLog({ level: 'info', pretty: false, write: (text) => lines.push(text) }),
    );
    try {
      for (const [given, taken] of [
        ['abc-DEF_1.2:3', true],
        ['x'.repeat(100), true],
        ['x'.repeat(101), false],
        ['with space', false],
        ['"quoted"', false],
        ['', false],
      ] as const) {
        const response = await fetch(`${service.url}/v1/contacts`, { headers: { 'x-request-id': given } });
        const id = response.headers.get('x-request-id') ?? '';
        if (taken) assert.equal(id, given);
        else assert.match(id, /^req_\w+$/);
        const body = (await response.json()) as { error: { request_id: string } };
        assert.equal(body.error.request_id, id);
      }
      await sleep(20);
      assert.match(lines.join(''), /"request_id":"abc-DEF_1\.2:3"/);
      assert.match(lines.join(''), /"client_address":"127\.0\.0\.1"/);
      const headers = { 'x-forwarded-for': '192.0.2.9, [2001:DB8::7]:443' };
      await fetch(`${service.url}/v1/contacts`, { headers });
      await sleep(20);
      assert.match(lines.join(''), /"client_address":"2001:db8::7"/);
      assert.equal(lines.join('').includes('192.0.2.9'), false);
    } finally {
      await service.stop();
      await database.drop();
    }
  });
});
