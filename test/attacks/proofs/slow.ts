import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { engines } from '../../kit/engines.ts';
import { most, report } from '../../kit/figures.ts';
import { holdDatabase } from '../../kit/held.ts';
import { bytesOf, type LoadResult, putLoad } from '../../kit/load.ts';
import { withPrograms } from '../../kit/process.ts';

const KEY = 'a-key-of-my-own-0123456789';
const EVERY_MS = 1_000;

/** How an attacker holds a connection: what it sends first, and what it adds every second. */
interface Attack {
  readonly begin: string;
  readonly piece?: string;
  /** Whether it takes nothing of what is answered. */
  readonly isDeaf?: true;
}

const bodyOf = (length: string) =>
  bytesOf('POST', '/v1/agents', KEY).replace(
    '\r\n\r\n',
    `\r\ncontent-type: application/json\r\n${length}\r\n\r\n`,
  );

const attacks: Readonly<Record<string, Attack>> = {
  'slow headers': { begin: 'GET /v1/agents HTTP/1.1\r\nhost: x\r\n', piece: 'x: y\r\n' },
  'no request at all': { begin: '' },
  'slow bodies': { begin: bodyOf('content-length: 100000'), piece: '{'.repeat(50) },
  'slow chunks': { begin: bodyOf('transfer-encoding: chunked'), piece: '1\r\n \r\n' },
  // More than the buffers of the system hold, asked for and not read.
  'slow reads': { begin: bytesOf('GET', '/v1/contacts?limit=100', KEY).repeat(60), isDeaf: true },
};

/** How many connections are opened in a second. */
const PER_SECOND = 1_000;
/** How much longer than is judged a connection is watched. */
const MORE_S = 5;

/** Holds a connection as the attack says; gives the seconds from when it stands until the service has ended it, or until
 *  nobody waits any more. One that does not read does not see the end either: it looks at the last moment that is in time. */
const hold = (url: URL, { begin, piece, isDeaf }: Attack, within: number): Promise<number> =>
  new Promise((resolve) => {
    const socket: Socket = connect({ host: url.hostname, port: Number(url.port) });
    let began = performance.now();
    let timers: NodeJS.Timeout[] = [];
    socket.on('error', () => {});
    socket.on('data', () => {});
    socket.on('connect', () => {
      began = performance.now();
      timers = [
        setInterval(() => piece && socket.writable && socket.write(piece), EVERY_MS),
        setTimeout(() => socket.destroy(), (within + MORE_S) * 1000),
        setTimeout(() => socket.resume(), within * 1000),
      ];
      socket.write(begin);
    });
    if (isDeaf) socket.pause();
    socket.once('close', () => {
      for (const timer of timers) clearTimeout(timer);
      const seconds = (performance.now() - began) / 1000;
      resolve(isDeaf && seconds < within + MORE_S - 1 ? within : seconds);
    });
  });

/** How others are served meanwhile, who ask from a process of their own. */
const others = (url: string, seconds: number) =>
  putLoad({
    url,
    requests: [bytesOf('GET', '/v1/contacts?limit=1', KEY)],
    connections: 100,
    seconds,
    rate: 200,
  });

const p99Of = ({ p99 }: LoadResult) => Math.round(p99.good * 10) / 10;

export interface Slow {
  readonly engine: keyof typeof engines;
  /** In all, shared out among the attacks. */
  readonly connections: number;
  /** The seconds after which each must be ended. */
  readonly within: number;
  /** Whether the time of others is judged. */
  readonly isJudged: boolean;
}

/** Holds many connections in every slow way at once, and looks when each is ended and how others are served. */
export const slowClients = async (test: TestContext, { engine, connections, within, isJudged }: Slow) => {
  const database = await holdDatabase(test, engine);
  await withPrograms(async (start) => {
    const environment = { DATABASE_URL: database.url, ROSTER_API_KEY: KEY, LOG_LEVEL: 'error' };
    const { url } = await start(environment).ready();
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    for (let count = 0; count < 100; count++) {
      const phone_number = `+1202555${String(100 + count).padStart(4, '0')}`;
      const body = JSON.stringify({ phone_number, notes: 'n'.repeat(2_000) });
      assert.equal((await fetch(`${url}/v1/contacts`, { method: 'POST', headers, body })).status, 201);
    }
    await others(url, 2);
    const before = await others(url, isJudged ? 10 : 2);

    const names = Object.keys(attacks);
    const each = Math.ceil(connections / names.length);
    const asking = others(url, isJudged ? connections / PER_SECOND + within : 2);
    const held = names.map(async (name) => {
      const attack = attacks[name] as Attack;
      // Buffers of the system are what slow reads use up; a few of them do.
      const count = attack.isDeaf ? Math.min(each, 50) : each;
      const seconds = await Promise.all(
        Array.from({ length: count }, async (_, at) => {
          await pause(((at * connections) / count / PER_SECOND) * 1000);
          return hold(new URL(url), attack, within);
        }),
      );
      return [name, most(seconds)] as const;
    });
    const [during, ...pairs] = await Promise.all([asking, ...held]);
    const ended = Object.fromEntries(pairs);
    const figures = {
      connections,
      p99_before_ms: p99Of(before),
      p99_during_ms: p99Of(during),
      unsent: during.unsent,
      ...ended,
    };
    report(test, `slow-clients-${engine}`, figures);
    for (const [name, seconds] of Object.entries(ended))
      assert.ok(seconds <= within, `${name}: ended after ${seconds} s`);
    for (const { answers, broken } of [before, during])
      assert.deepEqual([Object.keys(answers), broken], [['200'], 0], 'others are answered');
    if (isJudged) assert.ok(figures.p99_during_ms <= figures.p99_before_ms * 2, JSON.stringify(figures));
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
  });
};
