import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { engines } from '../../kit/database/engines.ts';
import { comparableReply } from '../../kit/http/assertions.ts';
import { RawConnection } from '../../kit/http/raw-connection.ts';
import { type Program, withPrograms } from '../../kit/process/program.ts';
import { KEY, type Reply } from '../../kit/service/test-service.ts';
import { type Client, clientOf, type RawRequest } from '../kit/client.ts';
import { rawRequests } from '../kit/raw-requests.ts';
import { report } from '../kit/report.ts';

const MIB = 1_048_576;
const WARM_UP_ROUNDS = 10;
/** Each serving thread has its own heap. */
const MAX_GROWTH_MIB = 50 * Number(process.env.TEST_SERVE_THREADS ?? 1);

const residentMib = ({ pid }: Program): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);

/** The memory of a process when it is idle: the minimum within some seconds. A few normal requests continue on all connections,
 *  because they trigger garbage collection in the thread that serves them. */
const settledMemory = async (
  program: Program,
  normalReply: () => Promise<unknown>,
  seconds: number,
  targetMib = 0,
): Promise<number> => {
  let least = residentMib(program);
  for (let at = 0; at < seconds * 4 && least > targetMib; at++) {
    await Promise.all(Array.from({ length: 50 }, normalReply));
    await sleep(250);
    least = Math.min(least, residentMib(program));
  }
  return least;
};

const headers = { host: 'roster.test', authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
const post = (
  body: string | Uint8Array,
  more: Record<string, string> = {},
  path = '/v1/contacts',
): RawRequest => ({
  method: 'POST',
  path,
  headers: { ...headers, ...more },
  body,
});
const deep = (open: string, close: string) => `{"tags":${open.repeat(100_000)}1${close.repeat(100_000)}}`;
const poison = '{"isAdmin":true,"phone_number":"+12025550199"}';

/** Compressed to a thousandth of its size. */
const BOMB = gzipSync(Buffer.alloc(128 * MIB));

/** Valid HTTP requests with invalid content, each with its expected status. */
const rejected: readonly (readonly [string, RawRequest, number])[] = [
  ...['__proto__', 'constructor', 'prototype'].flatMap((name) => [
    [`the key ${name}`, post(`{"${name}":${poison}}`), 400] as const,
    [
      `the key ${name} within`,
      post(`{"phone_number":"+12025550198","tags":{"${name}":${poison}}}`),
      400,
    ] as const,
    [
      `the parameter ${name}`,
      { ...post(''), method: 'GET', body: undefined, path: `/v1/contacts?${name}=1&${name}[x]=1` },
      400,
    ] as const,
  ]),
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json+x',
    'application/json; charset=utf-7',
  ].map((type) => [`the type ${type}`, post('{}', { 'content-type': type }), 415] as const),
  ['a bomb in gzip', post(BOMB, { 'content-encoding': 'gzip' }), 415],
  ['a bomb that says it is none', post(BOMB), 400],
  ['a bomb for an import', post(BOMB, { 'content-encoding': 'gzip' }, '/v1/imports'), 403],
  ['100,000 arrays', post(deep('[', ']')), 400],
  ['100,000 objects', post(deep('{"a":', '}')), 400],
  ['a mebibyte of keys', post(`{${Array.from({ length: 87_000 }, (_, at) => `"k${at}":1`).join(',')}}`), 400],
  ['a mebibyte of one key', post(`{"${'k'.repeat(MIB - 10)}":1}`), 400],
  ['a mebibyte of quotes', post(`{"notes":"${'\\"'.repeat(MIB / 2 - 20)}"}`), 400],
  ['a mebibyte of zeros', post(new Uint8Array(MIB)), 400],
  ['a number of a mebibyte', post(`{"phone_number":${'9'.repeat(MIB - 30)}}`), 400],
  ['more than a mebibyte', post(new Uint8Array(4 * MIB)), 413],
];

const SENTINEL = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

/** Sends bytes and a final request on one connection. Returns the statuses of all responses, and what is wrong with
 *  them, if anything. */
const sendRaw = async (url: string, bytes: string): Promise<{ statuses: number[]; wrong: string }> => {
  const connection = await RawConnection.open(url);
  const replies: Reply[] = [];
  let wrong = '';
  const timer = setTimeout(() => {
    wrong = 'neither answered nor closed';
    connection.destroy();
  }, 20_000);
  connection.write(Buffer.from(bytes + SENTINEL, 'latin1'));
  for (let reply = await connection.nextResponse(); reply; reply = await connection.nextResponse())
    replies.push(reply);
  clearTimeout(timer);
  for (const { status, body, text } of replies) {
    if (status === 201 || status >= 500 || (status >= 400 && !body?.error?.request_id))
      wrong = `${status} ${text}`;
  }
  return { statuses: replies.map(({ status }) => status), wrong };
};

/** Sends all requests `rounds` times to a service in another process. */
export const hostileRequests = (rounds: number): void => {
  for (const [engine, create] of Object.entries(engines)) {
    test(`The service survives ${rounds} rounds of malformed requests and bodies on ${engine}`, async () => {
      const database = await create();
      try {
        await withPrograms(async (start) => {
          const environment = { ROSTER_API_KEY: KEY, LOG_LEVEL: 'warn', FAILURE_LIMIT: '1000000/1s' };
          const program = start({ DATABASE_URL: database.url, ...environment });
          const { url } = await program.ready();
          const client = clientOf(url, 4);
          await attack(program, url, client, rounds, engine).finally(() => client.close());
        });
      } finally {
        await database.drop();
      }
    });
  }
};

const attack = async (program: Program, url: string, client: Client, rounds: number, engine: string) => {
  const normalReply = async () => comparableReply(await client.send(post('{}')));
  const before = await normalReply();
  for (let at = 0; at < 200; at++) await client.send(post(`{"name":"Agent ${at}"}`, {}, '/v1/agents'));
  const findings: string[] = [];
  const sendAll = async () => {
    await Promise.all(
      rawRequests.map(async ([name, bytes, ...expected]) => {
        const { statuses, wrong } = await sendRaw(url, bytes);
        if (wrong || !expected.includes(statuses[0] ?? 'none'))
          findings.push(`${name}: ${statuses} ${wrong}`);
      }),
    );
    await Promise.all(
      rejected.map(async ([name, sent, status]) => {
        const reply = await client.send(sent);
        if (reply.status !== status) findings.push(`${name}: ${reply.status} ${reply.text.slice(0, 200)}`);
      }),
    );
  };
  // The first rounds compile code and fill buffers.
  for (let round = 0; round < WARM_UP_ROUNDS; round++) await sendAll();
  const rest = await settledMemory(program, normalReply, 3);
  for (let round = 0; round < rounds; round++) await sendAll();
  const after = await settledMemory(program, normalReply, 30, rest + MAX_GROWTH_MIB - 1);
  const written = await client.send({ ...post(''), method: 'GET', path: '/v1/agents', body: undefined });
  report(`hostile.${engine}`, {
    kinds: rawRequests.length + rejected.length,
    rounds,
    findings: findings.length,
    rest_mib: rest,
    after_mib: after,
  });
  assert.deepEqual(findings, []);
  assert.equal(written.body.pagination.total, 0, 'a request was smuggled in');
  assert.deepEqual(await normalReply(), before);
  assert.equal(program.stderr, '');
  assert.ok(after - rest < MAX_GROWTH_MIB, `${rest} MiB before, ${after} MiB after`);
};
