import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { PostgresDatabase } from '../../src/db/database.ts';
import { existingPostgres, postgresOn, type TestDatabase } from '../kit/database/engines.ts';
import { startPair } from '../kit/database/postgres-pair.ts';
import { startProxy } from '../kit/faults/tcp-proxy.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { assertError } from '../kit/http/assertions.ts';
import { startTestService, type TestService } from '../kit/service/test-service.ts';
import { eventually } from '../kit/webhooks/deliveries.ts';

const on = (server: string, database: string): string => {
  const url = new URL(server);
  url.pathname = new URL(database).pathname;
  return url.href;
};

const metric = async (service: TestService, name: string): Promise<number> =>
  Number(
    (await service.get('/metrics')).text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1],
  );

const create = (service: TestService, first_name = 'Ada') =>
  service.post('/v1/contacts', { phone_number: newPhone(), first_name });

describe('A PostgreSQL primary and its standby', () => {
  let pair: Awaited<ReturnType<typeof startPair>>;
  let database: TestDatabase;
  const services: TestService[] = [];

  const start = async (urls: Partial<PostgresDatabase> = {}): Promise<TestService> => {
    const configured: PostgresDatabase = { engine: 'postgres', url: database.url, ...urls };
    const service = await startTestService({ ...database, database: configured });
    services.push(service);
    return service;
  };

  before(async () => {
    pair = await startPair();
    database = await postgresOn(pair.primary.url);
    await pair.untilReplayed();
  });
  afterEach(async () => {
    for (const service of services.splice(0)) await service.stop();
  });
  after(() => pair.stop());

  it('A long read does not use a replica that has not replayed an acknowledged write', async () => {
    const service = await start({ replicaUrl: on(pair.standby.url, database.url) });
    const standby = existingPostgres(pair.standby.url);
    const isUp = async () => (await metric(service, 'roster_postgres_replica_up')) === 1;
    await eventually('the replica is used', isUp);
    await standby.query('select pg_wal_replay_pause()');
    try {
      assert.equal((await create(service, 'Grace')).status, 201);
      const found = await service.get('/v1/contacts?search=Grace');
      assert.deepEqual([found.status, found.body.data.length], [200, 1]);
      assert.equal(await metric(service, 'roster_postgres_long_reads_total{target="replica"}'), 0);
    } finally {
      await standby.query('select pg_wal_replay_resume()');
    }
    await eventually('the replica is used again', isUp);
    assert.equal((await service.get('/v1/contacts?search=Grace')).body.data.length, 1);
    assert.equal(await metric(service, 'roster_postgres_long_reads_total{target="replica"}'), 1);
  });

  it('The readiness is 503 when a commit has waited ten seconds for a synchronous standby', async () => {
    const local = `${database.url}?options=-c%20synchronous_commit=local`;
    const { query } = existingPostgres(local);
    /** The clock of the server, for statements of this database that do not name its schema. */
    const setClock = (aheadSeconds: number) =>
      query(`create or replace function public.clock_timestamp() returns timestamptz language sql as
        $$ select pg_catalog.clock_timestamp() + interval '${aheadSeconds} seconds' $$`);
    const configure = async (statement: string) => {
      await query(statement);
      await query('select pg_reload_conf()');
    };
    await setClock(0);
    await query(
      `alter database ${new URL(database.url).pathname.slice(1)} set search_path = public, pg_catalog`,
    );
    const service = await start();
    assert.equal((await service.get('/readyz')).status, 200);
    await configure(`alter system set synchronous_standby_names = 'missing'`);
    try {
      const created = create(service);
      const waiting = `select 1 from pg_stat_activity where wait_event = 'SyncRep'`;
      await eventually('a commit waits', async () => (await query(waiting)).length > 0);
      assert.equal((await service.get('/readyz')).status, 200);
      await setClock(10);
      const ready = await service.get('/readyz');
      assert.match(
        assertError(ready, 503, 'UNAVAILABLE').message,
        /^Commits have waited 10 seconds for a synchronous standby\. Start a standby, or change synchronous_standby_names/,
      );
      await configure('alter system reset synchronous_standby_names');
      assert.equal((await created).status, 201);
      assert.equal((await service.get('/readyz')).status, 200);
    } finally {
      await configure('alter system reset synchronous_standby_names');
    }
  });

  it('A former primary that still accepts writes is not used after the promotion of its standby', async () => {
    const [former, promoted] = [pair.primary.url, pair.standby.url];
    const proxy = await startProxy(former);
    const lead = (to: string) => {
      proxy.moveTo(to);
      proxy.disconnect();
    };
    try {
      const behindProxy = await start({ url: on(proxy.url, database.url) });
      const list = database.url.replace('@', `@${new URL(promoted).host},`);
      const withList = await start({ url: list });
      for (const service of [behindProxy, withList]) assert.equal((await create(service)).status, 201);
      await pair.untilReplayed();
      await existingPostgres(promoted).query('select pg_promote()');

      const host = new URL(promoted).host;
      await eventually('the instance with a list moves', () =>
        withList.log.join('').includes(`"database found","server":"${host}"`),
      );
      assert.match(withList.log.join(''), /"database lost",[^\n]*"reason":"former_primary"/);
      assert.equal((await create(withList, 'Grace')).status, 201);

      lead(promoted);
      await eventually(
        'it uses the promoted server',
        async () => (await create(behindProxy, 'Grace')).status === 201,
      );
      proxy.stall();
      await eventually(
        'the server is lost',
        async () => (await metric(behindProxy, 'roster_database_lost{reason="no_answer"}')) === 1,
      );
      lead(former);
      proxy.resume();
      await eventually('it notices the former primary', async () => {
        const { status } = await create(behindProxy, 'Lost');
        assert.equal(status, 503);
        return (await metric(behindProxy, 'roster_database_lost{reason="former_primary"}')) === 1;
      });
      const refused = () => metric(behindProxy, 'roster_requests_refused_total{reason="former_primary"}');
      const before = await refused();
      assert.equal((await behindProxy.get('/v1/contacts')).status, 503);
      assert.equal(await refused(), before + 1);
      const ready = await behindProxy.get('/readyz');
      assert.match(assertError(ready, 503, 'UNAVAILABLE').message, /replaced by another primary/);
      const stored = (server: string) =>
        existingPostgres(on(server, database.url)).query(
          `select 1 from contacts where first_name in ('Grace', 'Lost')`,
        );
      // The one of the first test.
      assert.equal((await stored(former)).length, 1);
      lead(promoted);
      await eventually('it recovers', async () => (await create(behindProxy)).status === 201);
      assert.equal((await stored(promoted)).length, 3);
    } finally {
      proxy.close();
    }
  });
});
