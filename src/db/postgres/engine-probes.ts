import type { Pool } from 'pg';
import { DatabaseSetupError } from '../database.ts';
import { withClient } from './connection.ts';
import { asUnavailable, codeOf } from './errors.ts';

const refusal = (piece: string, cause?: unknown) =>
  new DatabaseSetupError(
    `Roster cannot use the server of DATABASE_URL, because it does not support ${piece}.`,
    { cause },
  );

/** A missing privilege, an outage or a lock says nothing about the server. */
const NOT_ABOUT_THE_SERVER = new Set(['42501', '40P01', '40001']);
const isAboutServer = (error: unknown): boolean =>
  !NOT_ABOUT_THE_SERVER.has(codeOf(error)) && asUnavailable(error) === error;

const probe = async <T>(piece: string, query: () => Promise<T>): Promise<T> => {
  try {
    return await query();
  } catch (error) {
    throw isAboutServer(error) ? refusal(piece, error) : error;
  }
};

const ADVISORY_LOCKS = 'advisory locks that exclude other sessions';
const ROW_LOCKS = 'for update skip locked';

/** Throws if another session can take an advisory lock that is already taken. Some servers accept such statements and ignore
 *  them. */
export const probeTakenLock = async (pool: Pool, key: number): Promise<void> => {
  const text = 'select pg_try_advisory_xact_lock($1) as mine';
  const { rows } = await probe(ADVISORY_LOCKS, () => pool.query(text, [key]));
  if (rows[0].mine) throw refusal(ADVISORY_LOCKS);
};

/** Two sessions at the same time must not lock the same row. Every database has this row after its first migration. */
const LOCK_ROW = 'select number from migrations where number = 1 for update skip locked';

/** Throws if locks of one session do not exclude another one. The key of the advisory lock is random, so that several
 *  instances can start at the same time. */
export const probeLocks = (pool: Pool): Promise<void> =>
  withClient(pool, async (client) => {
    const key = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
    await client.query('begin');
    await probe(ADVISORY_LOCKS, () => client.query('select pg_advisory_xact_lock($1)', [key]));
    // No row means that another instance has locked it, which is a proof as well.
    const { rowCount } = await probe(ROW_LOCKS, () => client.query(LOCK_ROW));
    const others = rowCount === 0 ? 0 : (await pool.query(LOCK_ROW)).rowCount;
    if (others !== 0) throw refusal(ROW_LOCKS);
    await probeTakenLock(pool, key);
    await client.query('rollback');
  });
