import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { DatabaseSetupError, MOVE_TABLE, unfinishedMoveError } from '../database.ts';
import { pendingAfter, rowsAfter } from '../migrations/index.ts';
import { CITUS_SETTINGS, distributeTables, isDistributed, type OnTable } from './citus/distribute.ts';
import { withClient } from './connection.ts';
import { probeTakenLock } from './engine-probes.ts';
import { codeOf } from './errors.ts';

/** The key of an advisory lock: one instance migrates, the others wait. */
const LOCK = 7_239_441;

/** An `alter table` waits for running transactions, and all other statements on the table wait behind it. Instances that
 *  serve give up after 4 seconds (see storage.ts), so a migration gives up sooner, lets them continue, and retries. */
const LOCK_TIMEOUT_MS = 1_000;
const RETRY_AFTER_MS = 2_000;
const MAX_WAIT_MS = 10 * 60_000;

/** A lock timeout or a deadlock. */
const LOCK_ERRORS = new Set(['55P03', '40P01']);

interface MigrateOptions {
  readonly onTable?: OnTable;
  readonly forMove?: boolean;
}

/** Runs all missing migrations in one transaction. Other instances may serve meanwhile. Returns whether the tables are
 *  distributed with Citus. Only a move accepts the target of an unfinished move. */
export const migratePostgres = async (pool: Pool, options: MigrateOptions = {}): Promise<boolean> => {
  for (const began = performance.now(); ; ) {
    try {
      return await withClient(pool, (client) => runMissing(pool, client, options));
    } catch (error) {
      if (!LOCK_ERRORS.has(codeOf(error))) throw error;
      if (performance.now() - began > MAX_WAIT_MS)
        throw new DatabaseSetupError(
          'The database cannot be migrated, because another transaction has used its tables for 10 minutes. End it, for example a backup or a psql session, and start again.',
          { cause: error },
        );
      await pause(RETRY_AFTER_MS);
    }
  }
};

const runMissing = async (
  pool: Pool,
  client: PoolClient,
  { onTable, forMove = false }: MigrateOptions,
): Promise<boolean> => {
  await client.query('begin; set local lock_timeout = 0; set local statement_timeout = 0');
  await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
  await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
  const { rows: moves } = await client.query(`select to_regclass('${MOVE_TABLE}') is not null as unfinished`);
  if (moves[0].unfinished && !forMove) throw unfinishedMoveError();
  const distributed = await isDistributed(client);
  if (distributed) await client.query(CITUS_SETTINGS);
  await client.query('create table if not exists migrations (number int primary key, name text not null)');
  const { rows } = await client.query('select count(*)::int as count from migrations');
  let applied: number = rows[0].count;
  const pending = pendingAfter(applied);
  if (pending.length > 0) await probeTakenLock(pool, LOCK);
  for (const migration of pending) {
    for (const statement of migration.statements('postgres')) await client.query(statement);
    for (const row of rowsAfter(applied, migration))
      await client.query('insert into migrations (number, name) values ($1, $2)', row);
    applied = migration.version;
  }
  if (distributed) await distributeTables(client, onTable);
  await client.query('commit');
  return distributed;
};
