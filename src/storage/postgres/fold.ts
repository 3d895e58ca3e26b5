import type { Pool } from 'pg';

/** Any number, the same in every instance: one folds at a time. */
const LOCK = 7_239_442;
const EVERY_MS = 60_000;

/** Each connection counts in a row of its own (see tallies.ts). This adds them up into one, so that they do not grow in
 *  number with every connection, and lists that nobody is on disappear. Rows in use at the moment are left for later. */
const FOLD = `
  with gone as (
    delete from tallies where (workspace_id, list, part) in (
      select workspace_id, list, part from tallies where part <> 0 for update skip locked
    ) returning workspace_id, list, count
  )
  insert into tallies (workspace_id, list, part, count)
  select workspace_id, list, 0, sum(count)::bigint from gone group by workspace_id, list
  on conflict (workspace_id, list, part) do update set count = tallies.count + excluded.count`;

export const foldTallies = async (pool: Pool): Promise<void> => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query('select pg_try_advisory_xact_lock($1) as mine', [LOCK]);
    if (rows[0].mine) {
      await client.query(FOLD);
      await client.query('delete from tallies where part = 0 and count = 0');
    }
    await client.query('commit');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
};

/** Folds now and then while the service runs; gives back how to stop. */
export const keepFolding = (pool: Pool, onFault: (error: Error) => void): (() => void) => {
  const timer = setInterval(() => foldTallies(pool).catch(onFault), EVERY_MS).unref();
  return () => clearInterval(timer);
};
