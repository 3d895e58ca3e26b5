import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import type { Expiry } from '../../jobs/expiry.ts';
import { TransactionConflict } from '../../lib/errors.ts';
import * as store from '../../records/event.store.ts';

/** Few, so that a reader does not wait long. */
const STEP = 1_000;

/** Assigns positions to committed events that have none, oldest first, and returns how many; undefined if another transaction is
 *  doing so. Transactions that run concurrently commit in another order than they allocate numbers in. A position that a transaction took for itself could therefore become
 *  visible after a higher one, and a reader would miss it. Here every event that gets a position is visible already, and one that
 *  becomes visible later gets a higher position. Events of one record keep their order: a transaction allocates its number while
 *  it locks the record. */
const assignNext = async (db: Db, workspace: number): Promise<number | undefined> => {
  const lock = await db.get(store.trySequencing, { workspace, name: `events ${workspace}` });
  if (!lock?.is_ours) return undefined;
  const step = { workspace, limit: STEP };
  await db.all(store.lockUnsequenced, step);
  return db.run(store.assignPositions, step);
};

/** The same, but the transaction is retried while another one assigns positions. */
const assignInTurn = async (db: Db, workspace: number): Promise<number> => {
  const assigned = await assignNext(db, workspace);
  if (assigned === undefined) throw new TransactionConflict('Events are being sequenced. Retry.');
  return assigned;
};

/** Returns 0 if another transaction assigns positions. */
export const sequenceEvents = write(
  'sequenceEvents',
  async (db, _: null, { workspace }: { workspace: number }): Promise<number> =>
    (await assignNext(db, workspace)) ?? 0,
);

/** How many steps a transaction makes at most. */
const MAX_STEPS = 100;

/** The position of the last event that is committed now, for a reader that begins after it. If there are more than 100,000 events
 *  without a position, it begins before some of them. */
export const lastPosition = async (db: Db, workspace: number): Promise<number> => {
  for (let step = 0; step < MAX_STEPS; step++) {
    if ((await assignInTurn(db, workspace)) < STEP) break;
  }
  return (await db.get(store.findBounds, { workspace }))?.newest ?? 0;
};

/** Few, so that other writes do not wait long for a step. */
const EXPIRY_STEP = 500;

/** Deletes some expired events of a workspace. They get a position first, so that a reader notices that they are gone. */
export const expireEvents = write('expireEvents', async (db, _: null, { workspace, before }: Expiry) => {
  const unsequenced = await db.get(store.findUnsequenced, { workspace });
  // A reader may have assigned them since, and then there are none to assign but some to delete.
  const assigned = unsequenced && unsequenced.at < before ? await assignInTurn(db, workspace) : 0;
  return assigned || db.run(store.deleteBefore, { workspace, before, limit: EXPIRY_STEP });
});
