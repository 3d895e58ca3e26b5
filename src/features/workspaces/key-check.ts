import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import { statement } from '../../db/statement.ts';
import { unavailable } from '../../lib/errors.ts';

/** A known text, encrypted with the current key. It identifies the current key and shows whether the keys of an instance
 *  belong to its database. */
export const CHECK_OWNER = 'key';
export const CHECK_TEXT = 'roster';

const NAME = sql.lit(CHECK_OWNER);
const find = sql<{ sealed: string }>`select sealed from seal_checks where name = ${NAME}`;

const insertCheck = statement(
  ({ encrypted }: { encrypted: string }) => sql<never>`
    insert into seal_checks (name, sealed) values (${NAME}, ${encrypted}) on conflict (name) do nothing`,
);
const findCheck = statement(() => find);
const lockCheck = statement((_: object, dialect) => sql<{ sealed: string }>`${find} ${dialect.lockRow()}`);
const updateCheck = statement(
  ({ was, encrypted }: { was: string; encrypted: string }) =>
    sql<never>`update seal_checks set sealed = ${encrypted} where name = ${NAME} and sealed = ${was}`,
);

/** The check of this database; undefined before a key was used. */
export const findKeyCheck = read('findKeyCheck', async (db) => (await db.get(findCheck, {}))?.sealed);

/** Stores the given check unless one exists, and returns the stored one. */
export const createKeyCheck = write(
  'createKeyCheck',
  async (db, _: null, { encrypted }: { encrypted: string }): Promise<string> => {
    await db.run(insertCheck, { encrypted });
    return (await findKeyCheck(db)) ?? '';
  },
);

/** Replaces the check that was read by one of another key. False if it has changed since. */
export const replaceKeyCheck = write(
  'replaceKeyCheck',
  async (db, _: null, check: { was: string; encrypted: string }) => (await db.run(updateCheck, check)) > 0,
);

/** Rejects values that were encrypted with a key that is no longer current, because a running rotation would miss them.
 *  Locks the check until the transaction ends. */
export const assertKeyCheck = async (db: Db, check: string): Promise<void> => {
  const stored = await db.get(lockCheck, {});
  if (stored?.sealed !== check) throw unavailable('The encryption key was just rotated. Retry.');
};
