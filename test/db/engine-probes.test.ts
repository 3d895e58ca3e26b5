import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { DatabaseSetupError } from '../../src/db/database.ts';
import type { TestDatabase } from '../kit/database/engines.ts';
import { databaseFor, serviceFor } from '../kit/service/scoped-resources.ts';

const run = async (database: TestDatabase, statements: readonly string[]) => {
  for (const each of statements) await database.query(each);
};

const nameOf = ({ url }: TestDatabase) => new URL(url).pathname.slice(1);

/** Makes functions in the schema `shadow` hide those of PostgreSQL with the same name. */
const shadow = (database: TestDatabase, ...functions: string[]) =>
  run(database, [
    'create schema shadow',
    ...functions.map((each) => `create function shadow.${each}`),
    `alter database ${nameOf(database)} set search_path = shadow, pg_catalog, public`,
  ]);

const refuses = async (test: TestContext, database: TestDatabase, message: string) =>
  assert.rejects(serviceFor(test, database), (error) => {
    assert.ok(error instanceof DatabaseSetupError, String(error));
    assert.equal(error.message, message);
    return true;
  });

const empty = (test: TestContext) => databaseFor(test, 'postgres', { isEmpty: true });

const because = (piece: string) =>
  `Roster cannot use the server of DATABASE_URL, because it does not support ${piece}.`;

const NO_EXTENSIONS =
  'PostgreSQL does not have the extensions pg_trgm and btree_gin. Install its contrib package, or allow them in the settings of the service. If they are in another schema, add that schema to search_path of the role.';

describe('A start refuses a server without something that Roster needs and names it', () => {
  it('Advisory locks that a server ignores prevent the first start', async (test) => {
    const database = await empty(test);
    await shadow(
      database,
      `pg_try_advisory_xact_lock(bigint) returns boolean language sql as 'select true'`,
      `pg_advisory_xact_lock(bigint) returns void language sql as ''`,
    );
    await refuses(test, database, because('advisory locks that exclude other sessions'));
    const tables = await database.query(`select 1 from pg_tables where tablename = 'contacts'`);
    assert.deepEqual(tables, [], 'nothing was created');
  });

  it('Advisory locks that a server ignores prevent a start on a migrated database', async (test) => {
    const database = await databaseFor(test, 'postgres');
    await shadow(database, `pg_try_advisory_xact_lock(bigint) returns boolean language sql as 'select true'`);
    await refuses(test, database, because('advisory locks that exclude other sessions'));
  });

  it('Row locks that a server ignores prevent a start', async (test) => {
    const database = await databaseFor(test, 'postgres');
    await run(database, [
      'alter table migrations rename to applied',
      `create function unlocked() returns setof applied language sql as 'select * from applied'`,
      'create view migrations as select * from unlocked()',
    ]);
    await refuses(test, database, because('for update skip locked'));
  });

  it('An extension that is not installed prevents the first start', async (test) => {
    const database = await empty(test);
    const [server] = await database.query(
      `select current_setting('server_version_num')::int >= 180000 as new`,
    );
    if (!server?.new) return test.skip('the setting extension_control_path exists since PostgreSQL 18');
    await database.query(`alter database ${nameOf(database)} set extension_control_path = '/nowhere'`);
    await refuses(test, database, NO_EXTENSIONS);
  });

  it('An extension in a schema outside the search path prevents the first start', async (test) => {
    const database = await empty(test);
    await run(database, ['create schema elsewhere', 'create extension pg_trgm schema elsewhere']);
    await refuses(test, database, NO_EXTENSIONS);
    await database.query(`alter database ${nameOf(database)} set search_path = public, elsewhere`);
    await serviceFor(test, database);
  });

  it('A setting that a server does not know prevents a start', async (test) => {
    const database = await empty(test);
    const url = `${database.url}?options=${encodeURIComponent('-c no_such_setting=on')}`;
    await refuses(
      test,
      { ...database, database: { engine: 'postgres', url } },
      because('the setting no_such_setting'),
    );
  });
});

it('Several instances can start on an empty database at the same time', async (test) => {
  const database = await empty(test);
  const services = await Promise.all(Array.from({ length: 3 }, () => serviceFor(test, database)));
  for (const service of services) assert.equal((await service.get('/readyz')).status, 200);
});
