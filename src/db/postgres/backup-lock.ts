import { newClient } from './connection.ts';
import { findPrimary } from './pool.ts';

/** The key of an advisory lock: one process at a time makes a scheduled backup. */
const LOCK = 7_239_443;

/** Takes the lock until the returned function is called or the process ends. Undefined if another process has it. The lock
 *  belongs to a transaction, because a connection pooler would keep the one of a session. */
export const tryBackupLock = async (url: string): Promise<(() => Promise<void>) | undefined> => {
  // If the connection breaks, another process may take the lock. The backup continues.
  const client = newClient((await findPrimary(url)).url, 'backup');
  await client.connect();
  await client.query('begin; set local idle_in_transaction_session_timeout = 0');
  const { rows } = await client.query('select pg_try_advisory_xact_lock($1) as mine', [LOCK]);
  const release = () => client.end();
  if (rows[0]?.mine) return release;
  await release();
  return undefined;
};
