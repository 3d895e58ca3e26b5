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
  });

  it('With a lost primary and a standby, a start and doctor name the state of each server', async () => {
    const DATABASE_URL = on(pair.standby.url, database.url).replace('@', '@127.0.0.1:1,');
    const { host } = new URL(pair.standby.url);
    const { status, stderr } = await runRoster({ DATABASE_URL }, 'key', 'list');
    assert.equal(status, 1);
    assert.equal(
      stderr,
      `No server of DATABASE_URL accepts writes: 127.0.0.1:1 cannot be reached; ${host} is a standby. Start the primary, or promote a standby.\n`,
    );
    const { stdout } = await runRoster({ DATABASE_URL }, 'doctor');
    assert.match(stdout, /WARNING Server: 127\.0\.0\.1:1 cannot be reached\.\n {8}Fix: Start it/);
    assert.ok(stdout.includes(`ok      Server: ${host} is a standby.\n`), stdout);
    assert.match(stdout, /PROBLEM Primary: This server is a standby/);
  });

  it('Two addresses of one server in DATABASE_URL are not two servers', async () => {
    const proxy = await startProxy(pair.primary.url);
    try {
      const DATABASE_URL = on(pair.primary.url, database.url).replace('@', `@${new URL(proxy.url).host},`);
      const { stderr } = await runRoster({ DATABASE_URL }, 'key', 'list');
      assert.match(stderr, /^There is no workspace default\./);
    } finally {
      proxy.close();
    }
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
        new RegExp(`^"database lost","server":"${host}","reason":"(?:unreachable|read_only)","code":`),
      );
      assert.match(`${logged}`, new RegExp(`"database found","server":"${host}","reason":`));
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
    const healthy = await runRoster({ DATABASE_URL: both, DATABASE_REPLICA_URL: both }, 'doctor');
    assert.match(healthy.stdout, /Primary: This server accepts/);
    const [primary, standby] = [pair.primary, pair.standby].map(({ url }) => new URL(url).host);
    for (const line of [
      `ok      Server: ${standby} is a standby.`,
      `ok      Server: ${primary} accepts writes.`,
      `ok      Replica: ${standby} has replayed all writes.`,
      `ok      Replica: ${primary} is the primary.`,
    ])
      assert.ok(healthy.stdout.includes(`${line}\n`), healthy.stdout);
  });

  it('With two servers that accept writes, a start is refused and doctor reports a problem', async () => {
    // The former primary continues after the promotion of its standby.
    await existingPostgres(pair.standby.url).query('select pg_promote()');
    const hosts = [pair.primary, pair.standby].map(({ url }) => new URL(url).host);
    const DATABASE_URL = on(pair.primary.url, database.url).replace('@', `@${hosts[1]},`);
    const expected = new RegExp(
      `Two servers accept writes: ${hosts[1]} \\(timeline \\d+\\), ${hosts[0]} \\(timeline \\d+\\)\\.`,
    );
    for (const command of [['key', 'list'], ['verify']]) {
      const { status, stderr } = await runRoster({ ...ENVIRONMENT, DATABASE_URL }, ...command);
      assert.equal(status, 1);
      assert.match(stderr, expected);
      assert.match(stderr, /Stop the former primary, which usually has the lower timeline/);
    }
    const { status, stdout } = await runRoster({ DATABASE_URL }, 'doctor');
    assert.equal(status, 1);
    assert.match(stdout, new RegExp(`PROBLEM Server: ${expected.source}\n {8}Fix: Stop the former primary`));
  });
});
