import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Config } from '../../src/config/config.ts';
import { DatabaseSetupError, type PostgresDatabase } from '../../src/db/database.ts';
import type { Db } from '../../src/db/db.ts';
import { openStorage } from '../../src/db/open/open.ts';
import { longRead } from '../../src/db/operation.ts';
import { statement } from '../../src/db/statement.ts';
import type { Diagnosis } from '../../src/lib/diagnosis.ts';
import { existingPostgres, postgresOn, type TestDatabase } from '../kit/database/engines.ts';
import { startPair } from '../kit/database/postgres-pair.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { runRoster } from '../kit/process/cli.ts';
import { parseMetrics } from '../kit/service/metrics.ts';
import { startTestService, type TestService } from '../kit/service/test-service.ts';

type Pair = Awaited<ReturnType<typeof startPair>>;

const on = (server: string, database: string): string => {
  const url = new URL(server);
  url.pathname = new URL(database).pathname;
  return url.href;
};

/** A URL that names several servers. */
const listOf = (urls: readonly string[]): string =>
  (urls[0] as string).replace(
    new URL(urls[0] as string).host,
    urls.map((url) => new URL(url).host).join(','),
  );

const metricsOf = async (service: TestService) => {
  const samples = parseMetrics((await service.get('/metrics')).text);
  const find = (name: string, target?: string) =>
    samples.find((each) => each.name === name && each.labels.target === target)?.value ?? Number.NaN;
  return {
    isUp: find('roster_postgres_replica_up') === 1,
    lagBytes: find('roster_postgres_replica_lag_bytes'),
    replica: find('roster_postgres_long_reads_total', 'replica'),
    primary: find('roster_postgres_long_reads_total', 'primary'),
  };
};

const untilUp = async (service: TestService, isUp: boolean) => {
  for (let tries = 0; (await metricsOf(service)).isUp !== isUp; tries++) {
    assert.ok(tries < 100, `the replica does not become ${isUp ? 'usable' : 'unusable'}`);
    await pause(50);
  }
};

let created = 0;
/** Creates a contact on one instance and finds it by a long search on another. */
const createAndFind = async (writer: TestService, reader = writer) => {
  const name = `Name${String(++created).padStart(4, '0')}`;
  await makeContact(writer, { first_name: name });
  const found = await reader.get(`/v1/contacts?search=${name}`);
  assert.equal(found.status, 200, found.text);
  assert.equal(found.body.data.length, 1, `${name} was acknowledged, but is not found`);
};

const SECRET = { ROSTER_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') };

describe('PostgreSQL replica for long reads', () => {
  let pair: Pair;
  let database: TestDatabase;
  let standby: TestDatabase;
  const services: TestService[] = [];

  /** Starts an instance that writes to one server and reads from another. */
  const start = async (
    urls: { url?: string; replicaUrl?: string } = {},
    changes: Partial<Config> = {},
  ): Promise<TestService> => {
    const url = urls.url ?? database.url;
    const replicaUrl = urls.replicaUrl ?? on(pair.standby.url, database.url);
    const configured: PostgresDatabase = { engine: 'postgres', url, replicaUrl };
    const service = await startTestService({ ...database, database: configured }, changes);
    services.push(service);
    return service;
  };

  const environment = () => ({
    ...SECRET,
    DATABASE_URL: database.url,
    DATABASE_REPLICA_URL: on(pair.standby.url, database.url),
  });

  /** The transactions that the standby has run in this database. */
  const transactionsOfStandby = async () => {
    const [found] = await standby.query(
      `select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()`,
    );
    return Number(found?.count);
  };

  const replay = (action: 'pause' | 'resume') => standby.query(`select pg_wal_replay_${action}()`);

  before(async () => {
    pair = await startPair();
    database = await postgresOn(pair.primary.url);
    await pair.untilReplayed();
    standby = existingPostgres(on(pair.standby.url, database.url));
  });
  afterEach(async () => {
    for (const service of services.splice(0)) await service.stop();
  });
  after(() => pair.stop());

  it('A long read sees what another instance has just acknowledged, and the replica answers it', async () => {
    // The metrics of several threads are those of one.
    const [writer, reader] = [await start(), await start({}, { serveThreads: 2 })];
    await untilUp(reader, true);
    const before = await metricsOf(reader);
    for (let round = 0; round < 25; round++) await createAndFind(writer, reader);
    const { replica, primary } = await metricsOf(reader);
    assert.equal(replica + primary - before.replica - before.primary, 25);
    assert.ok(replica - before.replica > 0, 'the replica has answered no read');
  });

  it('With paused replay the primary answers until replay resumes', async () => {
    const service = await start();
    await untilUp(service, true);
    await replay('pause');
    try {
      // The check has not noticed yet.
      await createAndFind(service);
      await untilUp(service, false);
      const before = await metricsOf(service);
      for (let round = 0; round < 10; round++) await createAndFind(service);
      const after = await metricsOf(service);
      assert.deepEqual([after.replica, after.primary], [before.replica, before.primary + 10]);
      await pause(1_200);
      assert.ok((await metricsOf(service)).lagBytes > 0);
      assert.equal((await service.get('/readyz')).status, 200);
      const { checks } = JSON.parse((await runRoster(environment(), 'doctor', '--json')).stdout);
      const found = (checks as Diagnosis[]).find(({ subject }) => subject === 'Replica');
      assert.equal(found?.level, 'warning');
      assert.match(found?.message ?? '', /^127\.0\.0\.1:\d+ is .* behind\. Long reads use the primary/);
    } finally {
      await replay('resume');
    }
    await untilUp(service, true);
    const before = await metricsOf(service);
    await createAndFind(service);
    assert.equal((await metricsOf(service)).replica, before.replica + 1);
  });

  it('Exports read from the replica', async () => {
    const service = await start();
    await createAndFind(service);
    await pair.untilReplayed();
    const before = await transactionsOfStandby();
    const exported = await service.get('/v1/contacts/export?format=jsonl');
    assert.equal(exported.status, 200, exported.text);
    const [expected] = await database.query('select count(*)::int as count from contacts');
    assert.equal(exported.text.trim().split('\n').length, expected?.count);
    const { checks } = JSON.parse((await runRoster(environment(), 'doctor', '--json')).stdout);
    const found = (checks as Diagnosis[]).find(({ subject }) => subject === 'Replica');
    assert.match(found?.message ?? '', /has replayed all writes/);
    // The statistics of a session are written when it ends.
    for (let tries = 0; (await transactionsOfStandby()) < before + 5; tries++) {
      assert.ok(tries < 40, 'the standby has run no transactions');
      await pause(50);
    }
  });

  it('A read that replay cancels on the replica is answered by the primary', async () => {
    const service = await start();
    await createAndFind(service);
    await pair.untilReplayed();
    const storage = await openStorage(
      { engine: 'postgres', url: database.url, replicaUrl: on(pair.standby.url, database.url) },
      { isFurther: true, onFault: (error) => assert.fail(error) },
    );
    const conflicts = async () => {
      const [found] = await standby.query(
        'select confl_snapshot from pg_stat_database_conflicts where datname = current_database()',
      );
      return Number(found?.confl_snapshot);
    };
    try {
      await standby.query(`alter system set max_standby_streaming_delay = 0`);
      await standby.query('select pg_reload_conf()');
      const slow = statement<Record<string, never>, { count: number }>(
        () => sql`select count(*)::int as count from contacts,
          (select pg_sleep(case when pg_is_in_recovery() then 5 else 0 end)) as slept`,
      );
      const read = longRead('slowRead', async (db: Db) => (await db.get(slow, {}))?.count);
      const before = await conflicts();
      const reading = storage.run(read, null, null);
      const isReading = `select 1 from pg_stat_activity where query like '%pg_sleep(case%' and wait_event = 'PgSleep'`;
      for (let tries = 0; (await standby.query(isReading)).length === 0; tries++) {
        assert.ok(tries < 60, 'the replica does not read');
        await pause(50);
      }
      await database.query(`update contacts set updated_at = updated_at`);
      await database.query('vacuum contacts');
      assert.ok(Number(await reading) > 0);
      await storage.close(); // the statistics of a session are written when it ends
      for (let tries = 0; (await conflicts()) === before; tries++) {
        assert.ok(tries < 60, 'replay has cancelled nothing');
        await pause(50);
      }
    } finally {
      await standby.query(`alter system reset max_standby_streaming_delay`);
      await standby.query('select pg_reload_conf()');
    }
  });

  it('A lost replica fails no request, and is used again when it returns', async () => {
    const service = await start();
    await untilUp(service, true);
    const stopped = { now: false };
    const searching = Array.from({ length: 4 }, async () => {
      while (!stopped.now) {
        const { status, text } = await service.get('/v1/contacts?search=Name');
        assert.equal(status, 200, text);
      }
    });
    try {
      await pause(200);
      pair.standby.signal('SIGKILL');
      await untilUp(service, false);
      await createAndFind(service);
      assert.equal((await service.get('/readyz')).status, 200);
      for (let tries = 0; !service.log.join('').includes('"replica not used"'); tries++) {
        assert.ok(tries < 100, 'the lost replica is not logged');
        await pause(50);
      }
      const other = await start();
      await createAndFind(other);
      await pair.standby.restart();
      await untilUp(service, true);
      await untilUp(other, true);
    } finally {
      stopped.now = true;
      await Promise.all(searching);
    }
  });

  it('roster doctor says what to grant to a role that may not read the tables of the replica', async () => {
    await database.query('create role "Reader" login');
    await pair.untilReplayed();
    const DATABASE_REPLICA_URL = on(pair.standby.url, database.url).replace('roster@', 'Reader@');
    const { stdout } = await runRoster({ ...environment(), DATABASE_REPLICA_URL }, 'doctor', '--json');
    const found = (JSON.parse(stdout).checks as Diagnosis[]).find(({ subject }) => subject === 'Replica');
    assert.match(
      found?.message ?? '',
      /: the role Reader may not read the tables\. Long reads use the primary meanwhile\.$/,
    );
    const [, statements = ''] =
      /^As the user of DATABASE_URL, run on the primary: (.+)$/.exec(found?.fix ?? '') ?? [];
    assert.match(statements, /^grant usage on schema public to "Reader";/);
    await database.query(statements);
    await pair.untilReplayed();
    const granted = await runRoster({ ...environment(), DATABASE_REPLICA_URL }, 'doctor');
    assert.match(granted.stdout, /Replica: 127\.0\.0\.1:\d+ has replayed all writes\./);
  });

  it('A start refuses a replica of another server or database', async () => {
    const refused = (replicaUrl: string) =>
      assert.rejects(start({ replicaUrl }), (error) => {
        assert.ok(error instanceof DatabaseSetupError, String(error));
        assert.match(error.message, /^DATABASE_REPLICA_URL leads to a database at .* not a replica/);
        return true;
      });
    await refused(process.env.TEST_DATABASE_URL ?? '');
    await refused(pair.standby.url);
  });

  it('After a switchover the new standby answers long reads, never one that became the primary', async () => {
    const both = listOf([database.url, on(pair.standby.url, database.url)]);
    const service = await start({ url: both, replicaUrl: both });
    await untilUp(service, true);
    await pair.switchOver();
    for (let tries = 0; (await service.get('/readyz')).status !== 200; tries++) {
      assert.ok(tries < 100, 'the service does not follow the switchover');
      await pause(50);
    }
    await createAndFind(service);
    await untilUp(service, true);
    const before = await metricsOf(service);
    await createAndFind(service);
    assert.equal((await metricsOf(service)).replica, before.replica + 1);
  });

  it('A replica that is promoted while the primary still works is not used', async () => {
    const service = await start({
      url: on(pair.primary.url, database.url),
      replicaUrl: on(pair.standby.url, database.url),
    });
    await untilUp(service, true);
    await existingPostgres(pair.standby.url).query('select pg_promote()');
    for (let round = 0; round < 5; round++) await createAndFind(service);
    await untilUp(service, false);
    await createAndFind(service);
  });
});
