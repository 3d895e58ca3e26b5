import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { STALLED_MS } from '../../src/http/pipeline/connection.ts';
import { connectionLimits } from '../../src/http/server/connection-limits.ts';
import { assertError } from '../kit/http/assertions.ts';
import { connectHalfOpen, countOpenSockets } from '../kit/http/half-open-client.ts';
import { RawConnection, requestBytes, sendBytes } from '../kit/http/raw-connection.ts';
import { type Program, withPrograms } from '../kit/process/program.ts';

const FILES = 300;
const ROSTER_API_KEY = 'a-key-of-my-own-0123456789';
// Serving threads divide the limits, and the system chooses the thread of a connection.
const environment = { ROSTER_API_KEY, LOG_LEVEL: 'error', SERVE_THREADS: '1' };
const headers = { authorization: `Bearer ${ROSTER_API_KEY}` };
const list = requestBytes('GET', '/v1/contacts', { headers });
const health = requestBytes('GET', '/healthz');
const { served, rejected } = connectionLimits(1, FILES);

/** Opens connections that send nothing, from sixteen addresses. */
const openSilent = (url: string, count: number): Promise<Socket[]> =>
  Promise.all(
    Array.from({ length: count }, (_, at) => connectHalfOpen(url, { from: `127.0.0.${2 + (at % 16)}` })),
  );

/** Waits until the process has at most this many open sockets. */
const untilOpenSockets = async ({ pid }: Program, most: number, withinMs: number) => {
  const latest = performance.now() + withinMs;
  while (countOpenSockets(pid) > most) {
    assert.ok(performance.now() < latest, `${countOpenSockets(pid)} sockets are open, not ${most}`);
    await sleep(50);
  }
};

describe('Service with few file descriptors', { concurrency: true }, () => {
  it('Requests above the connection limit get 503, and the database stays available', () =>
    withPrograms(async (start) => {
      const { url } = await start(environment, { files: FILES }).ready();
      const connections: RawConnection[] = [];
      // Each has sent a request, so that none is closed to make room.
      for (let count = 0; count < served; count++) {
        const connection = await RawConnection.open(url);
        connections.push(connection);
        connection.write(requestBytes('POST', '/v1/agents', { headers: UNFINISHED }));
      }
      const above = await sendBytes(url, list);
      assertError(above, 503, 'UNAVAILABLE');
      assert.equal(above.headers.get('connection'), 'close');
      assert.equal(above.headers.get('retry-after'), '1');
      assert.equal((await sendBytes(url, health)).status, 200);
      const { text } = await sendBytes(url, requestBytes('GET', '/metrics'));
      assert.match(text, /^roster_requests_shed_total\{queue="connections"\} 1$/m);
      const first = connections[0] as RawConnection;
      first.write('{"name":"A","instructions":""}');
      assert.equal((await first.nextResponse())?.status, 201, 'those within it go on, also to write');
      for (const connection of connections) connection.destroy();
    }));

  it('The service answers while idle clients use all file descriptors, and closes their connections', () =>
    withPrograms(async (start) => {
      const program = start(environment, { files: FILES });
      const { url } = await program.ready();
      const before = countOpenSockets(program.pid);
      const sockets: Socket[] = [];
      // Twice as long as the header timeout, with more connections each second than fit.
      for (let second = 0; second < 4; second++) {
        sockets.push(...(await openSilent(url, served + rejected + 20)));
        assert.equal((await sendBytes(url, health)).status, 200);
        await sleep(1_000);
      }
      await sleep(3_000);
      assert.equal((await sendBytes(url, list)).status, 200, 'an old silent connection makes room');
      await untilOpenSockets(program, before, 20_000);
      for (const socket of sockets) socket.destroy();
    }));
});

/** Opens connections that request more than the system buffers, without a key, and read nothing. */
const openUnread = (url: string, count: number): Promise<Socket[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const socket = await connectHalfOpen(url);
      socket.pause();
      for (let ahead = 0; ahead < 11; ahead++)
        socket.write(requestBytes('GET', '/dashboard/openapi.json', ANONYMOUS));
      return socket;
    }),
  );

/** The status of a request that is repeated after a second, as a 503 response says, but not until the others time out. */
const statusAfterRetries = async (url: string) => {
  const latest = performance.now() + STALLED_MS - 1_000;
  for (;;) {
    await sleep(1_000);
    const { status } = await sendBytes(url, list);
    if (status !== 503 || performance.now() > latest) return status;
  }
};

const ANONYMOUS = { headers: { authorization: null } };

describe('Service at its connection limit', () => {
  it('Authenticated callers are answered while clients without a key do not read their responses', () =>
    withPrograms(async (start) => {
      const files = 140;
      const limits = connectionLimits(1, files);
      const { url } = await start(environment, { files }).ready();
      const sockets: Socket[] = [];
      for (let round = 0; round < 3; round++) {
        sockets.push(...(await openUnread(url, limits.served)));
        assert.equal(await statusAfterRetries(url), 200);
      }
      for (const socket of sockets) socket.destroy();
    }));
});

describe('Connection with pending responses', () => {
  it('A connection registers one listener, however much non-HTTP data arrives', () =>
    withPrograms(async (start) => {
      const program = start(environment);
      const { url } = await program.ready();
      const connection = await RawConnection.open(url);
      const answers = 8;
      for (let count = 0; count < answers; count++) {
        const body = JSON.stringify({ email: `ada${count}@example.com`, password: 'a wrong password' });
        connection.write(requestBytes('POST', '/dashboard/api/session', { body, ...ANONYMOUS }));
      }
      for (let count = 0; count < 40; count++) {
        connection.write('\0\0\r\n\r\n');
        await sleep(10);
      }
      for (let count = 0; count < answers; count++)
        assert.equal((await connection.nextResponse())?.status, 401);
      assert.equal((await connection.nextResponse())?.status, 400);
      await connection.closed();
      assert.doesNotMatch(program.stderr, /MaxListeners/);
    }));
});

const UNFINISHED = { ...headers, 'content-type': 'application/json', 'content-length': '30' };

describe('Pending connections of one address', { concurrency: true }, () => {
  const GRACE_MS = 3_000;
  const MAX_CONNECTIONS = 256;

  it('Pending connections of one address are limited after a grace period; used ones stay open', () =>
    withPrograms(async (start) => {
      const program = start(environment);
      const { url } = await program.ready();
      const used = await RawConnection.open(url);
      used.write(health);
      assert.equal((await used.nextResponse())?.status, 200);
      const before = countOpenSockets(program.pid);
      const sockets: Socket[] = [];
      for (let count = 0; count < MAX_CONNECTIONS + 100; count++) sockets.push(await connectHalfOpen(url));
      assert.equal((await sendBytes(url, list)).status, 200);
      await sleep(GRACE_MS + 200);
      sockets.push(await connectHalfOpen(url));
      await untilOpenSockets(program, before + MAX_CONNECTIONS, 2_000);
      used.write(list);
      assert.equal((await used.nextResponse())?.status, 200);
      for (const socket of sockets) socket.destroy();
      used.destroy();
    }));

  it('Pending connections are not limited behind a trusted proxy', () =>
    withPrograms(async (start) => {
      const program = start({ ...environment, TRUST_PROXY: 'true' });
      const { url } = await program.ready();
      const before = countOpenSockets(program.pid);
      const sockets: Socket[] = [];
      for (let count = 0; count < MAX_CONNECTIONS + 50; count++) sockets.push(await connectHalfOpen(url));
      await sleep(GRACE_MS + 200);
      sockets.push(await connectHalfOpen(url));
      assert.equal((await sendBytes(url, list)).status, 200);
      assert.ok(countOpenSockets(program.pid) >= before + MAX_CONNECTIONS + 51);
      for (const socket of sockets) socket.destroy();
    }));
});
