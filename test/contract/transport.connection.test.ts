import assert from 'node:assert/strict';
import { it } from 'node:test';
import { makeWorkspace, openTestStorage } from '../kit/database/workspaces.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { RawConnection, requestBytes, sendBytes } from '../kit/http/raw-connection.ts';
import { assertUnaffected, untilIdle } from '../kit/service/health.ts';
import { onSqlite } from '../kit/service/test-service.ts';

const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const AGENT = '{"name":"Piped","instructions":""}';
const get = (path: string) => requestBytes('GET', path);

onSqlite('HTTP connections', (service) => {
  it('A connection stays open for the next request after any response', async () => {
    const connection = await RawConnection.open(service.url);
    for (const [bytes, status] of [
      [get('/v1/contacts'), 200],
      [get('/nowhere'), 404],
      [get(`/v1/agents/${UNKNOWN_ID}`), 404],
      [requestBytes('POST', '/v1/agents', { body: '{}' }), 400],
      [requestBytes('GET', '/v1/agents', { headers: { authorization: null } }), 401],
      [requestBytes('PUT', '/v1/agents'), 405],
      [get('/v1/contacts'), 200],
    ] as const) {
      connection.write(bytes);
      const reply = await connection.nextResponse();
      assert.equal(reply?.status, status);
      assert.notEqual(reply?.headers.get('connection'), 'close');
    }
    connection.destroy();
  });

  it('Ten pipelined requests are answered in order', async () => {
    const connection = await RawConnection.open(service.url);
    const paths = Array.from({ length: 10 }, (_, at) =>
      at % 3 === 0 ? `/v1/agents?limit=${at + 1}` : at % 3 === 1 ? `/v1/agents/x${at}` : '/nowhere',
    );
    connection.write(Buffer.concat(paths.map(get)));
    const seen = [];
    for (const _ of paths) {
      const reply = await connection.nextResponse();
      seen.push(reply?.body.pagination?.limit ?? reply?.status);
    }
    assert.deepEqual(seen, [1, 400, 404, 4, 400, 404, 7, 400, 404, 10]);
    assert.equal(connection.unparsed, '');
    connection.destroy();
  });

  it('Pipelined writes and reads are answered in order', async () => {
    const connection = await RawConnection.open(service.url);
    const bodies = ['{"name":1}', '{', AGENT.replace('Piped', ''), '[]', '{"instructions":null}'];
    connection.write(
      Buffer.concat(
        bodies.flatMap((body, at) => [
          requestBytes('POST', '/v1/agents', { body }),
          get(`/v1/agents?limit=${at + 1}`),
        ]),
      ),
    );
    for (let at = 1; at <= bodies.length; at++) {
      assert.equal((await connection.nextResponse())?.status, 400);
      assert.equal((await connection.nextResponse())?.body.pagination.limit, at);
    }
    connection.destroy();
  });

  it('A request that arrives byte by byte is accepted', async () => {
    const connection = await RawConnection.open(service.url);
    for (const byte of requestBytes('POST', '/v1/agents', { body: '{"name":""}' })) {
      connection.write(Uint8Array.of(byte));
      await new Promise(setImmediate);
    }
    const reply = await connection.nextResponse();
    assert.ok(reply);
    assertInvalid(reply, 'name', 'instructions');
    connection.destroy();
  });

  for (const [status, path, headers] of [
    [401, '/v1/agents', { authorization: null }],
    [404, '/nowhere', {}],
    [405, `/v1/agents/${UNKNOWN_ID}`, {}],
    [413, '/v1/agents', { 'content-length': '2000000' }],
    [415, '/v1/agents', { 'content-type': 'text/plain' }],
    [400, '/v1/agents', { expect: 'a-miracle' }],
  ] as const) {
    it(`After an early ${status}, the unread body is not read as a request`, async () => {
      const smuggled = requestBytes('POST', '/v1/agents', { body: AGENT });
      for (const together of [true, false]) {
        const connection = await RawConnection.open(service.url);
        const head = requestBytes('POST', path, {
          headers: {
            'content-type': 'application/json',
            'content-length': `${smuggled.length}`,
            ...headers,
          },
        });
        if (together) connection.write(Buffer.concat([head, smuggled, get('/v1/agents?limit=7')]));
        else connection.write(head);
        const reply = await connection.nextResponse();
        assert.equal(reply?.status, status);
        if (!together) connection.write(Buffer.concat([smuggled, get('/v1/agents?limit=7')]));
        const next = await connection.nextResponse();
        if (next) assert.equal(next.body.pagination.limit, 7);
        else assert.equal(reply?.headers.get('connection'), 'close');
        connection.destroy();
      }
    });
  }

  it('The body of a GET is not read as the next request', async () => {
    const body = requestBytes('POST', '/v1/agents', { body: AGENT });
    const connection = await RawConnection.open(service.url);
    connection.write(
      Buffer.concat([requestBytes('GET', '/v1/agents?limit=5', { body }), get('/v1/agents?limit=7')]),
    );
    assert.equal((await connection.nextResponse())?.body.pagination.limit, 5);
    const next = await connection.nextResponse();
    if (next) assert.equal(next.body.pagination.limit, 7);
    connection.destroy();
  });

  it('100 Continue is sent only if the body will be read', async () => {
    const connection = await RawConnection.open(service.url);
    const headers = { expect: '100-continue', 'content-type': 'application/json', 'content-length': '2' };
    connection.write(requestBytes('POST', '/v1/agents', { headers }));
    assert.equal((await connection.nextResponse())?.status, 100);
    connection.write('{}');
    const reply = await connection.nextResponse();
    assert.ok(reply);
    assertInvalid(reply, 'name', 'instructions');
    connection.destroy();
    for (const [status, refused] of [
      [401, { authorization: null }],
      [413, { 'content-length': '2000000' }],
      [415, { 'content-type': 'text/plain' }],
    ] as const) {
      const bytes = requestBytes('POST', '/v1/agents', { headers: { ...headers, ...refused } });
      assert.equal((await sendBytes(service.url, bytes)).status, status);
    }
  });

  it('A body with both Content-Length and Transfer-Encoding returns 400 and closes', async () => {
    const headers = {
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
      'content-length': '4',
    };
    const connection = await RawConnection.open(service.url);
    connection.write(requestBytes('POST', '/v1/agents', { headers }));
    connection.write(
      Buffer.concat([Buffer.from('0\r\n\r\n'), requestBytes('POST', '/v1/agents', { body: AGENT })]),
    );
    const reply = await connection.nextResponse();
    assert.ok(reply);
    assertError(reply, 400, 'VALIDATION_ERROR');
    await connection.closed();
    assert.equal(connection.unparsed, '');
  });

  for (const [what, bytes] of [
    ['garbage', Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 197 + 13) % 256))],
    ['a TLS ClientHello', Buffer.from('16030100a5010000a10303', 'hex')],
    ['zero bytes', Buffer.alloc(1024)],
    ['HTTP/2', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
    [
      'an invalid chunk',
      requestBytes('POST', '/v1/agents', {
        headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      })
        .toString('latin1')
        .concat('zz\r\n{}\r\n'),
    ],
    ['headers above 8 KiB', requestBytes('GET', '/v1/agents', { headers: { 'x-large': 'x'.repeat(9_000) } })],
    [
      'many headers above 8 KiB',
      requestBytes('GET', '/v1/agents', {
        headers: Object.fromEntries(
          Array.from({ length: 400 }, (_, at) => [`x-header-${at}`, 'value value']),
        ),
      }),
    ],
    [
      'more than 100 headers',
      requestBytes('GET', '/v1/agents', {
        headers: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`x-${at}`, ''])),
      }),
    ],
    ['a path above 8 KiB', get(`/v1/agents?search=${'x'.repeat(9_000)}`)],
  ] as const) {
    it(`Sending ${what} returns 400 and closes the connection`, async () => {
      const connection = await RawConnection.open(service.url);
      connection.write(bytes);
      const reply = await connection.nextResponse();
      assert.ok(reply, connection.unparsed);
      assertError(reply, 400, 'VALIDATION_ERROR');
      assert.equal(reply.headers.get('connection'), 'close');
      await connection.closed();
    });
  }

  it('Headers below 8 KiB are accepted', async () => {
    const bytes = requestBytes('GET', '/v1/agents', { headers: { 'x-large': 'x'.repeat(7_500) } });
    assert.equal((await sendBytes(service.url, bytes)).status, 200);
  });

  it('A client can close the connection at any time', async () => {
    const storage = await openTestStorage(service.database);
    const { key } = await makeWorkspace(storage);
    await storage.close();
    const whole = requestBytes('POST', '/v1/agents', {
      headers: { authorization: `Bearer ${key}` },
      body: '{"name":""}',
    });
    for (let length = 1; length < whole.length; length += 3) {
      const connection = await RawConnection.open(service.url);
      connection.write(whole.subarray(0, length));
      if (length % 2) await new Promise(setImmediate);
      connection.destroy();
    }
    await untilIdle(service);
  });

  it('The service still works after broken connections', () => assertUnaffected(service));
});

onSqlite('Garbage after a request', (service) => {
  it('Garbage after a request never replaces the response to that request', async () => {
    const connection = await RawConnection.open(service.url);
    connection.write(
      Buffer.concat([requestBytes('POST', '/v1/agents', { body: AGENT }), Buffer.from('\0\0\r\n\r\n')]),
    );
    const first = await connection.nextResponse();
    await connection.closed();
    await untilIdle(service);
    const written = await service.database.query('select id from agents');
    assert.deepEqual(
      written.map((row) => row.id),
      first?.status === 201 ? [first.body.data.id] : [],
      `the first answer was ${first?.text}`,
    );
  });
});

onSqlite('HTTP pipelining', (service) => {
  it('A pipelined request starts after the previous one is answered', async () => {
    const connection = await RawConnection.open(service.url);
    for (let times = 1; times <= 5; times++) {
      const [first_name, phone_number] = [`Ahead${times}`, `+1202555010${times}`];
      const body = JSON.stringify({ phone_number, first_name });
      const list = get(`/v1/contacts?search=${first_name.toLowerCase()}`);
      connection.write(Buffer.concat([list, requestBytes('POST', '/v1/contacts', { body }), list]));
      const found = [];
      for (const answer of [
        await connection.nextResponse(),
        await connection.nextResponse(),
        await connection.nextResponse(),
      ]) {
        found.push(answer?.body.pagination?.total ?? answer?.status);
      }
      assert.deepEqual(found, [0, 201, 1]);
    }
    connection.destroy();
  });

  it('No pipelined request starts after a response with Connection: close', async () => {
    const connection = await RawConnection.open(service.url);
    const body = JSON.stringify({ phone_number: '+12025550118' });
    const unread = requestBytes('POST', '/v1/contacts', { body, headers: { authorization: null } });
    connection.write(Buffer.concat([unread, requestBytes('POST', '/v1/contacts', { body })]));
    const last = await connection.nextResponse();
    assert.deepEqual([last?.status, last?.headers.get('connection')], [401, 'close']);
    await connection.closed();
    await untilIdle(service);
    const { body: found } = await service.get('/v1/contacts?search=%2B12025550118');
    assert.equal(found.pagination.total, 0);
  });

  it('Eleven pipelined requests are answered; many more close only that connection', async () => {
    const connection = await RawConnection.open(service.url);
    const many = (count: number) => Buffer.concat(Array.from({ length: count }, () => get('/readyz')));
    connection.write(many(11));
    for (let count = 0; count < 11; count++) assert.equal((await connection.nextResponse())?.status, 200);
    connection.destroy();
    const others = await Promise.all(Array.from({ length: 10 }, () => RawConnection.open(service.url)));
    for (const each of others) each.write(many(50));
    assert.equal((await service.get('/healthz')).status, 200);
    for (const each of others) await each.closed();
    await untilIdle(service);
  });

  it('Pipelined requests of a disconnected client are not started', async () => {
    const connection = await RawConnection.open(service.url);
    const body = JSON.stringify({ phone_number: '+12025550119' });
    const slow = Array.from({ length: 10 }, (_, at) => get(`/v1/contacts?search=left${at}`));
    connection.write(Buffer.concat([...slow, requestBytes('POST', '/v1/contacts', { body })]));
    await connection.nextResponse();
    connection.destroy();
    await untilIdle(service);
    const { body: found } = await service.get('/v1/contacts?search=%2B12025550119');
    assert.equal(found.pagination.total, 0);
  });
});
