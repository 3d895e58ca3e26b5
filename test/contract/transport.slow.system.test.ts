import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { engines } from '../kit/database/engines.ts';
import { assertError } from '../kit/http/assertions.ts';
import { countConnectionsTo } from '../kit/http/half-open-client.ts';
import { RawConnection, requestBytes } from '../kit/http/raw-connection.ts';
import { assertUnaffected } from '../kit/service/health.ts';
import { startTestService, type TestService } from '../kit/service/test-service.ts';

/** Sends the start of a request and then, if given, a part every half second, until the server closes the connection. */
const sendSlowly = async (service: TestService, start: string | Uint8Array, part?: string) => {
  const began = performance.now();
  const connection = await RawConnection.open(service.url);
  connection.write(start);
  const timer = part === undefined ? undefined : setInterval(() => connection.write(part), 500);
  const reply = await connection.nextResponse();
  const seconds = (performance.now() - began) / 1000;
  await connection.closed().finally(() => clearInterval(timer));
  return { reply, seconds };
};

const assertCutOff = async (sent: ReturnType<typeof sendSlowly>) => {
  const { reply, seconds } = await sent;
  assert.ok(reply, `the connection ended without an answer after ${seconds} s`);
  const error = assertError(reply, 400, 'VALIDATION_ERROR');
  assert.match(error.message, /arrived too slowly|did not arrive within 10 seconds/);
  assert.equal(reply.headers.get('connection'), 'close');
  assert.ok(seconds >= 9, `${seconds} s`);
};

/** The durations are limits of the server, so all cases run concurrently. */
describe('Requests that never end', { concurrency: true }, () => {
  for (const [name, create] of Object.entries(engines)) {
    it(`A request that never ends is answered and closed on ${name} and delays no other`, {
      timeout: 60_000,
    }, async () => {
      const service = await startTestService(await create());
      const headers = { 'content-type': 'application/json', 'content-length': '100' };
      const head = requestBytes('POST', '/v1/agents', { headers });
      const chunked = requestBytes('POST', '/v1/agents', {
        headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      });
      try {
        const slow = [
          assertCutOff(sendSlowly(service, 'GET /v1/agents HTTP/1.1\r\nhost: x\r\n')),
          assertCutOff(sendSlowly(service, 'GET /v1/agents HTTP/1.1\r\n', 'x: y\r\n')),
          assertCutOff(sendSlowly(service, head)),
          assertCutOff(sendSlowly(service, head, '{')),
          assertCutOff(sendSlowly(service, chunked, '1\r\n \r\n')),
        ];
        assert.equal((await service.get('/v1/agents')).status, 200);
        const outcomes = await Promise.allSettled(slow);
        const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
        assert.deepEqual(
          failed.map((outcome) => outcome.reason),
          [],
        );
        await assertUnaffected(service);
      } finally {
        await service.stop();
        await service.database.drop();
      }
    });
  }
});

describe('Connections without a request', () => {
  it('A connection over which nothing was sent is closed without a response', async () => {
    const service = await startTestService(await engines.sqlite());
    const connection = await RawConnection.open(service.url);
    await connection.closed();
    assert.equal(connection.unparsed, '');
    await service.stop();
    await service.database.drop();
  });
});

describe('Responses that are never read', () => {
  it('A connection whose client does not read is reset, so that the kernel discards its bytes', {
    timeout: 60_000,
  }, async () => {
    const service = await startTestService(await engines.sqlite());
    const { hostname, port } = new URL(service.url);
    const socket = connect({ host: hostname, port: Number(port) });
    try {
      await once(socket, 'connect');
      socket.pause();
      socket.write(Buffer.concat(Array.from({ length: 10 }, () => requestBytes('GET', '/openapi.json'))));
      // The check for stalled connections runs every 6 seconds and needs two rounds, which a busy machine delays.
      while (countConnectionsTo(Number(port)) > 0) await pause(100);
      const error = once(socket, 'close').then(() => assert.fail('the connection was closed in order'));
      socket.resume();
      await assert.rejects(error, { code: 'ECONNRESET' });
    } finally {
      socket.destroy();
      await service.stop();
      await service.database.drop();
    }
  });
});
