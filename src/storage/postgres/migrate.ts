import type { Pool } from 'pg';
import { migrations, pendingAfter } from '../migrations/index.ts';

/** Any number, the same in every instance: whoever holds this lock migrates, the others wait. */
const LOCK = 7_239_441;

/** Brings a database up to date, all steps in one transaction. */
export const migratePostgres = async (pool: Pool): Promise<void> => {
  const client = await pool.connect();
  try {
    await client.query('begin; set local lock_timeout = 0; set local statement_timeout = 0');
    await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
    await client.query('create table if not exists migrations (number int primary key, name text not null)');
    const { rows } = await client.query('select count(*)::int as count from migrations');
    for (const migration of pendingAfter(rows[0].count)) {
      for (const statement of migration.statements('postgres')) await client.query(statement);
      const number = migrations.indexOf(migration) + 1;
      await client.query('insert into migrations (number, name) values ($1, $2)', [number, migration.name]);
    }
    await client.query('commit');
    await client.query(FOLD_TALLIES);
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
};

/** Each connection counts in a row of its own (see tallies.ts). The rows of connections that are gone are added up
 *  here, so that they do not grow in number with every restart. */
const FOLD_TALLIES = `
  with gone as (
    delete from tallies
    where part <> 0 and part not in (select pid from pg_stat_activity where pid is not null)
    returning workspace_id, list, count
  ), sums as (
    select workspace_id, list, sum(count)::bigint as count from gone group by workspace_id, list having sum(count) <> 0
  )
  insert into tallies (workspace_id, list, part, count)
  select workspace_id, list, 0, count from sums
  on conflict (workspace_id, list, part) do update set count = tallies.count + excluded.count`;
