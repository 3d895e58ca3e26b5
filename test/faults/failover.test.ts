import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { existingPostgres, postgresOn, type TestDatabase } from '../kit/database/engines.ts';
import { startPair } from '../kit/database/postgres-pair.ts';
import { withRestartableService } from '../kit/faults/restartable-service.ts';
import { startProxy } from '../kit/faults/tcp-proxy.ts';
import { assertConsistent } from '../kit/load/acknowledged-writes.ts';
import { createClient, isSuccess, isUnavailable, Writers } from '../kit/load/writers.ts';
import { runRoster } from '../kit/process/cli.ts';
import { seededRandom } from '../kit/random.ts';
import { KEY } from '../kit/service/test-service.ts';

const ENVIRONMENT = { ROSTER_API_KEY: KEY, ROSTER_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') };

type Pair = Awaited<ReturnType<typeof startPair>>;

const on = (server: string, database: string): string => {
  const url = new URL(server);
  url.pathname = new URL(database).pathname;
  return url.href;
};

describe('PostgreSQL primary and standby', () => {
  let pair: Pair;
  let database: TestDatabase;
  before(async () => {
    pair = await startPair();
    database = await postgresOn(pair.primary.url);
    await pair.untilReplayed();
  });
  after(() => pair.stop());

  /** The same database on the current primary. */
  const current = (): TestDatabase => existingPostgres(on(pair.primary.url, database.url));

  it('A start on a standby says that it is one', async () => {
    const { status, stderr } = await runRoster(
      { DATABASE_URL: on(pair.standby.url, database.url) },
      'key',
      'list',
    );
    assert.equal(status, 1);
    assert.match(stderr, /^PostgreSQL at 127\.0\.0\.1:\d+ is a standby and rejects writes\. [^\n]+\n$/);
    const withUnreachable = on(pair.standby.url, database.url).replace('@', '@127.0.0.1:1,');
    const other = await runRoster({ DATABASE_URL: withUnreachable }, 'key', 'list');
    assert.match(other.stderr, /^PostgreSQL cannot be reached at 127\.0\.0\.1:1,127/);
  });

  it('With all servers in DATABASE_URL, a switchover gives only 503 and loses nothing', async () => {
    const { host } = new URL(pair.standby.url);
    // The standby first, so that the start has to skip it.
    const url = on(pair.primary.url, database.url).replace('@', `@${host},`);
    const serve = async (service: { url(): string }) => {
      await using writers = new Writers(service.url, { count: 8, random: seededRandom(1), restMs: 5 });
      writers.start();
      for (let round = 0; round < 2; round++) {
        await writers.until(isSuccess);
        await pause(300);
        await pair.switchOver();
        await writers.until(isSuccess);
      }
      await writers.stop();
      assert.deepEqual(writers.unexpected, []);
      assert.ok(writers.since(0, isUnavailable).length > 0);
      const here = current();
      await writers.acknowledged.verify(here);
      await assertConsistent(here);
    };
    await withRestartableService({ ...current(), url }, serve, ENVIRONMENT);
  });

  it('A proxy that leads to a standby gives 503, not stale reads, until it leads to the primary', async () => {
    const proxy = await startProxy(pair.primary.url);
    const url = on(proxy.url, database.url);
    const serve = async (service: { url(): string; errors(): string[] }) => {
      const request = createClient(service.url);
      const create = (last: number) =>
        request('POST', '/v1/contacts', { phone_number: `+1415555018${last}`, first_name: 'Ada' });
      const first = await create(0);
      assert.equal(first.status, 201);
      const path = `/v1/contacts/${first.body.data.id}`;
      proxy.moveTo(pair.standby.url);
      proxy.disconnect();
      const statuses = new Set<number>();
      for (const until = Date.now() + 2_500; Date.now() < until; await pause(20)) {
        statuses.add((await create(1)).status);
        statuses.add((await request('GET', path)).status);
      }
      // The first reads after the cut may still have been answered by the primary.
      assert.deepEqual(
        [...statuses].filter((status) => status !== 503 && status !== 200),
        [],
      );
      assert.equal((await request('GET', '/readyz')).status, 503);
      assert.equal((await request('GET', path)).status, 503);
      proxy.moveTo(pair.primary.url);
      proxy.disconnect();
      const began = performance.now();
      while ((await create(2)).status !== 201) {
        assert.ok(performance.now() - began < 30_000, 'it does not recover');
        await pause(50);
      }
      assert.equal((await request('GET', path)).status, 200);
      assert.equal((await request('GET', '/readyz')).status, 200);
      const logged = service.errors().flatMap((line) => /"(database (?:lost|found))".*/.exec(line) ?? []);
      const { host } = new URL(proxy.url);
      assert.match(
        `${logged}`,
        new RegExp(`^"database lost","server":"${host}","reason":"(?:failed|standby)"}`),
      );
      assert.match(`${logged}`, new RegExp(`"database found","server":"${host}"}`));
    };
    try {
      await withRestartableService({ ...current(), url }, serve, { ...ENVIRONMENT, LOG_LEVEL: 'info' });
    } finally {
      proxy.close();
    }
  });

  it('A commit that has stopped waiting for its synchronous standby is 503, not acknowledged', async () => {
    const admin = existingPostgres(pair.primary.url);
    const configure = async (statement: string) => {
      await admin.query(statement);
      await admin.query('select pg_reload_conf()');
    };
    const cancelWaiting = async () => {
      const waiting = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
      while ((await admin.query(waiting)).length === 0) await pause(20);
    };
    const serve = async (service: { url(): string }) => {
      const request = createClient(service.url);
      await configure(`alter system set synchronous_standby_names = '*'`);
      const create = (last: number) =>
        request('POST', '/v1/contacts', { phone_number: `+1415555017${last}`, first_name: 'Ada' });
      assert.equal((await create(0)).status, 201);
      pair.standby.signal('SIGSTOP');
      const [created] = await Promise.all([create(1), cancelWaiting()]);
      assert.equal(created.status, 503);
      const [agent] = await Promise.all([
        request('POST', '/v1/agents', { name: 'Desk', instructions: 'Hi' }),
        cancelWaiting(),
      ]);
      assert.equal(agent.status, 503);
      pair.standby.signal('SIGCONT');
      assert.equal((await create(2)).status, 201);
    };
    try {
      await withRestartableService(current(), serve, ENVIRONMENT);
    } finally {
      pair.standby.signal('SIGCONT');
      await configure('alter system reset synchronous_standby_names');
    }
  });

  it('verify and doctor read a standby', async () => {
    await pair.untilReplayed();
    const DATABASE_URL = on(pair.standby.url, database.url);
    const verified = await runRoster({ ...ENVIRONMENT, DATABASE_URL }, 'verify');
    assert.match(verified.stdout, /All \d+ checks passed/);
    assert.equal(verified.stderr, '');
    const { stdout } = await runRoster({ DATABASE_URL }, 'doctor');
    assert.match(stdout, /PROBLEM Primary: This server is a standby and rejects writes\./);
    const both = DATABASE_URL.replace(/(?=\/[^/]*$)/, `,${new URL(pair.primary.url).host}`);
    assert.match((await runRoster({ DATABASE_URL: both }, 'doctor')).stdout, /Primary: This server accepts/);
  });
});
