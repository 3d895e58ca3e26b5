import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { engines } from '../kit/database/engines.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { withPrograms } from '../kit/process/program.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { databaseFor, serviceFor } from '../kit/service/scoped-resources.ts';

/** A drain time that a stop must not wait for. */
const LONG = '300';

const ROSTER_API_KEY = 'a-key-of-my-own-0123456789';

interface Outcome {
  readonly status: number;
  readonly text: string;
  readonly connection: string | undefined;
}

/** Creates an agent on a keep-alive connection. */
const create = (url: string, agent: Agent, name: string): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${ROSTER_API_KEY}`, 'content-type': 'application/json' };
    const sent = request(`${url}/v1/agents`, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text, connection: response.headers.connection }),
      );
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ name, instructions: 'x'.repeat(500) }));
  });

describe('Shutdown of streams', () => {
  it('A stream of events ends when the service stops', async (test) => {
    const service = await serviceFor(test, await databaseFor(test, 'sqlite'));
    const key = await createScopedKey(service.database, 'events:read');
    const contact = await makeContact(service);
    const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' };
    const reply = await fetch(`${service.url}/v1/events`, { headers });
    const pieces = reply.body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    const next = async () => (await pieces?.next())?.value;
    assert.ok((await next())?.includes(contact.id));
    const stopped = service.stop();
    // A stream that only the limit of a stop ended would fail here.
    assert.equal(await next(), undefined);
    await stopped;
  });
});

describe('SIGTERM under load', () => {
  for (const [name, createDatabase] of Object.entries(engines)) {
    it(`SIGTERM drops no accepted request on ${name}`, async () => {
      const database = await createDatabase();
      try {
        await withPrograms(async (start) => {
          const program = start({ DATABASE_URL: database.url, ROSTER_API_KEY, LOG_LEVEL: 'error' });
          const { url } = await program.ready();
          const made = new Map<string, string>();
          const failures: unknown[] = [];
          let sent = 0;
          const client = async (number: number) => {
            const agent = new Agent({ keepAlive: true, maxSockets: 1 });
            let [began, previous] = [performance.now(), 0];
            for (;;) {
              const label = `${number}.${++sent}`;
              [previous, began] = [began, performance.now()];
              try {
                const { status, text } = await create(url, agent, label);
                if (status !== 201) failures.push(`${status} ${text}`);
                else made.set(JSON.parse(text).data.id, label);
              } catch (error) {
                // A refused connection was never accepted. A service that stops closes idle connections after half a second,
                // which a busy machine may need between two requests. Any other error is a request without a response.
                const { code } = error as { code?: string };
                const wasIdle = code === 'ECONNRESET' && performance.now() - previous > 400;
                if (code !== 'ECONNREFUSED' && !wasIdle) failures.push(error);
                agent.destroy();
                return;
              }
            }
          };
          const clients = Array.from({ length: 24 }, (_, number) => client(number));
          while (made.size <= 100 && failures.length === 0) await sleep(20);
          program.kill('SIGTERM');
          assert.equal(await program.exit(), 0, program.stderr);
          await Promise.all(clients);
          assert.deepEqual(failures, []);
          assert.ok(made.size > 100, `${made.size} were made`);
          const rows = await database.query('select id, name from agents');
          const stored = new Map(rows.map((row) => [String(row.id), String(row.name)]));
          for (const [id, label] of made) assert.equal(stored.get(id), label);
          assert.equal(stored.size, made.size, 'and none was made without an answer');
          const [versions] = await database.query('select count(*) as count from agent_versions');
          assert.equal(Number(versions?.count), made.size);
          const [tally] = await database.query(`select sum(count) as sum from tallies where list = 'agents'`);
          assert.equal(Number(tally?.sum), made.size);
        });
      } finally {
        await database.drop();
      }
    });
  }

  it('An idle service stops immediately on SIGINT, on a second SIGTERM, and without a drain time', async () => {
    for (const [signals, DRAIN_SECONDS] of [
      [['SIGTERM'], '0'],
      [['SIGTERM', 'SIGTERM'], LONG],
      [['SIGINT'], LONG],
      [['SIGTERM', 'SIGINT', 'SIGTERM'], LONG],
    ] as const) {
      await withPrograms(async (start) => {
        const program = start({ DRAIN_SECONDS });
        const { url } = await program.ready();
        const idle = new Agent({ keepAlive: true });
        await new Promise((resolve) => {
          request(`${url}/healthz`, { agent: idle }, (response) =>
            response.resume().on('end', resolve),
          ).end();
        });
        for (const signal of signals) {
          program.kill(signal);
          // Signals of one kind that arrive together are delivered once.
          while (!program.stdout.includes('"message":"stopping"')) await sleep(10);
        }
        // A service that waits for the drain time exceeds the time limit of the test.
        assert.equal(await program.exit(), 0);
        idle.destroy();
        assert.equal(program.stderr, '');
        assert.match(program.stdout, /"message":"stopped"/);
      });
    }
  });
});

/** Connections that wait for an advisory lock of this database. */
const WAITING = `from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`;

describe('SIGTERM during the start', () => {
  it('A start that waits for the migration of another instance ends with status 0 on SIGTERM and SIGINT', async () => {
    const database = await engines.postgres();
    const other = new Client({ connectionString: database.url });
    await other.connect();
    await other.query('begin');
    // The key of the lock in src/db/postgres/migrate.ts.
    await other.query('select pg_advisory_xact_lock(7239441)');
    try {
      for (const signal of ['SIGTERM', 'SIGINT'] as const)
        await withPrograms(async (start) => {
          const program = start({ DATABASE_URL: database.url, DRAIN_SECONDS: LONG });
          while ((await other.query(`select ${WAITING}`)).rowCount === 0) await sleep(20);
          program.kill(signal);
          // Without a handler, the signal ends the process without a status. The other instance still holds the lock.
          assert.equal(await program.exit(), 0);
          assert.match(program.stdout, /"message":"stopped before the service was ready"/);
          assert.equal(program.stderr, '');
          // The server notices the end of the connection only when the lock is granted.
          await other.query(`select pg_terminate_backend(pid) ${WAITING}`);
        });
    } finally {
      await other.end();
      await database.drop();
    }
  });
});

describe('Drain time', () => {
  it('A service without requests stops only after the drain time', async () =>
    withPrograms(async (start) => {
      const program = start({ DRAIN_SECONDS: '1' });
      await program.ready();
      const began = performance.now();
      program.kill('SIGTERM');
      assert.equal(await program.exit(), 0, program.stderr);
      assert.ok(performance.now() - began > 900, 'the drain time passes');
    }));

  it('After SIGTERM the service is not ready but serves new connections during the drain time', async () =>
    withPrograms(async (start) => {
      const program = start({ ROSTER_API_KEY, DRAIN_SECONDS: LONG });
      const { url } = await program.ready();
      const keepAlive = new Agent({ keepAlive: true, maxSockets: 1 });
      assert.equal((await create(url, keepAlive, 'before')).status, 201);
      assert.equal((await fetch(`${url}/readyz`)).status, 200);
      program.kill('SIGTERM');
      while ((await fetch(`${url}/readyz`)).status === 200) await sleep(20);
      for (let rounds = 0; rounds < 5; rounds++) {
        const ready = await fetch(`${url}/readyz`);
        assert.equal(ready.status, 503);
        assert.notEqual(ready.headers.get('retry-after'), null);
        const { error } = (await ready.json()) as { error: { code: string; message: string } };
        assert.equal(error.code, 'UNAVAILABLE');
        assert.equal(error.message, 'The service is stopping.');
        assert.equal((await fetch(`${url}/healthz`)).status, 200);
        const own = new Agent();
        assert.equal((await create(url, own, `new connection ${rounds}`)).status, 201);
        const kept = await create(url, keepAlive, `open connection ${rounds}`);
        assert.equal(kept.status, 201);
        assert.equal(kept.connection, 'keep-alive', 'clients reconnect only after the drain time');
        await sleep(50);
      }
      program.kill('SIGTERM');
      assert.equal(await program.exit(), 0, program.stderr);
      await assert.rejects(create(url, new Agent(), 'late'), { code: 'ECONNREFUSED' });
      keepAlive.destroy();
      assert.match(program.stdout, /"message":"stopped"/);
    }));
});
