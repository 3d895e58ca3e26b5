import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import {
  answer,
  type Behavior,
  endless,
  hang,
  raw,
  reset,
  startReceiver,
  trickle,
} from '../kit/webhooks/receiver.ts';
import { SHORT_MS, startSender } from '../kit/webhooks/sender.ts';

/** Sends one webhook to a receiver with the behavior. */
const sendTo = async (test: TestContext, behavior: Behavior, timeoutMs = 5_000) => {
  const receiver = await startReceiver(test, behavior);
  const { send, sender } = startSender(test);
  const { duration_ms, ...result } = await send(`http://127.0.0.1:${receiver.port}/`, { timeoutMs });
  return { receiver, sender, result, duration_ms };
};

/** Waits for a condition; the test fails by its time-out if it never holds. */
const until = async (condition: () => boolean) => {
  while (!condition()) await sleep(5);
};

const failed = (error: string, more: { status?: number; response_body?: string } = {}) => ({
  result: 'failed',
  status: null,
  error,
  response_body: '',
  ...more,
});

const OK = 'HTTP/1.1 200 OK\r\n';
const KILOBYTE = 'x'.repeat(1_024);

describe('Responses of webhook receivers', () => {
  it('The receiver gets a POST with the body, its length and the headers, and no invitation to compress', async (test) => {
    const receiver = await startReceiver(test, answer(200));
    const { send } = startSender(test);
    const result = await send(`http://127.0.0.1:${receiver.port}/hooks/ä?b=%20c`, {
      headers: { 'webhook-id': 'msg_1', 'user-agent': 'Roster/1' },
    });
    assert.ok(result.duration_ms >= 0 && result.duration_ms < 5_000);
    assert.deepEqual(receiver.requests, [
      {
        path: '/hooks/%C3%A4?b=%20c',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Roster/1',
          'accept-encoding': 'identity',
          'webhook-id': 'msg_1',
          'content-length': '10',
          host: `127.0.0.1:${receiver.port}`,
          connection: 'keep-alive',
        },
        body: '{"a":"ä"}',
        connection: 1,
        localAddress: '127.0.0.1',
        serverName: undefined,
      },
    ]);
  });

  it('Every status from 200 to 299 confirms the delivery', async (test) => {
    for (const status of [200, 201, 202, 299])
      assert.deepEqual((await sendTo(test, answer(status))).result, {
        result: 'delivered',
        status,
        error: null,
        response_body: 'ok',
      });
    const { result } = await sendTo(test, raw('HTTP/1.1 204 No Content\r\n\r\n'));
    assert.deepEqual(result, { result: 'delivered', status: 204, error: null, response_body: '' });
  });

  it('A response without length that ends with the connection is complete', async (test) => {
    for (const version of ['1.0', '1.1']) {
      const { result } = await sendTo(test, raw(`HTTP/${version} 200 OK\r\n\r\nhello`, { close: true }));
      assert.deepEqual(result, { result: 'delivered', status: 200, error: null, response_body: 'hello' });
    }
  });

  it('410 is gone, and all other statuses are failures', async (test) => {
    assert.deepEqual((await sendTo(test, answer(410))).result, {
      result: 'gone',
      status: 410,
      error: 'The receiver answered 410: it is gone permanently.',
      response_body: 'ok',
    });
    for (const status of [400, 404, 500, 503, 600, 999])
      assert.deepEqual(
        (await sendTo(test, answer(status))).result,
        failed(`The receiver answered ${status}. Only a status from 200 to 299 confirms the delivery.`, {
          status,
          response_body: 'ok',
        }),
      );
  });

  it('A redirect is a failure and is not followed, also not to a private address', async (test) => {
    const other = await startReceiver(test, answer(200));
    for (const location of [`http://127.0.0.1:${other.port}/`, 'http://169.254.169.254/', '/again'])
      for (const status of [301, 302, 303, 307, 308]) {
        const { result, receiver } = await sendTo(test, answer(status, { Location: location }));
        assert.deepEqual(
          result,
          failed(
            `The receiver answered ${status}. Redirects are not followed; change the URL of the endpoint.`,
            {
              status,
              response_body: 'ok',
            },
          ),
        );
        assert.equal(receiver.requests.length, 1);
      }
    assert.equal(other.connections(), 0);
  });

  it('Retry-After of 429 and 503 is reported in seconds or as a date, up to ten hours', async (test) => {
    const waits = async (status: number, value: string) =>
      (await sendTo(test, answer(status, { 'Retry-After': value }))).result.retryAfterMs;
    assert.equal(await waits(429, '7'), 7_000);
    assert.equal(await waits(503, '120'), 120_000);
    assert.equal(await waits(503, '999999999999'), 36_000_000);
    const wait = await waits(429, new Date(Date.now() + 60_000).toUTCString());
    assert.ok(wait !== undefined && wait > 50_000 && wait <= 60_000, `${wait}`);
    for (const value of ['0', '-5', '1.5e3x', 'soon', new Date(0).toUTCString(), '9'.repeat(50)])
      assert.equal(await waits(429, value), undefined, value);
    assert.equal(await waits(500, '7'), undefined);
  });

  it('A receiver that answers slowly but in time is served, and one that hangs is cut at the deadline', async (test) => {
    const slow = await sendTo(test, (socket, request) => setTimeout(() => answer(200)(socket, request), 100));
    assert.equal(slow.result.result, 'delivered');
    assert.ok(slow.duration_ms >= 99, `${slow.duration_ms}`);
    const { result, duration_ms, receiver } = await sendTo(test, hang, SHORT_MS);
    assert.deepEqual(result, failed('The receiver did not answer within 0.25 seconds.'));
    assert.ok(duration_ms >= 249 && duration_ms < 3_000, `${duration_ms}`);
    await receiver.closed();
  });

  it('A receiver that trickles bytes is cut at the deadline, in the headers, in the body and in interim responses', async (test) => {
    const headers = await sendTo(test, trickle(`${OK}X-Header: `), SHORT_MS);
    assert.deepEqual(headers.result, failed('The receiver did not answer within 0.25 seconds.'));
    const body = await sendTo(
      test,
      (socket, request) => {
        socket.write(`${OK}Content-Length: 100000\r\n\r\n`);
        trickle('abc')(socket, request);
      },
      SHORT_MS,
    );
    assert.equal(body.result.error, 'The receiver did not finish its response within 0.25 seconds.');
    assert.equal(body.result.status, 200);
    assert.match(body.result.response_body, /^abcx+$/);
    const interim = await sendTo(
      test,
      endless('', Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(1_000))),
    );
    assert.deepEqual(interim.result, failed('The receiver sent too many interim responses.'));
    for (const { receiver, duration_ms } of [headers, body, interim]) {
      assert.ok(duration_ms < 3_000, `${duration_ms}`);
      await receiver.closed();
    }
  });

  it('A response with a wrong length is a failure, although its status was 200', async (test) => {
    const short = 'The receiver answered 200, but closed the connection before the end of its response.';
    const long = 'The receiver answered 200, but its response is not valid HTTP. Check its Content-Length.';
    for (const [behavior, error, response_body] of [
      [raw(`${OK}Content-Length: 20\r\n\r\nok`, { close: true }), short, 'ok'],
      [raw(`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nok`, { close: true }), short, 'ok'],
      [raw(`${OK}Content-Length: 2\r\n\r\nok and more`), long, ''],
      [raw(`${OK}Content-Length: 2\r\nConnection: close\r\n\r\nok and more`, { close: true }), long, ''],
      [raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\nnot hex\r\n'), long, ''],
    ] as const)
      assert.deepEqual((await sendTo(test, behavior)).result, failed(error, { status: 200, response_body }));
  });

  it('A response that is not HTTP or contradicts itself is a failure', async (test) => {
    for (const text of [
      'SSH-2.0-OpenSSH_9.6\r\n',
      '\0\0\0\0\0\0\0\0',
      'HTTP/1.1 20 OK\r\n\r\n',
      `${OK}Content-Length: -2\r\n\r\nok`,
      `${OK}Content-Length: 2\r\nContent-Length: 3\r\n\r\nok`,
      `${OK}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `${OK}Bad Header: \0\r\n\r\n`,
    ])
      assert.deepEqual(
        (await sendTo(test, raw(text))).result,
        failed('The receiver did not answer in valid HTTP.'),
        JSON.stringify(text),
      );
    assert.deepEqual(
      (await sendTo(test, raw(`${OK}X: ${'a'.repeat(20_000)}\r\n\r\n`))).result,
      failed('The headers of the response are larger than 16 KB.'),
    );
  });

  it('A connection that the receiver closes, resets or upgrades is a failure, and so is a closed port', async (test) => {
    const closed = failed('The receiver closed the connection without a response.');
    assert.deepEqual((await sendTo(test, raw('', { close: true }))).result, closed);
    assert.deepEqual((await sendTo(test, reset)).result, closed);
    const upgrade = 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n';
    assert.deepEqual((await sendTo(test, raw(upgrade))).result, closed);
    const { send } = startSender(test);
    const { duration_ms, ...result } = await send('http://127.0.0.1:1/');
    assert.deepEqual(result, failed('The receiver refused the connection.'));
  });

  it('Only the first KB of a response is stored, as text that every database accepts', async (test) => {
    const bodyOf = async (body: string | Buffer) => {
      const { result } = await sendTo(test, answer(200, {}, body));
      assert.equal(result.result, 'delivered');
      return result.response_body;
    };
    assert.equal(await bodyOf(KILOBYTE), KILOBYTE);
    assert.equal(await bodyOf(`${KILOBYTE}y`), KILOBYTE);
    assert.equal(await bodyOf(`${KILOBYTE.slice(1)}é`), KILOBYTE.slice(1));
    assert.equal(await bodyOf('a\0b'), 'a\ufffdb');
    assert.equal(
      await bodyOf(Buffer.from([0x61, 0xff, 0xed, 0xa0, 0x80, 0x62])),
      'a\ufffd\ufffd\ufffd\ufffdb',
    );
    const binary = await bodyOf(Buffer.alloc(2_000, 0xff));
    assert.ok(binary.isWellFormed() && Buffer.byteLength(binary) <= 1_024);
  });

  it('An endless response is confirmed by its status, and only a small part of it is read', async (test) => {
    const megabyte = Buffer.alloc(1_000_000, 'x');
    for (const headers of ['Content-Length: 99999999999\r\n', '']) {
      const { result, receiver } = await sendTo(test, endless(`${OK}${headers}\r\n`, megabyte));
      assert.deepEqual(result, { result: 'delivered', status: 200, error: null, response_body: KILOBYTE });
      await receiver.closed();
      assert.ok(receiver.bytesSent() < 20_000_000, `${receiver.bytesSent()}`);
    }
  });

  it('A compressed response is never decompressed', async (test) => {
    const bomb = gzipSync(Buffer.alloc(10_000_000, 'x'));
    const { result } = await sendTo(test, answer(200, { 'Content-Encoding': 'gzip' }, bomb));
    assert.equal(result.result, 'delivered');
    assert.ok(Buffer.byteLength(result.response_body) <= 1_024);
    assert.ok(!result.response_body.includes('xxx'));
  });

  it('A header that HTTP cannot carry is a failure of the attempt, not an exception', async (test) => {
    const { send } = startSender(test);
    const { error } = await send('http://127.0.0.1:1/', { headers: { 'x-bad': 'a\r\nb: c' } });
    assert.equal(error, 'The request failed (ERR_INVALID_CHAR).');
  });
});

describe('Connections of webhooks', () => {
  it('Requests of one pool reuse a connection, and other pools have their own', async (test) => {
    const receiver = await startReceiver(test, answer(200));
    const { send, sender } = startSender(test);
    const url = `http://127.0.0.1:${receiver.port}/`;
    for (const pool of ['one', 'one', 'other', 'one']) await send(url, { pool });
    assert.deepEqual(
      receiver.requests.map(({ connection }) => connection),
      [1, 1, 2, 1],
    );
    assert.equal(sender.connections, 2);
  });

  it('A connection that the receiver closed while it was idle is replaced, once', async (test) => {
    const receiver = await startReceiver(test, answer(200));
    const { send } = startSender(test);
    const url = `http://127.0.0.1:${receiver.port}/`;
    await send(url);
    // Closes without an answer on the old connection, as if the request had crossed with the close.
    receiver.behave((socket, request) => (request.connection === 1 ? reset : answer(201))(socket, request));
    assert.equal((await send(url)).status, 201);
    assert.deepEqual(
      receiver.requests.map(({ connection }) => connection),
      [1, 1, 2],
    );
    receiver.behave(answer(200));
    await send(url);
    receiver.behave(reset);
    assert.equal((await send(url)).error, 'The receiver closed the connection without a response.');
    assert.equal(receiver.requests.length, 6);
  });

  it('Idle connections are bounded in number and closed after a time', async (test) => {
    const receiver = await startReceiver(test, answer(200));
    const { send, sender } = startSender(test, { maxIdle: 3, idleMs: 500 });
    const url = `http://127.0.0.1:${receiver.port}/`;
    const pools = Array.from({ length: 10 }, (_, at) => `pool ${at}`);
    await Promise.all(pools.map((pool) => send(url, { pool })));
    await until(() => sender.connections === 3);
    await until(() => sender.connections === 0);
    await receiver.closed();
  });

  it('The time limit of idle connections does not end a request', async (test) => {
    const receiver = await startReceiver(test, answer(200));
    const { send } = startSender(test, { idleMs: 50 });
    const url = `http://127.0.0.1:${receiver.port}/`;
    await send(url);
    receiver.behave((socket, request) => setTimeout(() => answer(202)(socket, request), 150));
    assert.equal((await send(url)).status, 202);
  });

  it('A pool opens no more connections than its limit, and a slow pool does not delay others', async (test) => {
    const receiver = await startReceiver(test, hang);
    const fast = await startReceiver(test, answer(200));
    const { send, sender } = startSender(test, { maxPerPool: 2 });
    const stuck = Array.from({ length: 5 }, () =>
      send(`http://127.0.0.1:${receiver.port}/`, { pool: 'slow', timeoutMs: SHORT_MS }),
    );
    const { result } = await send(`http://127.0.0.1:${fast.port}/`, { pool: 'fast' });
    assert.equal(result, 'delivered');
    assert.equal(receiver.connections(), 2);
    for (const { result } of await Promise.all(stuck)) assert.equal(result, 'failed');
    assert.equal(sender.available, 256);
  });

  it('Requests above the limit are rejected, and closing the sender rejects those in flight', async (test) => {
    const receiver = await startReceiver(test, hang);
    const { send, sender } = startSender(test, { maxInFlight: 2 });
    const url = `http://127.0.0.1:${receiver.port}/`;
    const first = [send(url), send(url)];
    assert.equal(sender.available, 0);
    await assert.rejects(send(url), /Too many webhooks are in flight/);
    sender.close();
    for (const each of [...first, send(url)]) await assert.rejects(each, /The webhook sender was closed/);
    assert.equal(sender.available, 2);
  });
});
