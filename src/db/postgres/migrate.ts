import type { Pool, PoolClient } from 'pg';
import { migrations, pendingAfter } from '../migrations/index.ts';
import type { MigrationWork } from '../migrations/migration.ts';
import { withClient } from './connection.ts';

/** The key of an advisory lock: one instance migrates, the others wait. */
const LOCK = 7_239_441;

const runWork = async (client: PoolClient, work: MigrationWork): Promise<void> => {
  for (let step = work.next(); !step.done; ) {
    const { text, values = [] } = step.value;
    let count = 0;
    const numbered = text.replace(/\?/g, () => `$${++count}`);
    step = work.next((await client.query(numbered, [...values])).rows);
  }
};

/** Runs all missing migrations in one transaction. */
export const migratePostgres = (pool: Pool): Promise<void> =>
  withClient(pool, async (client) => {
    await client.query('begin; set local lock_timeout = 0; set local statement_timeout = 0');
    await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
    await client.query('create table if not exists migrations (number int primary key, name text not null)');
    const { rows } = await client.query('select count(*)::int as count from migrations');
    for (const migration of pendingAfter(rows[0].count)) {
      for (const statement of migration.statements('postgres')) await client.query(statement);
      if (migration.work) await runWork(client, migration.work('postgres'));
      const number = migrations.indexOf(migration) + 1;
      await client.query('insert into migrations (number, name) values ($1, $2)', [number, migration.name]);
    }
    await client.query('commit');
  });
