import { type Check, type Snapshot, sqlCheck } from '../check.ts';
import { DatabaseSetupError, MOVE_TABLE, unfinishedMoveError } from '../database.ts';
import { hasCitus } from './citus/distribute.ts';
import { openPool } from './pool.ts';
import { Servers } from './servers.ts';

/** PostgreSQL checks its pages itself, with data checksums and pg_amcheck. */
const postgresChecks: readonly Check[] = [
  sqlCheck(
    'indexes are valid',
    () => `select 'the index ' || indexrelid::regclass || ' is not valid' as what from pg_index
      where not (indisvalid and indisready and indislive)`,
  ),
  sqlCheck(
    'constraints are valid',
    () => `select 'the constraint ' || conname || ' of ' || conrelid::regclass || ' is not valid' as what
      from pg_constraint where not convalidated`,
  ),
  sqlCheck(
    'no trigger or rule was added to the tables',
    () => `select 'the trigger ' || tgname || ' of ' || tgrelid::regclass || ' is not part of Roster' as what
      from pg_trigger join pg_class as c on c.oid = tgrelid
      where not tgisinternal and relnamespace = quote_ident(current_schema())::regnamespace
      union all select 'the rule ' || rulename || ' of ' || ev_class::regclass || ' is not part of Roster'
      from pg_rewrite join pg_class as c on c.oid = ev_class
      where relkind in ('r', 'p') and relnamespace = quote_ident(current_schema())::regnamespace`,
  ),
];

const BEGIN = `begin isolation level repeatable read, read only;
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`;

/** On a Citus cluster, the snapshot of a node begins with the first query on it, and each connection to it would have its own.
 *  With one connection to each node, and a first query on all of them, all rows of a workspace are of one moment. */
const BEGIN_ON_NODES = [
  'set local citus.max_adaptive_executor_pool_size = 1',
  'select count(*) from keys where workspace_id is not null',
];

/** A read-only transaction without a timeout. */
export const openPostgresSnapshot = async (url: string, forMove: boolean): Promise<Snapshot> => {
  const pool = await openPool({ servers: new Servers(url), onFault: () => {}, allowStandby: true });
  const client = await pool.connect();
  const close = () => {
    client.release(true);
    return pool.end();
  };
  try {
    await client.query(BEGIN);
    const all = async <R>(sql: string) => (await client.query(sql)).rows as R[];
    const [found] = await all<{ known: boolean; unfinished: boolean }>(
      `select to_regclass('migrations') is not null as known, to_regclass('${MOVE_TABLE}') is not null as unfinished`,
    );
    if (found?.unfinished && !forMove) throw unfinishedMoveError();
    if (!found?.known)
      throw new DatabaseSetupError('DATABASE_URL points to a database that Roster did not create.');
    const [applied] = await all<{ count: number }>('select count(*) as count from migrations');
    const isCitus = await hasCitus(client);
    const beginOnNodes = async () => {
      for (const statement of BEGIN_ON_NODES) await client.query(statement);
    };
    const renew = async () => {
      await client.query('rollback');
      await client.query(BEGIN);
      await beginOnNodes();
    };
    if (isCitus) await beginOnNodes();
    return {
      ...(isCitus ? { renew } : {}),
      schema: Number(applied?.count),
      checks: postgresChecks,
      eachText: (json) => `jsonb_array_elements_text(${json}::jsonb) as each (value)`,
      eachKey: (json) => `jsonb_object_keys(${json}::jsonb) as each (key)`,
      all,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
