import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import { statementsOver } from '../../db/statement.ts';
import { unavailable } from '../../lib/errors.ts';

/** A known text, sealed with the key that new values are sealed with: it says which key that is, and whether the keys of
 *  an instance are those of its database. */
export const CHECK_OWNER = 'key';
export const CHECK_TEXT = 'roster';

const statement = statementsOver<{ seal_checks: { name: string; sealed: string } }>();

const insertCheck = statement((query, { name, sealed }: { name: string; sealed: string }) =>
  query
    .insertInto('seal_checks')
    .values({ name, sealed })
    .onConflict((conflict) => conflict.column('name').doNothing()),
);
const findCheck = statement((query, { name }: { name: string }) =>
  query.selectFrom('seal_checks').select('sealed').where('name', '=', name),
);
const lockCheck = statement((query, { name }: { name: string }, can) =>
  query.selectFrom('seal_checks').select('sealed').where('name', '=', name).modifyEnd(can.lockRow()),
);
const updateCheck = statement((query, { name, was, sealed }: { name: string; was: string; sealed: string }) =>
  query.updateTable('seal_checks').set({ sealed }).where('name', '=', name).where('sealed', '=', was),
);

/** The check of this database, where a key has been used. */
export const findSealCheck = read(
  'findSealCheck',
  async (db: Db): Promise<string | undefined> => (await db.get(findCheck, { name: CHECK_OWNER }))?.sealed,
);

/** Stores the given check unless there is one already, and gives the one that is stored. */
export const keepSealCheck = write(
  'keepSealCheck',
  async (db: Db, _: null, { sealed }: { sealed: string }): Promise<string> => {
    await db.run(insertCheck, { name: CHECK_OWNER, sealed });
    return (await findSealCheck(db)) ?? '';
  },
);

/** Puts a check that another key has sealed in the place of the one that was read. False when it is another by now. */
export const replaceSealCheck = write(
  'replaceSealCheck',
  async (db: Db, _: null, { was, sealed }: { was: string; sealed: string }): Promise<boolean> =>
    (await db.run(updateCheck, { name: CHECK_OWNER, was, sealed })) > 0,
);

/** Refuses to store values that were sealed with a key that is no longer current: a rotation that has begun would not find
 *  them. The check cannot change before this transaction ends. */
export const assertSealCheck = async (db: Db, check: string): Promise<void> => {
  const stored = await db.get(lockCheck, { name: CHECK_OWNER });
  if (stored?.sealed !== check) throw unavailable('The sealing key was rotated just now. Retry.');
};
