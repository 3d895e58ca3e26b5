import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { before, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { createLog } from '../../src/lib/log.ts';
import { startService } from '../../src/wiring/service.ts';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { engines } from '../kit/database/engines.ts';
import { lockRecords } from '../kit/database/locks.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { KEY, onEveryEngine, type TestService, testConfig } from '../kit/service/test-service.ts';

const THREADS = 3;
/** The system distributes connections by a hash of their addresses. One of so many reaches every thread. */
const CONNECTIONS = 24;
const FAILURES = 5;

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends a request on a connection of its own. */
const callAlone = (
  { url }: Pick<TestService, 'url'>,
  method: string,
  path: string,
  { key = KEY, body, idempotencyKey }: { key?: string; body?: unknown; idempotencyKey?: string } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    const sent = httpRequest(url + path, { method, agent: false, headers }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode as number, text });
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });

/** Sends the same request on many connections, and so to every thread. */
const callEverywhere = (
  service: TestService,
  ...request: [string, string, { key?: string; body?: unknown }?]
) => Promise.all(Array.from({ length: CONNECTIONS }, () => callAlone(service, ...request)));

/** The workers of this process. One that has ended has no name. */
const workers: Worker[] = [];
process.on('worker', (worker) => workers.push(worker));

const statuses = (answers: readonly Answer[]) => [...new Set(answers.map(({ status }) => status))].sort();

/** On a connection of its own, which a test that ends a thread does not close. */
const metric = async (service: TestService, line: RegExp): Promise<number> =>
  Number(line.exec((await callAlone(service, 'GET', '/metrics')).text)?.[1]);

/** Ends a serving thread other than the first. */
const endThread = async () => {
  const thread = workers.findLast(({ threadName }) => threadName === 'serving');
  assert.ok(thread);
  await thread.terminate();
};

const waitUntilAllListen = async (service: TestService) => {
  const count = () => metric(service, /^roster_serving_threads (\d+)$/m);
  for (let tries = 0; (await count()) < THREADS && tries < 200; tries++) await pause(50);
  assert.equal(await count(), THREADS);
};

const makeEvent = async (service: TestService) => {
  const body = { name: 'Event', instructions: 'Say hello.' };
  assert.equal((await callAlone(service, 'POST', '/v1/agents', { body })).status, 201);
};

onEveryEngine(
  'Serving threads',
  (service) => {
    let owner: CheckedUser;
    before(async () => {
      owner = await signedInOwner(service);
    });

    it('A write on one connection is visible on every other', async () => {
      for (let at = 0; at < 5; at++) {
        const phone_number = `+1212555${1000 + at}`;
        const created = await callAlone(service, 'POST', '/v1/contacts', { body: { phone_number } });
        assert.equal(created.status, 201, created.text);
        const { id } = JSON.parse(created.text).data;
        const lists = await callEverywhere(service, 'GET', '/v1/contacts?limit=1');
        for (const { text } of lists) assert.equal(JSON.parse(text).data[0].id, id);
        const searches = await callEverywhere(service, 'GET', `/v1/contacts?search=${1000 + at}`);
        for (const { text } of searches) assert.equal(JSON.parse(text).pagination.total, 1);
      }
    });

    it('Of concurrent creates of one number on all threads, one succeeds', async () => {
      const body = { phone_number: '+12125552000' };
      const answers = await callEverywhere(service, 'POST', '/v1/contacts', { body });
      assert.equal(answers.filter(({ status }) => status === 201).length, 1);
      assert.equal(answers.filter(({ status }) => status === 409).length, CONNECTIONS - 1);
    });

    it('While a request with an idempotency key is running, all threads reject others with its key', async () => {
      const unlock = await lockRecords(service.database);
      const answers = Array.from({ length: CONNECTIONS }, () =>
        callAlone(service, 'POST', '/v1/contacts', {
          body: { phone_number: '+12125552001' },
          idempotencyKey: 'one',
        }),
      );
      const early: Answer[] = [];
      for (const each of answers) void each.then((answer) => early.push(answer));
      for (let tries = 0; early.length < CONNECTIONS - 1 && tries < 100; tries++) await pause(20);
      const earlyStatuses = early.map(({ status }) => status);
      await unlock();
      assert.deepEqual(earlyStatuses, Array(CONNECTIONS - 1).fill(409));
      assert.deepEqual(statuses(await Promise.all(answers)), [201, 409]);
    });

    it('The metrics count the requests of all threads', async () => {
      const gets =
        /^roster_request_duration_seconds_count\{method="GET",route="\/v1\/agents",status="200"\} (\d+)$/m;
      await callEverywhere(service, 'GET', '/v1/agents');
      const before = await metric(service, gets);
      await callEverywhere(service, 'GET', '/v1/agents');
      assert.equal(await metric(service, gets), before + CONNECTIONS);
      assert.equal(await metric(service, /^roster_serving_threads (\d+)$/m), THREADS);
    });

    it('The queue length of the writer includes the requests of all threads', async (t) => {
      if (service.database.database.engine !== 'sqlite') return t.skip('PostgreSQL has no writer thread');
      const unlock = await lockRecords(service.database);
      const creates = Promise.all(
        Array.from({ length: CONNECTIONS }, (_, at) =>
          callAlone(service, 'POST', '/v1/contacts', { body: { phone_number: `+1212558${1000 + at}` } }),
        ),
      );
      const queued = () => metric(service, /^roster_sqlite_thread_queue_length\{thread="writer"\} (\d+)$/m);
      for (let tries = 0; (await queued()) < CONNECTIONS && tries < 50; tries++) await pause(20);
      const longest = await queued();
      await unlock();
      assert.ok(longest >= CONNECTIONS, `${longest} of ${CONNECTIONS}`);
      assert.deepEqual(statuses(await creates), [201]);
    });

    it('Every request is logged once', async () => {
      const logged = () => service.log.join('').match(/"route":"\/v1\/channels"/g)?.length ?? 0;
      await callEverywhere(service, 'GET', '/v1/channels');
      for (let tries = 0; logged() < CONNECTIONS && tries < 100; tries++) await pause(20);
      assert.equal(logged(), CONNECTIONS);
    });

    it('A rate limit counts the requests on all threads', async () => {
      const { key } = await owner.request('POST', '/keys', { name: 'limited', rate_limit: '10/1h' }, 201);
      const answers = await callEverywhere(service, 'GET', '/v1/contacts', { key });
      assert.equal(answers.filter(({ status }) => status === 200).length, 10);
      assert.equal(answers.filter(({ status }) => status === 429).length, CONNECTIONS - 10);
    });

    it('Failed authentications count on all threads', async () => {
      const answers = await callEverywhere(service, 'GET', '/v1/contacts', {
        key: 'rk_wrong_0123456789abcdef',
      });
      assert.equal(answers.filter(({ status }) => status === 401).length, FAILURES);
      assert.equal(answers.filter(({ status }) => status === 429).length, CONNECTIONS - FAILURES);
    });

    it('A revoked key is rejected on all threads within half a second', async () => {
      const { id, key } = await owner.request('POST', '/keys', { name: 'revoked' }, 201);
      assert.deepEqual(statuses(await callEverywhere(service, 'GET', '/v1/contacts', { key })), [200]);
      await owner.request('DELETE', `/keys/${id}`);
      await pause(500);
      // This address has too many failures, so some are 429.
      for (const { status } of await callEverywhere(service, 'GET', '/v1/contacts', { key }))
        assert.ok(status === 401 || status === 429, `${status}`);
    });

    it('A thread that ends is replaced, and no connection of another thread is affected', async () => {
      await endThread();
      await waitUntilAllListen(service);
      assert.deepEqual(statuses(await callEverywhere(service, 'GET', '/v1/contacts')), [200]);
    });

    it('The idempotency keys of a thread that ends are unlocked', async () => {
      const create = (at: number) =>
        callAlone(service, 'POST', '/v1/contacts', {
          body: { phone_number: `+1212559${1000 + at}` },
          idempotencyKey: `connection ${at}`,
        });
      const lost: number[] = [];
      const unlock = await lockRecords(service.database);
      const creates = Array.from({ length: CONNECTIONS }, (_, at) => create(at).catch(() => lost.push(at)));
      // Long enough for each request to lock its key and wait for the database.
      await pause(200);
      await endThread();
      for (let tries = 0; lost.length === 0 && tries < 100; tries++) await pause(20);
      // SQLite would also execute the lost requests, so the retries start while the database is locked.
      const retries = lost.map(create);
      await pause(200);
      await unlock();
      assert.ok(lost.length > 0);
      for (const [index, at] of lost.entries()) {
        let answer = (await retries[index]) as Answer;
        // PostgreSQL may need a moment to end the transaction of a closed connection.
        const isPostgres = service.database.database.engine === 'postgres';
        for (let tries = 0; isPostgres && answer.status === 409 && tries < 20; tries++) {
          await pause(100);
          answer = await create(at);
        }
        assert.equal(answer.status, 201, answer.text);
      }
      await Promise.all(creates);
      await waitUntilAllListen(service);
    });

    it('Limits of concurrent requests count on all threads, without those of a thread that has ended', async () => {
      const scopes = ['events:read'];
      const { key } = await owner.request('POST', '/keys', { name: 'follower', scopes }, 201);
      const MAX = 10;
      /** Requests that wait for events, and their answers; undefined for a lost connection. */
      const follow = async () => {
        const answers: (Answer | undefined)[] = [];
        const all = Array.from({ length: CONNECTIONS }, () =>
          callAlone(service, 'GET', '/v1/events?after=latest&wait=25', { key })
            .catch(() => undefined)
            .then((answer) => answers.push(answer)),
        );
        for (let tries = 0; answers.length < CONNECTIONS - MAX && tries < 200; tries++) await pause(20);
        return { answers, ended: Promise.all(all) };
      };
      const isRefused = (answer: Answer | undefined) => answer?.status === 429;
      const first = await follow();
      assert.equal(first.answers.filter(isRefused).length, CONNECTIONS - MAX, JSON.stringify(first.answers));
      // Most of the requests that wait are not on the first thread.
      for (const worker of [...workers]) if (worker.threadName === 'serving') await worker.terminate();
      await waitUntilAllListen(service);
      await makeEvent(service);
      await first.ended;
      const second = await follow();
      assert.equal(second.answers.filter(isRefused).length, CONNECTIONS - MAX);
      await makeEvent(service);
      await second.ended;
      assert.equal(second.answers.filter((answer) => answer?.status === 200).length, MAX);
    });

    it('After the writer ends, all threads use the new one', async () => {
      const writer = workers.find(({ threadName }) => threadName === 'writer');
      await writer?.terminate();
      for (let at = 0; at < CONNECTIONS; at++) {
        const body = { phone_number: `+1212557${1000 + at}` };
        // A request that the writer had not answered fails with 503.
        for (let tries = 0; tries < 20; tries++) {
          const { status, text } = await callAlone(service, 'POST', '/v1/contacts', { body });
          if (status === 201) break;
          assert.equal(status, 503, text);
          assert.ok(tries < 19, text);
          await pause(100);
        }
      }
    });

    it('A second service cannot use the port', async () => {
      const { port } = new URL(service.url);
      const database = await engines.sqlite();
      const log = createLog({ level: 'silent', pretty: false, write: () => {} });
      const config = testConfig(database, { port: Number(port), serveThreads: THREADS });
      await assert.rejects(startService(config, log), { code: 'EADDRINUSE' });
      await database.drop();
    });

    it('A stop completes the accepted requests of all threads', async () => {
      const body = (at: number) => ({ phone_number: `+1212556${1000 + at}` });
      const creates = Array.from({ length: CONNECTIONS }, (_, at) =>
        callAlone(service, 'POST', '/v1/contacts', { body: body(at) }),
      );
      await pause(5);
      const stopped = service.stop();
      const results = await Promise.allSettled(creates);
      await stopped;
      // A connection that no thread had accepted is refused; no accepted request is lost.
      for (const result of results) {
        if (result.status === 'fulfilled') assert.equal(result.value.status, 201, result.value.text);
        else assert.match(String(result.reason.code), /^ECONN(REFUSED|RESET)$/);
      }
      service.stop = async () => {};
    });
  },
  { serveThreads: THREADS, failureLimit: { quota: FAILURES, windowMs: 3_600_000 } },
);

onEveryEngine(
  'Stop during the start of a serving thread',
  (service) => {
    it('A stop ends a thread that does not listen yet', async () => {
      await endThread();
      // Its replacement starts after 100 ms and needs longer than this to listen.
      await pause(150);
      await service.stop();
      await assert.rejects(callAlone(service, 'GET', '/livez'), { code: 'ECONNREFUSED' });
      service.stop = async () => {};
    });
  },
  { serveThreads: THREADS },
);
