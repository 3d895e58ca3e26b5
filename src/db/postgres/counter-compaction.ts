import type { Pool } from 'pg';
import { withClient } from './connection.ts';

/** The key of an advisory lock: only one instance compacts at a time. */
const LOCK = 7_239_442;
const STEP = 1_000;

/** Each connection has its own part of a counter (see counters.ts). Compaction adds the parts up into part 0, so that rows
 *  do not accumulate with every connection, and deletes empty lists. It skips locked rows, so that it never waits while it
 *  holds a lock. Steps are short, so that connections do not wait long for their rows. */
const COMPACT = `
  with parts as (
    select list, part from tallies where workspace_id = $1 and part <> 0 limit ${STEP} for update skip locked
  ), sums as (
    select list from tallies where workspace_id = $1 and part = 0 and list in (select list from parts)
    for update skip locked
  ), busy as (
    select list from tallies where workspace_id = $1 and part = 0 and list in (select list from parts)
    and list not in (select list from sums)
  ), gone as (
    delete from tallies where workspace_id = $1
    and (list, part) in (select list, part from parts where list not in (select list from busy)) returning list, count
  )
  insert into tallies (workspace_id, list, part, count)
  select $1, list, 0, sum(count)::bigint from gone group by list order by list
  on conflict (workspace_id, list, part) do update set count = tallies.count + excluded.count`;

const DROP_EMPTY = `with chosen as materialized (
  select list from tallies where workspace_id = $1 and part = 0 and count = 0 for update skip locked
)
delete from tallies where workspace_id = $1 and part = 0 and list in (select list from chosen)`;

/** Returns whether more may be left. */
const compactSome = (connections: Connections, workspace: number): Promise<boolean> =>
  withClient(connections, async (client) => {
    await client.query('begin');
    const { rows } = await client.query('select pg_try_advisory_xact_lock($1) as mine', [LOCK]);
    const compacted = rows[0].mine ? ((await client.query(COMPACT, [workspace])).rowCount ?? 0) : 0;
    if (rows[0].mine) await client.query(DROP_EMPTY, [workspace]);
    await client.query('commit');
    return compacted === STEP;
  });

type Connections = Pick<Pool, 'connect'>;

/** The connections for statements of a workspace. */
type ConnectionsOf = (workspace: number) => Connections;

/** On a cluster, a workspace fails if its node is down; the others are compacted. On a single server, the first failure ends
 *  the run: the others would fail too. */
export const compactCounters = async (pool: Pool, connectionsOf?: ConnectionsOf): Promise<void> => {
  const { rows } = await pool.query('select id from workspaces order by id');
  const failures: unknown[] = [];
  for (const { id } of rows) {
    try {
      while (await compactSome(connectionsOf?.(id) ?? pool, id));
    } catch (error) {
      if (!connectionsOf) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
};
