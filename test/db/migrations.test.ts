import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { migrations, rowsAfter, SCHEMA_VERSION } from '../../src/db/migrations/index.ts';
import { migratePostgres } from '../../src/db/postgres/migrate.ts';
import { openPool } from '../../src/db/postgres/pool.ts';
import { Servers } from '../../src/db/postgres/servers.ts';
import { migrateSqlite } from '../../src/db/sqlite/migrate.ts';
import type { TestDatabase } from '../kit/database/engines.ts';
import { createSchema } from '../kit/database/old-schema.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { databaseFor, serviceFor } from '../kit/service/scoped-resources.ts';

const onFault = (error: Error) => {
  throw error;
};

/** Migrates a database concurrently. */
const migrateAtOnce = async ({ database }: TestDatabase, count: number) => {
  const starts = Array.from({ length: count }, async () => {
    if (database.engine === 'sqlite') {
      const script = new URL('./migrate.worker.ts', import.meta.url);
      const [code] = await once(new Worker(script, { workerData: database.path }), 'exit');
      assert.equal(code, 0);
    } else {
      const pool = await openPool({ servers: new Servers(database.url), onFault });
      await migratePostgres(pool).finally(() => pool.end());
    }
  });
  await Promise.all(starts);
};

const migrate = async ({ database }: TestDatabase) => {
  if (database.engine === 'sqlite') return migrateSqlite(database.path);
  const pool = await openPool({ servers: new Servers(database.url), onFault });
  await migratePostgres(pool).finally(() => pool.end());
};

/** Everything that a migration can change: the schema and the table of migrations. */
const stateOf = async ({ database, query }: TestDatabase) => ({
  taken: await query('select number, name from migrations order by number'),
  schema: await query(
    database.engine === 'sqlite'
      ? 'select type, name, sql from sqlite_schema order by type, name'
      : `select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
         where table_schema = 'public' order by table_name, ordinal_position`,
  ),
  indexes: await query(
    database.engine === 'sqlite'
      ? 'pragma schema_version'
      : `select indexname, indexdef from pg_indexes where schemaname = 'public' order by indexname`,
  ),
});

/** Waits until the service has no open connection. */
const untilUnused = async ({ query }: TestDatabase) => {
  const open = `select pid from pg_stat_activity where datname = current_database() and application_name = 'roster'`;
  for (let tries = 0; tries < 20 && (await query(open)).length > 0; tries++) await sleep(50);
  assert.deepEqual(await query(open), [], 'nothing is left open');
};

/** One row for each schema version, with the name of its migration. */
const expected = migrations.flatMap((migration, at) =>
  rowsAfter(migrations[at - 1]?.version ?? 0, migration).map(([number, name]) => ({ number, name })),
);

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`Migrations on ${engine}`, () => {
    it('Migrations that run a second time change and lose nothing', async (test) => {
      const database = await databaseFor(test, engine, { isEmpty: true });
      const service = await serviceFor(test, database);
      const { id } = await makeContact(service, { tags: ['a'] });
      const before = await stateOf(database);
      const record = (await service.get(`/v1/contacts/${id}`)).body;
      assert.deepEqual(
        before.taken.map((row) => ({ ...row })),
        expected,
      );
      await migrate(database);
      assert.deepEqual(await stateOf(database), before);
      await service.stop();
      const again = await serviceFor(test, database);
      assert.deepEqual(await stateOf(database), before);
      assert.deepEqual((await again.get(`/v1/contacts/${id}`)).body, record);
    });

    it('Migrations can run concurrently on an empty database', async (test) => {
      const single = await databaseFor(test, engine, { isEmpty: true });
      await migrate(single);
      const alone = await stateOf(single);
      for (let round = 0; round < 2; round++) {
        const database = await databaseFor(test, engine, { isEmpty: true });
        await migrateAtOnce(database, 4);
        assert.deepEqual(await stateOf(database), alone);
      }
    });

    it('Migrations reject a database of a newer version and leave it unchanged', async (test) => {
      const database = await databaseFor(test, engine, { isEmpty: true });
      await migrate(database);
      const newer = SCHEMA_VERSION + 1;
      await database.query(`insert into migrations (number, name) values (${newer}, 'from the future')`);
      const before = await stateOf(database);
      await assert.rejects(openTestStorage(database), {
        message: `The database has schema version ${newer}; this version of Roster supports ${SCHEMA_VERSION}. Start the newer version that wrote it.`,
      });
      assert.deepEqual(await stateOf(database), before);
      if (engine === 'postgres') await untilUnused(database);
    });

    it('Migrations reject a database of the development between two releases and leave it unchanged', async (test) => {
      const database = await databaseFor(test, engine, { isEmpty: true });
      await createSchema(database, 17);
      await database.query(`insert into migrations (number, name) values (18, 'of a checkout')`);
      const before = await stateOf(database);
      await assert.rejects(openTestStorage(database), /has schema version 18, which no release has/);
      assert.deepEqual(await stateOf(database), before);
    });
  });
}

describe('Concurrent first starts', () => {
  it('Concurrent starts on one empty PostgreSQL create one workspace and one owner', async (test) => {
    const database = await databaseFor(test, 'postgres', { isEmpty: true });
    const services = await Promise.all([1, 2, 3].map(() => serviceFor(test, database)));
    const [[workspaces], [users]] = [
      await database.query(`select count(*)::int as count, min(name) as name from workspaces`),
      await database.query('select count(*)::int as count from users'),
    ];
    assert.deepEqual(workspaces, { count: 1, name: 'default' });
    assert.deepEqual(users, { count: 1 });
    const made = await makeContact(services[0] as (typeof services)[0]);
    for (const service of services) {
      assert.equal((await service.get(`/v1/contacts/${made.id}`)).status, 200);
    }
  });
});
