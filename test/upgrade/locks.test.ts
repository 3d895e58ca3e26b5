import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { migratePostgres } from '../../src/db/postgres/migrate.ts';
import { openPool } from '../../src/db/postgres/pool.ts';
import { Servers } from '../../src/db/postgres/servers.ts';
import { restoreFixture } from './fixture.ts';

it('A migration on PostgreSQL waits for a long read without blocking other statements behind it', async () => {
  const { database } = await restoreFixture('0.1.0', 'postgres');
  const [reader, other] = [1, 2].map(() => new Client({ connectionString: database.url })) as [
    Client,
    Client,
  ];
  const pool = await openPool({ servers: new Servers(database.url), onFault: () => {} });
  try {
    await Promise.all([reader.connect(), other.connect()]);
    // A migration after 0.1.0 alters this table.
    await reader.query('begin; select count(*) from workspaces');
    let isMigrated = false;
    const migration = migratePostgres(pool).then(() => {
      isMigrated = true;
    });
    const waiting = `select 1 from pg_locks where relation = 'workspaces'::regclass and not granted`;
    for (let rounds = 0; rounds < 3; rounds++) {
      while (!isMigrated && (await other.query(waiting)).rowCount === 0) await pause(5);
      // It would wait until the read ends if the migration did not stop waiting before.
      await other.query('select count(*) from workspaces');
      assert.equal(isMigrated, false);
    }
    await reader.query('commit');
    await migration;
  } finally {
    await Promise.all([reader.end(), other.end(), pool.end()]);
    await database.drop();
  }
});
