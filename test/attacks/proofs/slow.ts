import assert from 'node:assert/strict';
import { Agent, get } from 'node:https';
import type { Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { engines } from '../../kit/database/engines.ts';
import { connectHalfOpen, countOpenSockets, writeTlsFiles } from '../../kit/http/half-open-client.ts';
import { type LoadResult, requestText, runLoad } from '../../kit/load/load.ts';
import { report } from '../../kit/load/measurements.ts';
import { withPrograms } from '../../kit/process/program.ts';
import { databaseFor } from '../../kit/service/scoped-resources.ts';

const KEY = 'a-key-of-my-own-0123456789';
const EVERY_MS = 1_000;

/** A slow client: what it sends first, and what it sends every second. */
interface Attack {
  readonly start: string | Buffer;
  readonly chunk?: string;
  /** Whether it never reads responses. */
  readonly neverReads?: true;
  /** Whether it never completes the TLS handshake. */
  readonly isRaw?: true;
}

const bodyOf = (length: string) =>
  requestText('POST', '/v1/agents', KEY).replace(
    '\r\n\r\n',
    `\r\ncontent-type: application/json\r\n${length}\r\n\r\n`,
  );

const attacks: Readonly<Record<string, Attack>> = {
  'slow headers': { start: 'GET /v1/agents HTTP/1.1\r\nhost: x\r\n', chunk: 'x: y\r\n' },
  'no request at all': { start: '' },
  'slow bodies': { start: bodyOf('content-length: 100000'), chunk: '{'.repeat(50) },
  'slow chunks': { start: bodyOf('transfer-encoding: chunked'), chunk: '1\r\n \r\n' },
  // Requests more than the buffers of the system can store, and does not read it.
  'slow reads': { start: requestText('GET', '/v1/contacts?limit=100', KEY).repeat(11), neverReads: true },
};

/** The start of a ClientHello that announces 512 bytes. */
const CLIENT_HELLO = Buffer.from('1603010200010001fc0303', 'hex');

const handshakes: Readonly<Record<string, Attack>> = {
  'no handshake': { start: '', isRaw: true },
  'slow handshakes': { start: CLIENT_HELLO, chunk: '\0', isRaw: true },
};

/** Connections opened per second. */
const PER_SECOND = 1_000;
/** Connections close a moment after their time, and their sockets are counted later. */
const MARGIN_S = 5;

/** Opens a slow connection that the client never closes: the sockets of the service show whether it was closed. */
const openSlow = async (url: string, { start, chunk, neverReads, isRaw }: Attack): Promise<Socket> => {
  const socket = await connectHalfOpen(url, { isTls: url.startsWith('https') && !isRaw });
  if (neverReads) socket.pause();
  socket.write(start);
  const timer = setInterval(() => chunk && socket.writable && socket.write(chunk), EVERY_MS).unref();
  socket.once('close', () => clearInterval(timer));
  return socket;
};

/** The latency of other clients, which send requests from another process. */
const otherClients = (url: string, seconds: number) =>
  runLoad({
    url,
    requests: [requestText('GET', '/v1/contacts?limit=1', KEY)],
    connections: 100,
    seconds,
    rate: 200,
  });

const p99Of = ({ p99 }: LoadResult) => Math.round(p99.good * 10) / 10;

/** Sends a health check over TLS on a new connection. */
const probe = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const agent = new Agent({ rejectUnauthorized: false });
    get(`${url}/healthz`, { agent }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    }).on('error', reject);
  });

export interface Slow {
  readonly engine: keyof typeof engines;
  /** The total number, distributed among the attacks. */
  readonly connections: number;
  /** Each must be closed within this many seconds. */
  readonly within: number;
  /** Whether to assert the 99th percentile of the other clients and the time of a stop, which requires an idle machine. */
  readonly isAsserted: boolean;
}

/** The 99th percentile of the other clients may not be higher, in milliseconds. */
const MAX_P99_MS = 40;

/** Creates the hundred contacts that slow reads request. */
const createContacts = async (url: string) => {
  const socket = await connectHalfOpen(url, { isTls: url.startsWith('https') });
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  for (let count = 0; count < 100; count++) {
    const phone_number = `+1202555${String(100 + count).padStart(4, '0')}`;
    socket.write(requestText('POST', '/v1/contacts', KEY, { phone_number, notes: '😀'.repeat(2_000) }));
    // A connection accepts ten pipelined requests.
    while (count % 10 === 9 && (text.match(/HTTP\/1\.1 201/g) ?? []).length <= count) {
      assert.doesNotMatch(text, /HTTP\/1\.1 [345]/);
      await pause(20);
    }
  }
  socket.destroy();
};

/** Opens slow connections of every kind. Returns their sockets and when the last one was opened. */
const attackWith = async (url: string, kinds: typeof attacks, connections: number) => {
  const each = Math.ceil(connections / Object.keys(kinds).length);
  const attackers = Object.values(kinds).flatMap((attack) => {
    // Slow reads use up buffers of the system; a few are enough.
    const count = attack.neverReads ? Math.min(each, 50) : each;
    return Array.from({ length: count }, async (_, at) => {
      await pause(((at * connections) / count / PER_SECOND) * 1000);
      return openSlow(url, attack);
    });
  });
  return Promise.all(attackers);
};

/** Connections to PostgreSQL that may be opened after the start. */
const POOL = 16;

/** The seconds until a process has no more open sockets than before. */
const secondsUntilReleased = async (pid: number, before: number, within: number): Promise<number> => {
  const began = performance.now();
  for (;;) {
    const seconds = (performance.now() - began) / 1000;
    const open = countOpenSockets(pid);
    if (open <= before) return seconds;
    assert.ok(seconds < within + MARGIN_S, `${open - before} connections are open after ${seconds} s`);
    await pause(100);
  }
};

/** Opens many slow connections of every kind, which the clients never close. Measures when the service has closed them and the
 *  latency of other clients: before, while another service on the same machine is attacked, and while theirs is. */
export const slowClients = async (test: TestContext, { engine, connections, within, isAsserted }: Slow) => {
  const database = await databaseFor(test, engine);
  await withPrograms(async (start, folder) => {
    const environment = { DATABASE_URL: database.url, ROSTER_API_KEY: KEY, LOG_LEVEL: 'error' };
    const program = start(environment);
    const { url } = await program.ready();
    const sockets = countOpenSockets(program.pid) + (engine === 'postgres' ? POOL : 0);
    await createContacts(url);
    await otherClients(url, 2);
    const before = await otherClients(url, isAsserted ? 10 : 2);
    const attack = async (target: string) => {
      const load = otherClients(url, isAsserted ? connections / PER_SECOND + within : 2);
      const attackers = await attackWith(target, attacks, connections);
      return { attackers, others: await load };
    };
    const attackElsewhere = async () => {
      const other = start({ ...environment, DATABASE_URL: `sqlite:${folder}/other.db` });
      const target = (await other.ready()).url;
      await createContacts(target);
      const { attackers, others } = await attack(target);
      for (const socket of attackers) socket.destroy();
      await other.stop();
      return p99Of(others);
    };
    const elsewhere = isAsserted ? await attackElsewhere() : undefined;

    const { attackers, others: during } = await attack(url);
    const released = await secondsUntilReleased(program.pid, sockets, within);
    const figures = {
      connections,
      p99_before_ms: p99Of(before),
      ...(elsewhere !== undefined && { p99_elsewhere_ms: elsewhere }),
      p99_during_ms: p99Of(during),
      unsent: during.unsent,
      released_s: Math.round(released * 10) / 10,
    };
    report(test, `slow-clients-${engine}`, figures);
    assert.ok(released <= within, `the last connection was released after ${released} s`);
    for (const { responses, broken } of [before, during])
      assert.deepEqual([Object.keys(responses), broken], [['200'], 0], 'others are answered');
    if (isAsserted) assert.ok(figures.p99_during_ms <= MAX_P99_MS, JSON.stringify(figures));
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    for (const socket of attackers) socket.destroy();
  });
};

/** The same over TLS, with handshakes that never complete. The service stops while they are open. */
export const slowTlsClients = async (
  test: TestContext,
  { connections, within, isAsserted }: Omit<Slow, 'engine'>,
) => {
  await withPrograms(async (start, folder) => {
    const program = start({ ...writeTlsFiles(folder), ROSTER_API_KEY: KEY, LOG_LEVEL: 'error' });
    const { url } = await program.ready();
    const sockets = countOpenSockets(program.pid);
    await createContacts(url);
    assert.equal(await probe(url), 200);
    const attackers = await attackWith(url, { ...attacks, ...handshakes }, connections);
    assert.equal(await probe(url), 200);
    const released = await secondsUntilReleased(program.pid, sockets, within);
    report(test, 'slow-clients-tls', { connections, released_s: released });
    assert.ok(released <= within, `the last connection was released after ${released} s`);
    const more = await attackWith(url, handshakes, 40);
    const began = performance.now();
    assert.equal(await program.stop(), 0);
    const seconds = (performance.now() - began) / 1000;
    if (isAsserted) assert.ok(seconds < 6, `it stopped after ${seconds} s`);
    for (const socket of [...attackers, ...more]) socket.destroy();
  });
};
